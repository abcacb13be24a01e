// Package again holds retry helpers in the shapes that real code has them.
package again

import (
	"context"
	"time"
)

// Do makes n attempts.
func Do(ctx context.Context, n int, op func(context.Context) error) (err error) {
	for i := 0; i < n; i++ {
		if err = op(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Value makes 1 + retries attempts.
func Value[T any](ctx context.Context, retries int, op func(context.Context) (T, error)) (v T, err error) {
	for i := 0; i <= retries; i++ {
		if v, err = op(ctx); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

// Policy is a setting that its owner keeps.
type Policy struct {
	Attempts int
	Wait     time.Duration
}

// Run makes p.Attempts attempts, three if they aren't set.
func (p Policy) Run(op func() error) (err error) {
	if p.Attempts <= 0 {
		p.Attempts = 3
	}
	for try := 1; ; try++ {
		if err = op(); err == nil || try >= p.Attempts {
			return err
		}
		time.Sleep(p.Wait)
	}
}

// Options of With.
type Options struct {
	Retries int
	Stop    func(error) bool
}

// With repeats op as opts say.
func With(op func() error, opts Options) error {
	for n := 0; ; n++ {
		err := op()
		if err == nil || n >= opts.Retries || opts.Stop != nil && opts.Stop(err) {
			return err
		}
		time.Sleep(time.Second)
	}
}

type config struct {
	attempts int
	wait     time.Duration
}

// An Option changes a setting of Call.
type Option func(*config)

// Attempts sets the number of attempts.
func Attempts(n int) Option { return func(c *config) { c.attempts = n } }

// Wait sets the delay.
func Wait(d time.Duration) Option { return func(c *config) { c.wait = d } }

// Call makes three attempts unless an option says otherwise.
func Call(op func() error, opts ...Option) (err error) {
	c := config{attempts: 3, wait: time.Second}
	for _, o := range opts {
		o(&c)
	}
	for range c.attempts {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(c.wait)
	}
	return err
}

// New returns a function that makes n attempts.
func New(n int) func(op func() error) error {
	return func(op func() error) (err error) {
		for i := 0; i < n; i++ {
			if err = op(); err == nil {
				return nil
			}
			time.Sleep(time.Second)
		}
		return err
	}
}

// Thrice is a wrapper of Do.
func Thrice(ctx context.Context, op func(context.Context) error) error { return Do(ctx, 3, op) }

// ThriceLogged is a wrapper of a wrapper.
func ThriceLogged(ctx context.Context, log func(error), op func(context.Context) error) error {
	return Thrice(ctx, func(ctx context.Context) error {
		err := op(ctx)
		if err != nil {
			log(err)
		}
		return err
	})
}

// Retrier is built step by step.
type Retrier struct {
	max int
}

// NewRetrier returns a Retrier of two attempts.
func NewRetrier() *Retrier { return &Retrier{max: 2} }

// Max sets the number of attempts.
func (r *Retrier) Max(n int) *Retrier { r.max = n; return r }

// Do repeats op.
func (r *Retrier) Do(op func() error) (err error) {
	for i := 0; i < r.max; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
