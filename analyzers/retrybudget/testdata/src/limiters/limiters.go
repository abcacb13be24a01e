// Package limiters uses a library's limiter as a budget.
package limiters

import (
	"context"
	"errors"
	"time"

	"golang.org/x/time/rate"
)

var errBusy = errors.New("busy")

type quarry interface {
	cut(ctx context.Context, slab int) error
}

type mason struct {
	q    quarry
	slow *rate.Limiter
}

func NewMason(q quarry) *mason { return &mason{q: q, slow: rate.NewLimiter(5, 20)} }

func (m *mason) Limited(ctx context.Context, slab int) (err error) {
	for n := 0; ; n++ {
		if err = m.q.cut(ctx, slab); err == nil || n == 3 || !errors.Is(err, errBusy) || !m.slow.Allow() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (m *mason) FreshLimiter(ctx context.Context, slab int) (err error) {
	b := rate.NewLimiter(5, 20) // want `this budget is made for each call of FreshLimiter`
	for n := 0; ; n++ {
		if err = m.q.cut(ctx, slab); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.Allow() {
			return err
		}
		time.Sleep(time.Second)
	}
}
