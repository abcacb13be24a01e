// Package policies leaves the bound to libraries.
package policies

import (
	"context"
	"time"

	retry "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	go_retry "github.com/sethvargo/go-retry"
)

type Ferry interface{ Cross() error }

func constant(f Ferry) error {
	return backoff.Retry(f.Cross, backoff.NewConstantBackOff(time.Second)) // want `nothing ends the attempts`
}

func withoutTime(f Ferry) error {
	b := backoff.NewExponentialBackOff()
	b.MaxElapsedTime = 0
	return backoff.Retry(func() error { return f.Cross() }, b) // want `nothing ends the attempts`
}

func anyNumber(f Ferry) error {
	return retry.Do(func() error { return f.Cross() }, retry.Attempts(0)) // want `nothing ends the attempts`
}

func inBackground(f Ferry) error {
	b := go_retry.WithCappedDuration(time.Minute, go_retry.NewExponential(time.Second))
	return go_retry.Do(context.Background(), b, func(context.Context) error { // want `nothing ends the attempts`
		return go_retry.RetryableError(f.Cross())
	})
}

// The rest is silent.

func someTime(f Ferry) error {
	return backoff.Retry(f.Cross, backoff.NewExponentialBackOff())
}

func someNumber(f Ferry) error {
	return backoff.Retry(f.Cross, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 3))
}

func withContext(ctx context.Context, f Ferry) error {
	return backoff.Retry(f.Cross, backoff.WithContext(backoff.NewConstantBackOff(time.Second), ctx))
}

type dock struct{ ctx context.Context }

func (d *dock) withField(f Ferry) error {
	return retry.Do(func() error { return f.Cross() }, retry.Attempts(0), retry.Context(d.ctx))
}

func untilDone(ctx context.Context, f Ferry) error {
	b := go_retry.WithCappedDuration(time.Minute, go_retry.NewExponential(time.Second))
	return go_retry.Do(ctx, b, func(context.Context) error { return go_retry.RetryableError(f.Cross()) })
}
