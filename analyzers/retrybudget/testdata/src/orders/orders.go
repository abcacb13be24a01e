// Package orders decides: failure, repeatable, time left, budget, wait, next attempt.
package orders

import (
	"context"
	"errors"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

type allowance struct {
	mu         sync.Mutex
	used, size int
}

func (a *allowance) spend() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.used >= a.size {
		return false
	}
	a.used++
	return true
}

func (a *allowance) renew() {
	a.mu.Lock()
	a.used = 0
	a.mu.Unlock()
}

type vine interface {
	prune(ctx context.Context) error
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func Right(ctx context.Context, v vine, a *allowance) error {
	for n := 0; ; n++ {
		err := v.prune(ctx)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errBusy) || n == 3 {
			return err
		}
		if dl, ok := ctx.Deadline(); ok && time.Until(dl) < time.Second {
			return err
		}
		if !a.spend() {
			return err
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}

func BeforeKind(ctx context.Context, v vine, a *allowance) error {
	for n := 0; ; n++ {
		err := v.prune(ctx)
		if err == nil {
			return nil
		}
		if !a.spend() || !errors.Is(err, errBusy) || n == 3 { // want `the budget is charged before the failure is classified`
			return err
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}

func BeforeTime(ctx context.Context, v vine, a *allowance) error {
	for n := 0; ; n++ {
		err := v.prune(ctx)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errBusy) || n == 3 || !a.spend() { // want `the budget is charged before the deadline is checked`
			return err
		}
		if dl, ok := ctx.Deadline(); ok && time.Until(dl) < time.Second {
			return err
		}
		if err := sleep(ctx, time.Second); err != nil {
			return err
		}
	}
}
