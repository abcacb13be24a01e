package usage

import (
	"context"
	"time"

	"github.com/Rican7/retry"
	"github.com/Rican7/retry/strategy"
	avast4 "github.com/avast/retry-go/v4"
	avast5 "github.com/avast/retry-go/v5"
	backoff4 "github.com/cenkalti/backoff/v4"
	backoff5 "github.com/cenkalti/backoff/v5"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/juju/clock"
	juju "github.com/juju/retry"
	"github.com/matryer/try"
	"github.com/samber/lo"
	sethvargo "github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
	kubernetes "k8s.io/client-go/util/retry"
)

func Avast4(op func() error) error { return avast4.Do(op) } // attempts: 10

func Avast4Few(ctx context.Context, op func() error) error {
	return avast4.Do(op, avast4.Context(ctx), avast4.Attempts(3), avast4.Delay(time.Second)) // attempts: 3
}

func Avast5(op func() error) error { return avast5.New(avast5.Attempts(3)).Do(op) } // attempts: 3

func Cenkalti4(op func() error) error {
	return backoff4.Retry(op, backoff4.WithMaxRetries(backoff4.NewExponentialBackOff(), 3)) // attempts: 4
}

func Cenkalti4Notify(ctx context.Context, op func() error) error {
	b := backoff4.NewExponentialBackOff()
	b.MaxElapsedTime = time.Minute
	return backoff4.RetryNotify(op, backoff4.WithContext(backoff4.WithMaxRetries(b, 2), ctx), nil) // attempts: 3
}

func Cenkalti5(ctx context.Context, op func() (int, error)) (int, error) {
	return backoff5.Retry(ctx, op, backoff5.WithMaxTries(4)) // attempts: 4
}

func Sethvargo(ctx context.Context, op func(context.Context) error) error {
	return sethvargo.Do(ctx, sethvargo.WithMaxRetries(3, sethvargo.NewExponential(time.Second)), op) // attempts: 4
}

func Juju(op func() error) error {
	return juju.Call(juju.CallArgs{Func: op, Attempts: 3, Delay: time.Second, Clock: clock.WallClock}) // attempts: 3
}

func Eapache(op func() error) error {
	return retrier.New(retrier.ConstantBackoff(3, time.Second), nil).Run(op) // attempts: 4
}

func Failsafe(op func() error) error {
	policy := retrypolicy.NewBuilder[any]().WithMaxRetries(4).Build()
	return failsafe.With(policy).Run(op)
}

func Rican(op func() error) error {
	return retry.Retry(func(uint) error { return op() }, strategy.Limit(4)) // attempts: 4
}

func Matryer(op func() error) error {
	return try.Do(func(attempt int) (bool, error) { return attempt < 5, op() }) // attempts: 10
}

func Samber(op func() error) error {
	_, err := lo.Attempt(4, func(int) error { return op() }) // attempts: 4
	return err
}

func Conflict(op func() error) error {
	return kubernetes.OnError(kubernetes.DefaultRetry, func(error) bool { return true }, op) // attempts: 5
}

func Steps(op func() error) error {
	return wait.ExponentialBackoff(wait.Backoff{Duration: time.Second, Steps: 4}, func() (bool, error) { return op() == nil, nil }) // attempts: 4
}
