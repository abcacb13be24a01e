package generics

import (
	"iter"
	"time"
)

type operation[T any] interface {
	Do() (T, error)
	*int | *string
}

type doer[T any] interface{ Do() (T, error) }

type wrapper[T any, D doer[T]] struct {
	d D
	n int
}

func (w wrapper[T, D]) Do() (v T, err error) {
	for range w.n {
		if v, err = w.d.Do(); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

func wrap[T any, D doer[T]](d D, n int) wrapper[T, D] { return wrapper[T, D]{d, n} }

type plain struct{}

func (plain) Do() (int, error) { return 0, nil }

func use() (int, error) {
	w := wrap[int](wrap[int](plain{}, 2), 3)
	for range 2 {
		if v, err := w.Do(); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return w.Do()
}

func constrained[T any, P operation[T]](p P) (v T, err error) {
	for i := 0; i < 3; i++ {
		if v, err = p.Do(); err == nil {
			break
		}
	}
	return v, err
}

func attempts(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
			time.Sleep(time.Second)
		}
	}
}

func overFunc(op func() error) (err error) {
	defer func() { err = nil }()
outer:
	for range attempts(3) {
		for i := range attempts(2) {
			if err = op(); err == nil {
				return nil
			}
			if i == 1 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			defer op()
		}
	}
	return err
}

type tree[T any] struct{ left, right *tree[T] }

func (t *tree[T]) all(yield func(*tree[T]) bool) bool {
	return t == nil || t.left.all(yield) && yield(t) && t.right.all(yield)
}
