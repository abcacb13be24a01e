// Package retry stands in for the library of that name.
package retry

import "context"

type (
	Config             struct{}
	Option             func(*Config)
	RetryableFunc      func() error
	RetryIfFunc        func(error) bool
	unrecoverableError struct{ error }
)

func Do(f RetryableFunc, opts ...Option) error { return f() }

func Attempts(n uint) Option { return nil }

func RetryIf(f RetryIfFunc) Option { return nil }

func Context(ctx context.Context) Option { return nil }

func Unrecoverable(err error) error { return unrecoverableError{err} }
