// Package retries has budgets that other packages use. It repeats nothing itself.
package retries

import (
	"errors"
	"sync"
)

// A Budget admits a retry for ten requests.
type Budget struct {
	mu    sync.Mutex
	units int
	limit int
}

// New returns a budget for a burst of retries.
func New(burst int) *Budget { return &Budget{limit: 10 * burst} }

// Deposit pays in for a request.
func (b *Budget) Deposit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units = min(b.units+1, b.limit)
}

// TryRetry pays for a retry.
func (b *Budget) TryRetry() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.units < 10 {
		return false
	}
	b.units -= 10
	return true
}

// An Endless budget saves up without an end.
type Endless struct {
	mu    sync.Mutex
	units int
}

// Deposit pays in for a request.
func (e *Endless) Deposit() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.units++ // want `nothing limits units here`
}

// TryRetry pays for a retry.
func (e *Endless) TryRetry() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.units < 10 {
		return false
	}
	e.units -= 10
	return true
}

// A Pool hands out what it has, and says nothing of attempts.
type Pool struct {
	mu   sync.Mutex
	free int
}

// Get takes one.
func (p *Pool) Get() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.free == 0 {
		return false
	}
	p.free--
	return true
}

// Put gives one back.
func (p *Pool) Put() {
	p.mu.Lock()
	p.free++
	p.mu.Unlock()
}

// An Account keeps a budget, and refuses by an error.
type Account struct{ budget *Budget }

// Open opens an account.
func Open() *Account { return &Account{New(10)} }

var errOverdrawn = errors.New("overdrawn")

// Pay pays in for a request.
func (a *Account) Pay() { a.budget.Deposit() }

// Draw pays for a retry.
func (a *Account) Draw() (undo func(), err error) {
	if !a.budget.TryRetry() {
		return nil, errOverdrawn
	}
	return a.Pay, nil
}
