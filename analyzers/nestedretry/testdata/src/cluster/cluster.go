// Package cluster repeats calls of a cluster with a policy that another library's variable holds.
package cluster

import (
	"context"
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
