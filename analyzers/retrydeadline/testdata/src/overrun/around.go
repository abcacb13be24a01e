package overrun

import (
	"context"
	"time"

	"github.com/avast/retry-go/v4"
)

// The deadline is set by one function, the schedule by another.
func around(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // want `the deadline of 10s leaves room for 1 of 3 tries of up to 10s`
	defer cancel()
	return within(ctx, t)
}

func wide(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return within(ctx, t)
}

func within(ctx context.Context, t tide) (err error) {
	for range 3 {
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
	}
	return err
}

// The library's attempts work with a context that they capture.
func captured(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // want `the deadline of 10s leaves room for 1 of 3 tries of up to 10s`
	defer cancel()
	return retry.Do(func() error {
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		defer done()
		return t.Height(reading)
	}, retry.Attempts(3), retry.Context(ctx))
}

// The library's delays are longer than all the time that there is.
func delays(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // want `the deadline of 10s leaves room for 1 of 3 tries and waits of at least 40s`
	defer cancel()
	return retry.Do(func() error { return t.Height(ctx) }, retry.Attempts(3), retry.Context(ctx), retry.Delay(20*time.Second))
}

func shortDelays(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return retry.Do(func() error { return t.Height(ctx) }, retry.Attempts(3), retry.Context(ctx), retry.Delay(time.Second))
}
