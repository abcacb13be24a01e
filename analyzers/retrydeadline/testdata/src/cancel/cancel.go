// Package cancel gives each attempt a context of its own.
package cancel

import (
	"context"
	"errors"
	"time"
)

type ferry interface {
	Cross(ctx context.Context) error
}

var errStorm = errors.New("storm")

func deferred(ctx context.Context, f ferry) (err error) {
	for range 5 {
		crossing, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `deferred until the function returns`
		if err = f.Cross(crossing); err == nil {
			return nil
		}
	}
	return err
}

func deferredLiteral(ctx context.Context, f ferry) (err error) {
	for range 5 {
		crossing, cancel := context.WithDeadline(ctx, time.Now().Add(time.Second))
		defer func() { cancel() }() // want `deferred until the function returns`
		if err = f.Cross(crossing); err == nil {
			return nil
		}
	}
	return err
}

func assigned(ctx context.Context, f ferry) (err error) {
	var cancel context.CancelFunc
	for range 5 {
		var crossing context.Context
		crossing, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel() // want `deferred until the function returns`
		if err = f.Cross(crossing); !errors.Is(err, errStorm) {
			return err
		}
	}
	return err
}

func called(ctx context.Context, f ferry) (err error) {
	for range 5 {
		crossing, cancel := context.WithTimeout(ctx, time.Second)
		err = f.Cross(crossing)
		cancel()
		if err == nil {
			return nil
		}
	}
	return err
}

func inFunction(ctx context.Context, f ferry) (err error) {
	for range 5 {
		err = func() error {
			crossing, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return f.Cross(crossing)
		}()
		if err == nil {
			return nil
		}
	}
	return err
}

func around(ctx context.Context, f ferry) (err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for range 5 {
		if err = f.Cross(ctx); err == nil {
			return nil
		}
	}
	return err
}

// whoeverCrosses returns with the context still open: the caller goes on with what it got.
func whoeverCrosses(ctx context.Context, f ferry) (err error) {
	for range 5 {
		crossing, cancel := context.WithTimeout(ctx, time.Second)
		if err = f.Cross(crossing); err == nil {
			defer cancel()
			return nil
		}
		cancel()
	}
	return err
}

func waitUntilAfloat(ctx context.Context, f ferry) error {
	for {
		crossing, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `deferred until the function returns`
		if err := f.Cross(crossing); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func items(ctx context.Context, list []ferry) error {
	for _, f := range list {
		crossing, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if err := f.Cross(crossing); err != nil {
			return err
		}
	}
	return nil
}

func unlock(ctx context.Context, f ferry, lock func() func()) (err error) {
	for range 5 {
		release := lock()
		defer release()
		if err = f.Cross(ctx); err == nil {
			return nil
		}
	}
	return err
}

// kept has its cancel function in a variable that is read before it is set.
func kept(ctx context.Context, f ferry) (err error) {
	var cancel, before context.CancelFunc
	defer func() { before(); cancel() }()
	for range 5 {
		before = cancel
		cancel = before
		defer cancel()
		if err = f.Cross(ctx); err == nil {
			return nil
		}
	}
	return err
}
