// Package fixes has errors that can be put back.
package fixes

import (
	"context"
	"errors"
	"fmt"
	"time"
)

var errGaveUp = errors.New("gave up")

type oven interface {
	Heat(ctx context.Context, degrees int) error
}

func sentinel(ctx context.Context, o oven) error {
	for try := 1; ; try++ {
		err := o.Heat(ctx, 200)
		if err == nil {
			return nil
		}
		if try == 3 {
			return errGaveUp // want `the error of the last attempt is lost`
		}
		time.Sleep(time.Second)
	}
}

func text(ctx context.Context, o oven) error {
	var err error
	for range 3 {
		if err = o.Heat(ctx, 200); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("100% cold") // want `the error of the last attempt is lost`
}

func formatted(ctx context.Context, o oven, degrees int) error {
	var last error
	for range 3 {
		err := o.Heat(ctx, degrees)
		if err == nil {
			return nil
		}
		last = err
		time.Sleep(time.Second)
	}
	if degrees > 300 {
		return last
	}
	return fmt.Errorf("not heated to %d", degrees) // want `the error of the last attempt is lost`
}

func literal(ctx context.Context, o oven) error {
	var err error
	for range 3 {
		if err = o.Heat(ctx, 200); err == nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil // want `nil is returned as the error`
}

// outOfScope can't be fixed in one place.
func outOfScope(ctx context.Context, o oven) error {
	for range 3 {
		if err := o.Heat(ctx, 200); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errGaveUp // want `the error of the last attempt is lost`
}
