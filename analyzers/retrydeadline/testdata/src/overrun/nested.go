package overrun

import (
	"context"
	"errors"
	"time"

	"github.com/avast/retry-go/v4"
)

// Each attempt is made of attempts: three times four times 5s, though 20s fit into the deadline.
func nested(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second) // want `the deadline of 30s leaves room for 2 of 3 tries of up to 23s \(each has 4 in measured\)`
	defer cancel()
	for range 3 {
		if err = measured(ctx, t); err == nil {
			return nil
		}
	}
	return err
}

func measured(ctx context.Context, t tide) (err error) {
	for n := range 4 {
		if err = read(ctx, t); err == nil {
			return nil
		}
		if n == 3 {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

// There is time for all of them.
func nestedFits(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 70*time.Second)
	defer cancel()
	for range 3 {
		if err = measured(ctx, t); err == nil {
			return nil
		}
	}
	return err
}

// The attempts themselves have a limit, so that what is inside of them is cut short.
func nestedLimited(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for range 3 {
		measuring, done := context.WithTimeout(ctx, 8*time.Second) // want `the deadline of 8s leaves room for 2 of 4 tries of up to 5s and waits of at least 3s`
		err = measured(measuring, t)
		done()
		if err == nil {
			return nil
		}
	}
	return err
}

var errDrained = errors.New("drained")

// What the inner attempts end with may end the outer ones.
func nestedTold(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for range 3 {
		if err = measured(ctx, t); err == nil || errors.Is(err, errDrained) {
			return err
		}
	}
	return err
}

// The waits of a library inside of a loop: 2s and 4s are waited in each of the four attempts.
func nestedWaits(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // want `the deadline of 10s leaves room for 3 of 4 tries of up to 4s \(each has 3 in patiently\)`
	defer cancel()
	for range 4 {
		if err = patiently(ctx, t); err == nil {
			return nil
		}
	}
	return err
}

func patiently(ctx context.Context, t tide) error {
	return retry.Do(func() error { return t.Height(ctx) }, retry.Attempts(3), retry.Context(ctx), retry.Delay(2*time.Second))
}
