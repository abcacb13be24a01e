// Package flags switches inner retries off by a value in the context, and by a package variable.
package flags

import (
	"context"
	"time"
)

type keyOff struct{}

// Off returns a context under which calls aren't repeated.
func Off(ctx context.Context) context.Context { return context.WithValue(ctx, keyOff{}, true) }

type remote interface {
	Get(ctx context.Context) error
}

func fetch(ctx context.Context, r remote) (err error) {
	n := 3
	if off, _ := ctx.Value(keyOff{}).(bool); off {
		n = 1
	}
	for range n {
		if err = r.Get(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Quiet switches them off.
func Quiet(ctx context.Context, r remote) (err error) {
	ctx = Off(ctx)
	for range 3 {
		if err = fetch(ctx, r); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// QuietWithTimeout derives another context from it.
func QuietWithTimeout(ctx context.Context, r remote) (err error) {
	ctx = Off(ctx)
	for range 3 {
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		err = fetch(attempt, r)
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Loud doesn't.
func Loud(ctx context.Context, r remote) (err error) {
	for range 3 {
		if err = fetch(ctx, r); err == nil { // want `up to 9 attempts: 3 by .* × 3 by`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
