// Package given gives a library its operations and classifiers.
package given

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/avast/retry-go/v4"
	"github.com/failsafe-go/failsafe-go"
)

var errShoal = errors.New("shoal ahead")

type chart interface {
	sheet(ctx context.Context, n int) ([]byte, error)
}

type sheet struct{ Scale int }

func load(ctx context.Context, c chart, n int) (s sheet, err error) {
	b, err := c.sheet(ctx, n)
	if err != nil {
		return s, fmt.Errorf("sheet %d: %w", n, errShoal)
	}
	return s, json.Unmarshal(b, &s)
}

func Everything(ctx context.Context, c chart, n int) (s sheet, err error) {
	err = retry.Do(func() error { // want `every failure is repeated, up to 5 times: also what json.Unmarshal can't read`
		s, err = load(ctx, c, n)
		return err
	}, retry.Attempts(6), retry.Context(ctx))
	return s, err
}

func AllTheSame(ctx context.Context, c chart, n int) (s sheet, err error) {
	err = retry.Do(func() error { // want `every failure is repeated`
		s, err = load(ctx, c, n)
		return err
	}, retry.Attempts(6), retry.Context(ctx), retry.RetryIf(func(error) bool { return true }))
	return s, err
}

func Picked(ctx context.Context, c chart, n int) (s sheet, err error) {
	err = retry.Do(func() error {
		s, err = load(ctx, c, n)
		return err
	}, retry.Attempts(6), retry.Context(ctx), retry.RetryIf(func(err error) bool { return errors.Is(err, errShoal) }))
	return s, err
}

func Marked(ctx context.Context, c chart, n int) (s sheet, err error) {
	err = retry.Do(func() error {
		b, err := c.sheet(ctx, n)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(b, &s); err != nil {
			return retry.Unrecoverable(err)
		}
		return nil
	}, retry.Attempts(6), retry.Context(ctx))
	return s, err
}

func draw(c chart, ctx context.Context) error {
	if _, err := c.sheet(ctx, 0); err != nil {
		return fmt.Errorf("draw: %w", errShoal)
	}
	return nil
}

func Compared(ctx context.Context, c chart) error {
	return retry.Do(func() error { return draw(c, ctx) }, retry.Attempts(3), retry.Context(ctx),
		retry.RetryIf(func(err error) bool { return err == errShoal })) // want `this comparison with given.errShoal never matches`
}

func Unwatched(ctx context.Context, c chart) error {
	return retry.Do(func() error { // want `fails once the caller's context is done, and is called again`
		_, err := c.sheet(ctx, 1)
		return err
	}, retry.Attempts(3))
}

// Whoever hands the options over may hand a classifier over with them.
func handed(ctx context.Context, c chart, opts ...retry.Option) error {
	return retry.Do(func() error {
		_, err := c.sheet(ctx, 1)
		return err
	}, opts...)
}

func handedBesides(ctx context.Context, c chart, s *sheet, opt retry.Option) error {
	return retry.Do(func() error {
		b, err := c.sheet(ctx, 1)
		if err != nil {
			return err
		}
		return json.Unmarshal(b, s)
	}, retry.Attempts(8), opt)
}

func numbered(ctx context.Context, c chart, n uint) error {
	return retry.Do(func() error { // want `fails once the caller's context is done, and is called again`
		_, err := c.sheet(ctx, 1)
		return err
	}, retry.Attempts(n))
}

// An executor is made of policies that only its maker knows.
func executed[R any](ctx context.Context, executor failsafe.Executor[R], get func(context.Context) (R, error)) (R, error) {
	return executor.GetWithExecution(func(exec failsafe.Execution[R]) (R, error) {
		return get(ctx)
	})
}
