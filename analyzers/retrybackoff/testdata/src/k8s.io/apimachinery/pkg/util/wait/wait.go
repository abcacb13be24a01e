// Package wait is a stand-in for the library: the catalogue knows what it does.
package wait

import (
	"context"
	"time"
)

type Backoff struct {
	Duration time.Duration
	Factor   float64
	Jitter   float64
	Steps    int
}

type ConditionWithContextFunc func(context.Context) (bool, error)

func ExponentialBackoffWithContext(ctx context.Context, b Backoff, f ConditionWithContextFunc) error {
	return nil
}
