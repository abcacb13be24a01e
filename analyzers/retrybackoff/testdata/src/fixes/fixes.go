// Package fixes has waits after the last attempt that a fix can skip, and some that it leaves alone.
package fixes

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

type Crane interface {
	Lift(ctx context.Context) error
}

var errBusy = errors.New("busy")

func below(ctx context.Context, c Crane, n int) (err error) {
	for i := 0; i < n; i++ {
		if err = c.Lift(ctx); err == nil {
			return nil
		}
		time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
	}
	return err
}

type yard struct{ tries int }

func (y *yard) upTo(ctx context.Context, c Crane) (err error) {
	for try := 1; try <= y.tries; try++ {
		err = c.Lift(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(rand.N(time.Second)): // want `waits after the last attempt`
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func times(ctx context.Context, c Crane) (err error) {
	delay := time.Second
	for range 4 {
		if err = c.Lift(ctx); !errors.Is(err, errBusy) {
			return err
		}
		time.Sleep(rand.N(delay)) // want `waits after the last attempt`
		delay = min(2*delay, time.Minute)
	}
	return err
}

func named(ctx context.Context, c Crane) (err error) {
	for i := range 4 {
		if err = c.Lift(ctx); err != nil {
			time.Sleep(rand.N(time.Second) << i) // want `waits after the last attempt`
			continue
		}
		return nil
	}
	return err
}

func inSwitch(ctx context.Context, c Crane) (err error) {
	for i := 0; i < 4; i++ {
		switch err = c.Lift(ctx); {
		case err == nil:
			return nil
		case errors.Is(err, errBusy):
			time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
		default:
			return err
		}
	}
	return err
}

func downwards(ctx context.Context, c Crane) (err error) {
	for left := 3; left > 0; left-- {
		if err = c.Lift(ctx); err == nil {
			return nil
		}
		time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
	}
	return err
}
