// Package retry is a stand-in for the library: the catalogue knows what it does.
package retry

import "context"

type (
	Config        struct{ attempts uint }
	Option        func(*Config)
	RetryableFunc func() error
)

func Attempts(n uint) Option                   { return nil }
func Context(ctx context.Context) Option       { return nil }
func Do(f RetryableFunc, opts ...Option) error { return nil }
func Unrecoverable(err error) error            { return nil }

// RetryIf repeats only after errors that f accepts.
func RetryIf(f func(error) bool) Option { return nil }
