// Package cluster repeats calls of a cluster with a policy that another library's variable holds.
package cluster

import (
	"context"
	"errors"
	"time"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

func read(get func() error) (err error) {
	for range 3 {
		if err = get(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func always(error) bool { return true }

// Labels takes the number of another library's variable.
func Labels(get func() error) error {
	return retry.OnError(retry.DefaultRetry, always, func() error { return read(get) }) // want `up to 15 attempts`
}

// Slow takes another one.
func Slow(get func() error) error {
	return retry.OnError(retry.DefaultBackoff, always, func() error { return read(get) }) // want `up to 12 attempts`
}

// Status repeats conflicts only, which what is inside doesn't end with.
func Status(get func() error) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error { return read(get) })
}

// UntilWritten uses a poll to repeat what fails.
func UntilWritten(ctx context.Context, get func() error) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) { // want `unlimited attempts`
		if err := read(get); err != nil {
			return false, nil
		}
		return true, nil
	})
}

// UntilReady polls for a state: a success isn't enough.
func UntilReady(ctx context.Context, ready func() (bool, error)) error {
	return wait.PollUntilContextCancel(ctx, time.Second, true, func(context.Context) (bool, error) {
		ok := false
		err := read(func() (err error) { ok, err = ready(); return err })
		if err != nil {
			return false, nil
		}
		return ok, nil
	})
}

var errBusy = errors.New("busy")

func busy(err error) bool { return errors.Is(err, errBusy) }

// Unasked repeats what it is never asked about: the loop inside ends with another error.
func Unasked(get func() error) error {
	return retry.OnError(retry.DefaultRetry, busy, func() error {
		if err := read(get); err != nil {
			return errors.New("not read")
		}
		return nil
	})
}

// Asked repeats what the loop inside may end with.
func Asked(get func() error) error {
	return retry.OnError(retry.DefaultRetry, busy, func() error { return read(get) }) // want `up to 15 attempts`
}

// Handed takes the classifier from its caller.
func handed(b func(error) bool, get func() error) error {
	return retry.OnError(retry.DefaultRetry, b, func() error { return read(get) })
}

// Refused gives one that says no to all.
func Refused(get func() error) error { return handed(func(error) bool { return false }, get) }

type follower struct{ followed map[string]bool }

func (f *follower) follows(group string) bool { return f.followed[group] }

// UntilFollowed polls for a state, and logs what goes wrong on the way there.
func (f *follower) UntilFollowed(group string, waiting bool, get func() error) {
	err := wait.ExponentialBackoff(wait.Backoff{Steps: 9}, func() (bool, error) {
		if err := read(get); err != nil {
			println("not read", err.Error())
		}
		if err := read(get); err != nil {
			println("not read again", err.Error())
		}
		return !waiting || group == "" || f.follows(group), nil
	})
	if err != nil {
		println("not followed")
	}
}
