package types

type (
	A        struct{ b *B }
	B        struct{ a []A }
	I        interface{ M(I) I }
	F        func(F) F
	G[T any] struct{ next *G[T] }
)

const N = 3
