// Package resets has backoffs that begin anew in each round.
package resets

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"
)

type Kiln interface {
	Fire(ctx context.Context) error
}

const (
	first = 100 * time.Millisecond
	most  = 10 * time.Second
)

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func delayInside(ctx context.Context, k Kiln) error {
	for {
		delay := first
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		if err := sleep(ctx, delay/2+rand.N(delay)); err != nil {
			return err
		}
		delay *= 2 // want `what it grows to here is never waited for`
	}
}

func delaySetBack(ctx context.Context, k Kiln) error {
	delay := first
	for {
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		delay = first
		if err := sleep(ctx, rand.N(delay)); err != nil {
			return err
		}
		delay = min(2*delay, most) // want `what it grows to here is never waited for`
	}
}

// backoff remembers its delay.
type backoff struct{ next time.Duration }

func newBackoff() *backoff { return &backoff{first} }

func (b *backoff) take() time.Duration {
	d := b.next
	b.next = min(2*b.next, most)
	return d/2 + rand.N(d)
}

func (b *backoff) Reset() { b.next = first }

func madeInside(ctx context.Context, k Kiln) error {
	for {
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		b := newBackoff() // want `made anew in each round`
		if err := sleep(ctx, b.take()); err != nil {
			return err
		}
	}
}

func resetInside(ctx context.Context, k Kiln) error {
	b := newBackoff()
	for {
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		b.Reset() // want `reset in each round`
		if err := sleep(ctx, b.take()); err != nil {
			return err
		}
	}
}

var common = newBackoff()

func byCommon(ctx context.Context, k Kiln) error {
	for {
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		if err := sleep(ctx, common.take()); err != nil { // want `common is one backoff for all calls`
			return err
		}
	}
}

// The rest is silent.

func outside(ctx context.Context, k Kiln) error {
	b := newBackoff()
	for {
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		if err := sleep(ctx, b.take()); err != nil {
			return err
		}
	}
}

// pages begins anew with each page.
func pages(ctx context.Context, kilns []Kiln) error {
	for _, k := range kilns {
		b := newBackoff()
		for {
			err := k.Fire(ctx)
			if err == nil {
				break
			}
			if err := sleep(ctx, b.take()); err != nil {
				return err
			}
		}
	}
	return nil
}

// constant makes nothing that grows.
func constant(ctx context.Context, k Kiln) error {
	for {
		delay := first
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		if err := sleep(ctx, delay/2+rand.N(delay)); err != nil {
			return err
		}
	}
}

type guarded struct {
	mu   sync.Mutex
	next time.Duration
}

func (g *guarded) take() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	d := g.next
	g.next = min(2*g.next, most)
	return d/2 + rand.N(d)
}

var pace guarded

// byPace slows all callers down together.
func byPace(ctx context.Context, k Kiln) error {
	for {
		err := k.Fire(ctx)
		if err == nil {
			return nil
		}
		if err := sleep(ctx, pace.take()); err != nil {
			return err
		}
	}
}
