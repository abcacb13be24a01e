package ctx

import (
	"context"
	"errors"

	"github.com/avast/retry-go/v4"
)

func busy(err error) bool { return errors.Is(err, errBusy) }

// Unmarked repeats whatever the sonar fails with.
func Unmarked(ctx context.Context, s sonar) (d float64, err error) {
	err = retry.Do(func() error { // want `depth fails once the caller's context is done, and is called again`
		d, err = s.depth(ctx)
		return err
	}, retry.Attempts(4))
	return d, err
}

// Marked repeats what is busy: the error of a context isn't. It keeps the error in a variable that it captures.
func Marked(ctx context.Context, s sonar) (d float64, err error) {
	err = retry.Do(func() error {
		d, err = s.depth(ctx)
		if err != nil && !busy(err) {
			return retry.Unrecoverable(err)
		}
		return err
	}, retry.Attempts(4))
	return d, err
}

// MarkedAbove marks what a function of its own returns.
func MarkedAbove(ctx context.Context, s sonar) (d float64, err error) {
	err = retry.Do(func() error {
		if d, err = deep(ctx, s); err == nil || errors.Is(err, errBusy) {
			return err
		}
		return retry.Unrecoverable(err)
	}, retry.Attempts(4))
	return d, err
}

func deep(ctx context.Context, s sonar) (float64, error) { return s.depth(ctx) }
