// Package throttle repeats operations.
package throttle

import (
	"context"
	"time"
)

// Retry repeats op.
func Retry(op func() error, tries int) (err error) {
	for range tries {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// RetryContext repeats op until ctx is done.
func RetryContext(ctx context.Context, op func(context.Context) error, tries int) (err error) {
	for range tries {
		if err = op(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

// Only repeats op, and nothing beside it takes a context.
func Only(op func() error, tries int) (err error) {
	for range tries {
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}
