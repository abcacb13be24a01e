// Package clamp holds retry helpers that adjust their settings, and helpers that make or keep functions.
package clamp

import (
	"context"
	"time"
)

// AtLeastOne makes n attempts, one if n is less.
func AtLeastOne(n int, op func() error) (err error) {
	if n < 1 {
		n = 1
	}
	for range n {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// AtMostThree makes n attempts, three if n is more.
func AtMostThree(n int, op func() error) (err error) {
	for i := 0; i < min(n, 3); i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// MaxOne is AtLeastOne in one word.
func MaxOne(n int, op func() error) (err error) {
	for range max(n, 1) {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Delays makes an attempt for each delay.
func Delays(op func() error, delays ...time.Duration) (err error) {
	for _, d := range delays {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(d)
	}
	return err
}

// DelaysPlus waits between attempts, and so makes one more.
func DelaysPlus(op func() error, delays ...time.Duration) (err error) {
	for i := 0; ; i++ {
		if err = op(); err == nil || i >= len(delays) {
			return err
		}
		time.Sleep(delays[i])
	}
}

// Cfg is a setting that may be left out.
type Cfg struct{ Max int }

// Ptr makes four attempts without a setting.
func Ptr(cfg *Cfg, op func() error) (err error) {
	if cfg == nil {
		cfg = &Cfg{Max: 4}
	}
	for range cfg.Max {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Handler is what a Middleware is around.
type Handler func(ctx context.Context) error

// Middleware makes one Handler of another.
type Middleware func(Handler) Handler

// WithRetry returns a Middleware of n attempts.
func WithRetry(n int) Middleware {
	return func(next Handler) Handler {
		return func(ctx context.Context) (err error) {
			for range n {
				if err = next(ctx); err == nil {
					return nil
				}
				time.Sleep(time.Second)
			}
			return err
		}
	}
}

// Box loads a value.
type Box[T any] struct {
	N    int
	Load func() (T, error)
}

// Get makes b.N attempts.
func (b *Box[T]) Get() (v T, err error) {
	for range b.N {
		if v, err = b.Load(); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

// NewBox returns a Box of three attempts.
func NewBox[T any](load func() (T, error)) *Box[T] { return &Box[T]{N: 3, Load: load} }

// Retryable makes n attempts as long as the error is retryable.
func Retryable(n int, retryable func(error) bool, op func() error) (err error) {
	for i := 0; i < n; i++ {
		if err = op(); err == nil || !retryable(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Val keeps the value of an operation that AtLeastOne repeats.
func Val[T any](n int, op func() (T, error)) (v T, err error) {
	err = AtLeastOne(n, func() error {
		v, err = op()
		return err
	})
	return v, err
}

// Rules of Ruled.
type Rules struct {
	Attempts  int
	Retryable func(error) bool
}

// Ruled makes r.Attempts attempts as long as r finds the error retryable.
func Ruled(op func() error, r Rules) (err error) {
	for range r.Attempts {
		if err = op(); err == nil || !r.Retryable(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// If repeats only if it is told to.
func If(again bool, n int, op func() error) (err error) {
	for range n {
		if err = op(); err == nil || !again {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Once says when not to repeat.
type Once struct {
	Max  int
	Only bool
}

// Do repeats unless o says otherwise.
func (o Once) Do(op func() error) (err error) {
	for i := 1; i <= o.Max; i++ {
		err = op()
		if err == nil {
			return nil
		}
		if o.Only {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

// Toggled is for operations that it may be wrong to repeat; nothing here tells which.
type Toggled struct{ Idempotent bool }

// Do repeats what is idempotent.
func (t *Toggled) Do(op func() error) (err error) {
	for range 4 {
		if err = op(); err == nil || !t.Idempotent {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Loud makes n attempts, whatever it is told to say.
func Loud(quiet bool, n int, op func() error) (err error) {
	for range n {
		if err = op(); err == nil {
			return nil
		}
		if !quiet {
			println(err.Error())
		}
		time.Sleep(time.Second)
	}
	return err
}

// Harder makes one attempt more than n, and n more if it is told to.
func Harder(twice bool, n int, op func() error) (err error) {
	for i := 0; i <= 2*n; i++ {
		if err = op(); err == nil || i >= n && !twice {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// UntilTold changes its mind after the first attempt.
func UntilTold(again bool, op func() error) (err error) {
	for range 3 {
		if err = op(); err == nil || !again {
			return err
		}
		again = !again
		time.Sleep(time.Second)
	}
	return err
}

// Backed asks the spare one twice if one is given.
func Backed(op, spare func() error) error {
	if spare != nil {
		return AtLeastOne(2, spare)
	}
	return op()
}

// Careful repeats op if told so.
func Careful(again bool, op func() error) error {
	if !again {
		return op()
	}
	return AtLeastOne(4, op)
}

// Either repeats op at any rate; the note may be missing.
func Either(note *string, op func() error) error {
	if note != nil {
		return AtLeastOne(4, op)
	}
	return AtLeastOne(4, op)
}

// Stubborn switches itself on.
func Stubborn(again bool, op func() error) (err error) {
	on := func() { again = true }
	for range 3 {
		err = op()
		on()
		if err == nil || !again {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
