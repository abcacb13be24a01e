// Package core spaces calls, and repeats them as they ask for it.
package core

import (
	"sync"
	"time"
)

// Paced is called until it doesn't ask for another attempt.
type Paced func() (again bool, err error)

// An Invoker calls.
type Invoker func(attempt int, f Paced) (again bool, err error)

type options struct {
	attempts int
	sleep    time.Duration
	invoker  Invoker
}

// An Option changes them.
type Option func(*options)

// Attempts sets their number.
func Attempts(n int) Option { return func(o *options) { o.attempts = n } }

// By sets what calls.
func By(i Invoker) Option { return func(o *options) { o.invoker = i } }

// A Pacer spaces calls.
type Pacer struct {
	options
	mu     sync.Mutex
	tokens chan struct{}
}

// New returns a pacer.
func New(opts ...Option) *Pacer {
	o := options{attempts: 5}
	for _, set := range opts {
		set(&o)
	}
	p := &Pacer{options: o, tokens: make(chan struct{}, 1)}
	if p.sleep == 0 {
		p.SetSleep(time.Second)
	}
	if p.invoker == nil {
		p.invoker = invoke
	}
	p.SetSleep(p.sleep)
	p.tokens <- struct{}{}
	return p
}

// SetSleep sets the pause between attempts.
func (p *Pacer) SetSleep(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sleep = d
}

func invoke(attempt int, f Paced) (bool, error) { return f() }

// Call repeats f as often as the pacer says.
func (p *Pacer) Call(f Paced) (err error) {
	p.mu.Lock()
	attempts := p.attempts
	p.mu.Unlock()
	return p.call(f, attempts)
}

func (p *Pacer) call(f Paced, attempts int) (err error) {
	var again bool
	for i := 1; i <= attempts; i++ {
		<-p.tokens
		again, err = p.invoker(i, f)
		p.tokens <- struct{}{}
		if !again {
			break
		}
		time.Sleep(p.sleep)
	}
	return err
}
