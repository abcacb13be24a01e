package calibration

import (
	"context"
	"testing"
	"time"

	"github.com/avast/retry-go/v4"
	backoff4 "github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	"github.com/googleapis/gax-go/v2"
	sethvargo "github.com/sethvargo/go-retry"
)

func TestSethvargo(t *testing.T) {
	backoff := look(t, "github.com/sethvargo/go-retry", "Backoff")
	do := func(limit func(sethvargo.Backoff) sethvargo.Backoff) call {
		return func(ctx context.Context, d *dependency) error {
			return sethvargo.Do(ctx, limit(sethvargo.NewConstant(time.Second)), func(context.Context) error {
				return sethvargo.RetryableError(d.ask())
			})
		}
	}
	maxRetries := func(n uint64) call {
		return do(func(b sethvargo.Backoff) sethvargo.Backoff { return sethvargo.WithMaxRetries(n, b) })
	}
	calibrate(t, inProcess, []measurement{
		{"default", backoff.byDefault(), do(func(b sethvargo.Backoff) sethvargo.Backoff { return b })},
		{"WithMaxRetries 2", backoff.after("WithMaxRetries", 2), maxRetries(2)},
		{"WithMaxRetries 0", backoff.after("WithMaxRetries", 0), maxRetries(0)},
		{"WithMaxDuration", backoff.within("WithMaxDuration", 20*time.Second),
			do(func(b sethvargo.Backoff) sethvargo.Backoff { return sethvargo.WithMaxDuration(20*time.Second, b) })},
	})
}

// TestSethvargoUnmarked shows why the catalogue says that marked errors only are repeated.
func TestSethvargoUnmarked(t *testing.T) {
	look(t, "github.com/sethvargo/go-retry", "Backoff")
	calibrate(t, inProcess, []measurement{
		{"Do", claim{attempts: "1"}, func(ctx context.Context, d *dependency) error {
			return sethvargo.Do(ctx, sethvargo.NewConstant(time.Second), func(context.Context) error { return d.ask() })
		}},
	})
}

func TestCenkaltiV4(t *testing.T) {
	const path = "github.com/cenkalti/backoff/v4"
	limited := look(t, path, "BackOff")
	exponential := look(t, path, "ExponentialBackOff")
	retry := func(policy func() backoff4.BackOff) call {
		return func(_ context.Context, d *dependency) error { return backoff4.Retry(d.ask, policy()) }
	}
	maxRetries := func(n uint64) call {
		return retry(func() backoff4.BackOff { return backoff4.WithMaxRetries(backoff4.NewExponentialBackOff(), n) })
	}
	maxElapsed := func(limit time.Duration) call {
		return retry(func() backoff4.BackOff {
			return backoff4.NewExponentialBackOff(backoff4.WithMaxElapsedTime(limit))
		})
	}
	calibrate(t, inProcess, []measurement{
		{"WithMaxRetries 3", limited.after("WithMaxRetries", 3), maxRetries(3)},
		{"WithMaxRetries 0", limited.after("WithMaxRetries", 0), maxRetries(0)},
		{"NewExponentialBackOff", exponential.byDefault(),
			retry(func() backoff4.BackOff { return backoff4.NewExponentialBackOff() })},
		{"WithMaxElapsedTime 30m", exponential.within("WithMaxElapsedTime", 30*time.Minute), maxElapsed(30 * time.Minute)},
		{"WithMaxElapsedTime 0", exponential.after("WithMaxElapsedTime", 0), maxElapsed(0)},
		{"NewConstantBackOff", look(t, path, "ConstantBackOff").byDefault(),
			retry(func() backoff4.BackOff { return backoff4.NewConstantBackOff(time.Second) })},
		{"ZeroBackOff", look(t, path, "ZeroBackOff").byDefault(),
			retry(func() backoff4.BackOff { return &backoff4.ZeroBackOff{} })},
		{"StopBackOff", look(t, path, "StopBackOff").byDefault(),
			retry(func() backoff4.BackOff { return &backoff4.StopBackOff{} })},
	})
}

func TestCenkaltiV5(t *testing.T) {
	policy := look(t, "github.com/cenkalti/backoff/v5", "call")
	retry := func(options ...backoff5.RetryOption) call {
		return func(ctx context.Context, d *dependency) error {
			_, err := backoff5.Retry(ctx, func() (int, error) { return 0, d.ask() }, options...)
			return err
		}
	}
	calibrate(t, inProcess, []measurement{
		{"default", policy.byDefault(), retry()},
		{"WithMaxTries 3", policy.after("WithMaxTries", 3), retry(backoff5.WithMaxTries(3))},
		{"WithMaxTries 0", policy.after("WithMaxTries", 0), retry(backoff5.WithMaxTries(0))},
		{"WithMaxElapsedTime 30m", policy.within("WithMaxElapsedTime", 30*time.Minute),
			retry(backoff5.WithMaxElapsedTime(30 * time.Minute))},
		{"WithMaxElapsedTime 0", policy.after("WithMaxElapsedTime", 0), retry(backoff5.WithMaxElapsedTime(0))},
	})
}

// maxDelay is for libraries that double their wait for ever: at the brake, it would go beyond the end of the clock.
const maxDelay = time.Hour

func TestAvastV4(t *testing.T) {
	config := look(t, "github.com/avast/retry-go/v4", "Config")
	do := func(options ...retry.Option) call {
		return func(ctx context.Context, d *dependency) error {
			return retry.Do(d.ask, append(options, retry.Context(ctx), retry.MaxDelay(maxDelay))...)
		}
	}
	calibrate(t, inProcess, []measurement{
		{"default", config.byDefault(), do()},
		{"Attempts 3", config.after("Attempts", 3), do(retry.Attempts(3))},
		{"Attempts 1", config.after("Attempts", 1), do(retry.Attempts(1))},
		{"Attempts 0", config.after("Attempts", 0), do(retry.Attempts(0))},
		{"UntilSucceeded", config.after("UntilSucceeded", 0), do(retry.UntilSucceeded())},
	})
}

func TestGax(t *testing.T) {
	const path = "github.com/googleapis/gax-go/v2"
	invoke := func(options ...gax.CallOption) call {
		return func(ctx context.Context, d *dependency) error {
			return gax.Invoke(ctx, func(context.Context, gax.CallSettings) error { return d.ask() }, options...)
		}
	}
	always := gax.WithRetry(func() gax.Retryer { return alwaysRetryer{} })
	calibrate(t, inProcess, []measurement{
		{"default", look(t, path, "CallOption").byDefault(), invoke()},
		{"WithRetry", look(t, path, "Retryer").byDefault(), invoke(always)},
		// The catalogue's note: a time covers all attempts.
		{"WithTimeout", claim{"elapsed", 30 * time.Second}, invoke(always, gax.WithTimeout(30*time.Second))},
	})
}

// alwaysRetryer repeats on every error, which gax leaves to its callers to decide.
type alwaysRetryer struct{}

func (alwaysRetryer) Retry(error) (time.Duration, bool) { return time.Second, true }
