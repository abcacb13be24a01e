// Package failsafe stands in for the library of that name.
package failsafe

type Policy[R any] interface{ ToExecutor(_ R) any }

type Execution[R any] interface{ Attempts() int }

type Executor[R any] interface {
	GetWithExecution(fn func(exec Execution[R]) (R, error)) (R, error)
}
