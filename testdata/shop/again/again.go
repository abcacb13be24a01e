// Package again repeats operations that may fail for a moment.
package again

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	shortest = 50 * time.Millisecond
	longest  = 2 * time.Second
)

// Do calls op until it succeeds, at most attempts times, and returns what the last call returned. Between two calls it
// waits, longer each time and for a random part of that, so that the callers of a failed server don't return at once.
func Do[T any](ctx context.Context, attempts int, op func(context.Context) (T, error)) (T, error) {
	var (
		result T
		err    error
	)
	for attempt := 1; attempt <= attempts; attempt++ {
		if result, err = op(ctx); err == nil {
			return result, nil
		}
		if attempt == attempts {
			break
		}
		if ctxErr := wait(ctx, attempt); ctxErr != nil {
			return result, ctxErr
		}
	}
	return result, fmt.Errorf("failed %d times: %w", attempts, err)
}

// wait returns early, with an error, when ctx ends.
func wait(ctx context.Context, attempt int) error {
	timer := time.NewTimer(rand.N(min(shortest<<attempt, longest)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
