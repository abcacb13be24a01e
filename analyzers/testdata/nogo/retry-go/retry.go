// Package retry is a stand-in for the library: the catalogue knows what it does.
package retry

type (
	Config        struct{ attempts uint }
	Option        func(*Config)
	RetryableFunc func() error
)

func Attempts(n uint) Option                   { return nil }
func Do(f RetryableFunc, opts ...Option) error { return nil }
