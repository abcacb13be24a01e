// Package core spaces calls, and repeats them as they ask for it.
package core

import "time"

// Paced is called until it doesn't ask for another attempt.
type Paced func() (again bool, err error)

// An Invoker calls.
type Invoker func(attempt int, f Paced) (again bool, err error)

// Options of a Pacer.
type Options struct {
	attempts int
	invoker  Invoker
}

// An Option changes them.
type Option func(*Options)

// Attempts sets their number.
func Attempts(n int) Option { return func(o *Options) { o.attempts = n } }

// By sets what calls.
func By(i Invoker) Option { return func(o *Options) { o.invoker = i } }

// A Pacer spaces calls.
type Pacer struct {
	Options
}

// New returns a pacer.
func New(opts ...Option) *Pacer {
	o := Options{attempts: 5}
	for _, set := range opts {
		set(&o)
	}
	if o.invoker == nil {
		o.invoker = invoke
	}
	return &Pacer{Options: o}
}

func invoke(attempt int, f Paced) (bool, error) { return f() }

// Call repeats f as often as the pacer says.
func (p *Pacer) Call(f Paced) error { return p.call(f, p.attempts) }

func (p *Pacer) call(f Paced, attempts int) (err error) {
	var again bool
	for i := 1; i <= attempts; i++ {
		again, err = p.invoker(i, f)
		if !again {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}
