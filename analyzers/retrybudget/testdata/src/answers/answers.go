// Package answers has budgets that say why they refuse.
package answers

import (
	"errors"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

// A Decision tells whether there may be another attempt, and why not.
type Decision struct {
	Reason  string
	Allowed bool
}

type bucket struct {
	mu    sync.Mutex
	units int
}

func (b *bucket) deposit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.units < 200 {
		b.units++
	}
}

func (b *bucket) ask() Decision {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.units < 10 {
		return Decision{Reason: "spent"}
	}
	b.units -= 10
	return Decision{Allowed: true}
}

type kiln interface{ fire(id int) error }

type potter struct {
	kiln   kiln
	bucket *bucket
}

// Once pays in for each request.
func (p *potter) Once(id int) (err error) {
	p.bucket.deposit()
	for try := 0; ; try++ {
		if err = p.kiln.fire(id); err == nil || try == 3 || !errors.Is(err, errBusy) {
			return err
		}
		if d := p.bucket.ask(); !d.Allowed {
			return errors.Join(err, errors.New(d.Reason))
		}
		time.Sleep(Pause)
	}
}

// Each pays in for each attempt.
func (p *potter) Each(id int) (err error) {
	for try := 0; ; try++ {
		p.bucket.deposit() // want `each attempt feeds the budget`
		if err = p.kiln.fire(id); err == nil || try == 3 || !errors.Is(err, errBusy) || !p.bucket.ask().Allowed {
			return err
		}
		time.Sleep(Pause)
	}
}

type torn struct {
	mu    sync.Mutex
	units int
}

func (t *torn) deposit() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.units < 200 {
		t.units++
	}
}

// ask lets go of the lock between its look and its charge.
func (t *torn) ask() Decision {
	t.mu.Lock()
	enough := t.units >= 10
	t.mu.Unlock()
	if !enough {
		return Decision{Reason: "spent"}
	}
	t.mu.Lock()
	t.units -= 10 // want `units was checked before this lock was taken`
	t.mu.Unlock()
	return Decision{Allowed: true}
}

type thrower struct {
	kiln  kiln
	units *torn
}

func (p *thrower) Once(id int) (err error) {
	p.units.deposit()
	for try := 0; ; try++ {
		if err = p.kiln.fire(id); err == nil || try == 3 || !errors.Is(err, errBusy) {
			return err
		}
		if d := p.units.ask(); !d.Allowed {
			return err
		}
		time.Sleep(Pause)
	}
}
