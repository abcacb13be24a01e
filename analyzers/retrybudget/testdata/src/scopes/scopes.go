// Package scopes makes budgets here and there.
package scopes

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

type quarry interface {
	cut(ctx context.Context, slab int) error
}

type budget struct {
	mu   sync.Mutex
	left int
	size int
	next time.Time
}

func newBudget(size int) *budget { return &budget{left: size, size: size} }

func (b *budget) spend() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := time.Now(); now.After(b.next) {
		b.left, b.next = b.size, now.Add(time.Minute)
	}
	if b.left == 0 {
		return false
	}
	b.left--
	return true
}

type mason struct {
	q      quarry
	budget *budget
}

func NewMason(q quarry) *mason {
	return &mason{q: q, budget: newBudget(20)}
}

func (m *mason) Cut(ctx context.Context, slab int) (err error) {
	for n := 0; ; n++ {
		if err = m.q.cut(ctx, slab); err == nil || n == 3 || !errors.Is(err, errBusy) || !m.budget.spend() {
			return err
		}
		time.Sleep(Pause)
	}
}

func (m *mason) Fresh(ctx context.Context, slab int) (err error) {
	b := newBudget(20) // want `this budget is made for each call of Fresh`
	for n := 0; ; n++ {
		if err = m.q.cut(ctx, slab); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.spend() {
			return err
		}
		time.Sleep(Pause)
	}
}

func cut(ctx context.Context, q quarry, slab int, b *budget) (err error) {
	for n := 0; ; n++ {
		if err = q.cut(ctx, slab); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.spend() {
			return err
		}
		time.Sleep(Pause)
	}
}

type yard struct{ q quarry }

func (y *yard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := cut(r.Context(), y.q, 1, newBudget(20)); err != nil { // want `this budget is made for each call of ServeHTTP`
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

// All shares one budget among the slabs of an order.
func All(ctx context.Context, q quarry, slabs []int) error {
	b := newBudget(20)
	for _, slab := range slabs {
		if err := cut(ctx, q, slab, b); err != nil {
			return err
		}
	}
	return nil
}

var perTenant sync.Map

type tenants struct {
	mu      sync.Mutex
	budgets map[string]*budget
}

func (t *tenants) of(name string) *budget {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.budgets[name]
	if b == nil {
		b = newBudget(20)
		t.budgets[name] = b
	}
	return b
}

func (t *tenants) Cut(ctx context.Context, q quarry, tenant string, slab int) error {
	return cut(ctx, q, slab, t.of(tenant))
}

func main() {
	if err := cut(context.Background(), nil, 1, newBudget(3)); err != nil {
		panic(err)
	}
}
