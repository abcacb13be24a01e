package forms

import (
	"context"
	"errors"
	"time"
)

func selectAfter(ctx context.Context, r remote) error {
	for i := 0; ; i++ { // site loop retry 4
		err := r.Put(ctx, item{})
		if err == nil || i == 3 {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func selectTimer(ctx context.Context, r remote) (err error) {
	t := time.NewTimer(0)
	defer t.Stop()
	for range 3 { // site loop retry 3
		select {
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err = r.Put(ctx, item{}); err == nil {
			return nil
		}
		t.Reset(time.Second)
	}
	return err
}

func selectTicker(ctx context.Context, r remote) (err error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for attempt := 0; attempt < 5; attempt++ { // site loop retry 5
		if err = r.Ping(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return err
}

func untilContextDone(ctx context.Context, r remote) error {
	for { // site loop retry unlimited
		err := r.Put(ctx, item{})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

func contextCondition(ctx context.Context, r remote) error {
	for ctx.Err() == nil { // site loop retry unlimited
		if err := r.Put(ctx, item{}); err == nil {
			return nil
		}
		pause()
	}
	return ctx.Err()
}

func endless(ctx context.Context, r remote) item {
	for { // site loop retry unlimited
		it, err := r.Fetch(ctx, "a")
		if err == nil {
			return it
		}
		time.Sleep(time.Second)
	}
}

type exponential struct{ n, max int }

func (b *exponential) next() (time.Duration, bool) {
	b.n++
	return time.Second << b.n, b.n < b.max
}

// The count is behind the method of a value.
func byOwnBackoff(r remote, b *exponential) error {
	for { // site loop retry unlimited
		err := r.Ping()
		if err == nil {
			return nil
		}
		d, ok := b.next()
		if !ok {
			return err
		}
		time.Sleep(d)
	}
}

func growing(ctx context.Context, r remote) (err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < 3; i++ { // site loop retry 3
		if err = r.Put(ctx, item{}); err == nil {
			return nil
		}
		time.Sleep(delay)
		delay *= 2
	}
	return err
}

// Bounded by its delay alone: 100, 200, 400, 800.
func byDelay(r remote) (err error) {
	for delay := 100 * time.Millisecond; delay < time.Second; delay *= 2 { // site loop retry 4
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(delay)
	}
	return err
}

func freshTimeout(ctx context.Context, r remote) (it item, err error) {
	for range 3 { // site loop retry 3
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		it, err = r.Fetch(attempt, "a")
		cancel()
		if err == nil {
			return it, nil
		}
		pause()
	}
	return it, err
}
