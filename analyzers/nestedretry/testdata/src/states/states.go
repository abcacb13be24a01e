// Package states repeats what an operation answers with an error of its own.
package states

import (
	"context"
	"errors"
	"net/http"
	"time"

	"again"
	"limits"

	"github.com/avast/retry-go/v4"
	pkgerrors "github.com/pkg/errors"
)

var (
	errUpgrading = errors.New("upgrade in progress")
	errNotReady  = errors.New("not ready")
	errTransient = errors.New("try later")
	errThrottled = errors.New("throttled")
	errShared    = errors.New("shared")
)

type intent struct{ held bool }

func (i intent) Locked() bool { return i.held }

func read() (intent, error) { return intent{}, limits.Unchanged() }

// WaitForUpgrade goes on while somebody holds the lock: what read fails with ends it.
func WaitForUpgrade(force bool) error {
	return again.With(func() error {
		i, err := read()
		if err != nil {
			return err
		}
		if i.Locked() {
			return errUpgrading
		}
		return nil
	}, again.Options{Retries: 9, Stop: func(err error) bool { return force || !errors.Is(err, errUpgrading) }})
}

// WaitUntilReady does the same by a library.
func WaitUntilReady(ctx context.Context) error {
	return retry.Do(func() error {
		i, err := read()
		if err != nil {
			return pkgerrors.Wrap(err, "read")
		}
		if i.Locked() {
			return errNotReady
		}
		return nil
	}, retry.Context(ctx), retry.RetryIf(func(err error) bool { return pkgerrors.Is(err, errNotReady) }))
}

// Clocked asks its caller for the time, who has nothing to do with what is repeated.
type Clocked struct{ Now func() time.Time }

// Refresh repeats the reading.
func (c *Clocked) Refresh(ctx context.Context) error {
	return retry.Do(func() error { // want `up to 40 attempts`
		if c.Now().IsZero() {
			return nil
		}
		_, err := read()
		return err
	}, retry.Context(ctx))
}

// RefreshAt gives a time.
func RefreshAt(ctx context.Context, at time.Time) error {
	return (&Clocked{Now: func() time.Time { return at }}).Refresh(ctx)
}

// Translated makes the error that is repeated of a failure.
func Translated(ctx context.Context) error {
	return retry.Do(func() error { // want `up to 40 attempts`
		if _, err := read(); err != nil {
			return pkgerrors.Wrapf(errTransient, "read: %v", err)
		}
		return nil
	}, retry.Context(ctx), retry.RetryIf(func(err error) bool { return errors.Is(err, errTransient) }))
}

// ByStatus repeats what the server answers, which is a failure too.
func ByStatus(ctx context.Context, get func() (*http.Response, error)) error {
	return retry.Do(func() error { // want `up to 40 attempts`
		resp, err := get()
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode == http.StatusTooManyRequests {
			return errThrottled
		}
		return limits.Unchanged()
	}, retry.Context(ctx), retry.RetryIf(func(err error) bool { return errors.Is(err, errThrottled) }))
}

func elsewhere() error {
	if limits.Unchanged() != nil {
		return errShared
	}
	return nil
}

// Shared repeats an error that others make of failures.
func Shared(ctx context.Context) error {
	return retry.Do(func() error { // want `up to 40 attempts`
		i, err := read()
		if err != nil {
			return err
		}
		if i.Locked() {
			return errShared
		}
		return elsewhere()
	}, retry.Context(ctx), retry.RetryIf(func(err error) bool { return errors.Is(err, errShared) }))
}

// OnConflict repeats what the layer below doesn't give up with.
func OnConflict(ctx context.Context) error {
	return retry.Do(limits.Plain, retry.Context(ctx), retry.RetryIf(func(err error) bool { return errors.Is(err, limits.ErrBusy) }))
}

// OnExhausted repeats what it gives up with.
func OnExhausted(ctx context.Context) error {
	return retry.Do(limits.Plain, retry.Context(ctx), retry.RetryIf(func(err error) bool { return errors.Is(err, limits.ErrExhausted) })) // want `up to 40 attempts`
}

// Never repeats nothing.
func Never(ctx context.Context) error {
	return retry.Do(limits.Unchanged, retry.Context(ctx), retry.RetryIf(func(err error) bool { return false }))
}
