// Package ctx reads the depth of a fairway for callers that may leave.
package ctx

import (
	"context"
	"errors"
	"time"
)

type sonar interface {
	depth(ctx context.Context) (float64, error)
}

func Gone(ctx context.Context, s sonar) (d float64, err error) {
	for range 4 {
		if d, err = s.depth(ctx); err == nil { // want `depth fails once the caller's context is done, and is called again`
			return d, nil
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func Watched(ctx context.Context, s sonar) (d float64, err error) {
	for range 4 {
		if d, err = s.depth(ctx); err == nil || ctx.Err() != nil {
			return d, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func Told(ctx context.Context, s sonar) (d float64, err error) {
	for range 4 {
		d, err = s.depth(ctx)
		if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			return d, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

// Each attempt has a context of its own.
func Fresh(s sonar) (d float64, err error) {
	for range 4 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		d, err = s.depth(ctx)
		cancel()
		if err == nil {
			return d, nil
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

var errBusy = errors.New("busy")

func Only(ctx context.Context, s sonar) (d float64, err error) {
	for range 4 {
		if d, err = s.depth(ctx); err == nil || !errors.Is(err, errBusy) {
			return d, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

// Explicitly, though it is the caller's own.
func Explicit(ctx context.Context, s sonar) (d float64, err error) {
	for range 4 {
		d, err = s.depth(ctx) // want `fails once the caller's context is done`
		if err == nil {
			return d, nil
		}
		if !errors.Is(err, errBusy) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}
