package calibration

import (
	"context"
	"testing"
	"time"

	rican "github.com/Rican7/retry"
	"github.com/Rican7/retry/strategy"
	avast5 "github.com/avast/retry-go/v5"
	groove "github.com/codeGROOVE-dev/retry"
	lancet "github.com/duke-git/lancet/v2/retry"
	"github.com/eapache/go-resiliency/retrier"
	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	flowchartsman "github.com/flowchartsman/retry"
	dskit "github.com/grafana/dskit/backoff"
	"github.com/juju/clock"
	juju "github.com/juju/retry"
	kamilsk "github.com/kamilsk/retry/v5"
	kamilskstrategy "github.com/kamilsk/retry/v5/strategy"
	lestrrat "github.com/lestrrat-go/backoff/v2"
	"github.com/matryer/try"
	"github.com/samber/lo"
	goresilience "github.com/slok/goresilience/retry"
	rogpeppe "gopkg.in/retry.v1"
)

func TestAvastV5(t *testing.T) {
	retrier := look(t, "github.com/avast/retry-go/v5", "Retrier")
	do := func(options ...avast5.Option) call {
		return func(ctx context.Context, d *dependency) error {
			return avast5.New(append(options, avast5.Context(ctx), avast5.MaxDelay(maxDelay))...).Do(d.ask)
		}
	}
	calibrate(t, inProcess, []measurement{
		{"default", retrier.byDefault(), do()},
		{"Attempts 3", retrier.after("Attempts", 3), do(avast5.Attempts(3))},
		{"Attempts 0", retrier.after("Attempts", 0), do(avast5.Attempts(0))},
		{"UntilSucceeded", retrier.after("UntilSucceeded", 0), do(avast5.UntilSucceeded())},
	})
}

func TestCodeGroove(t *testing.T) {
	config := look(t, "github.com/codeGROOVE-dev/retry", "Config")
	do := func(options ...groove.Option) call {
		return func(_ context.Context, d *dependency) error {
			return groove.Do(d.ask, append(options, groove.MaxDelay(maxDelay))...)
		}
	}
	calibrate(t, inProcess, []measurement{
		{"default", config.byDefault(), do()},
		{"Attempts 3", config.after("Attempts", 3), do(groove.Attempts(3))},
		{"Attempts 0", config.after("Attempts", 0), do(groove.Attempts(0))},
	})
}

func TestEapache(t *testing.T) {
	delays := look(t, "github.com/eapache/go-resiliency/retrier", "delays")
	retries := look(t, "github.com/eapache/go-resiliency/retrier", "retrier.Retrier")
	constant := func(n int) measurement {
		return measurement{named("ConstantBackoff", n), delays.after("retrier.ConstantBackoff", n),
			func(_ context.Context, d *dependency) error {
				return retrier.New(retrier.ConstantBackoff(n, time.Second), nil).Run(d.ask)
			}}
	}
	calibrate(t, inProcess, []measurement{
		constant(3), constant(0),
		{"WithInfiniteRetry", retries.after("(*retrier.Retrier).WithInfiniteRetry", 0),
			func(_ context.Context, d *dependency) error {
				return retrier.New(retrier.ConstantBackoff(1, time.Second), nil).WithInfiniteRetry().Run(d.ask)
			}},
	})
}

func TestFailsafe(t *testing.T) {
	policy := look(t, "github.com/failsafe-go/failsafe-go", "retrypolicy.RetryPolicy")
	run := func(build func(retrypolicy.Builder[any]) retrypolicy.Builder[any]) call {
		return func(ctx context.Context, d *dependency) error {
			policy := build(retrypolicy.NewBuilder[any]()).Build()
			return failsafe.With[any](policy).WithContext(ctx).Run(d.ask)
		}
	}
	retries := func(n int) measurement {
		return measurement{named("retries", n), policy.with("retries", n),
			run(func(b retrypolicy.Builder[any]) retrypolicy.Builder[any] { return b.WithMaxRetries(n) })}
	}
	attempts := func(n int) measurement {
		return measurement{named("attempts", n), policy.with("attempts", n),
			run(func(b retrypolicy.Builder[any]) retrypolicy.Builder[any] { return b.WithMaxAttempts(n) })}
	}
	calibrate(t, inProcess, []measurement{
		{"default", policy.byDefault(), run(func(b retrypolicy.Builder[any]) retrypolicy.Builder[any] { return b })},
		retries(3), retries(0), retries(-1),
		attempts(3), attempts(0), attempts(-1),
	})
}

func TestLestrrat(t *testing.T) {
	policy := look(t, "github.com/lestrrat-go/backoff/v2", "Policy")
	loop := func(policy func() lestrrat.Policy) call {
		return func(ctx context.Context, d *dependency) (err error) {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			for backoff := policy().Start(ctx); lestrrat.Continue(backoff); {
				if err = d.ask(); err == nil {
					return nil
				}
			}
			return err
		}
	}
	retries := func(n int) measurement {
		return measurement{named("WithMaxRetries", n), policy.after("WithMaxRetries", n),
			loop(func() lestrrat.Policy { return lestrrat.Exponential(lestrrat.WithMaxRetries(n)) })}
	}
	calibrate(t, inProcess, []measurement{
		{"default", policy.byDefault(), loop(func() lestrrat.Policy { return lestrrat.Constant() })},
		retries(3), retries(0), retries(-1),
		{"Null", look(t, "github.com/lestrrat-go/backoff/v2", "nullPolicy").byDefault(), loop(lestrrat.Null)},
	})
}

func TestStrategies(t *testing.T) {
	rican7 := look(t, "github.com/Rican7/retry", "strategies")
	kam := look(t, "github.com/kamilsk/retry/v5", "strategies")
	ricanRetry := func(strategies ...strategy.Strategy) call {
		return func(_ context.Context, d *dependency) error {
			return rican.Retry(func(uint) error { return d.ask() }, strategies...)
		}
	}
	kamilskDo := func(strategies ...func(kamilsk.Breaker, uint, error) bool) call {
		return func(ctx context.Context, d *dependency) error {
			return kamilsk.Do(ctx, func(context.Context) error { return d.ask() }, strategies...)
		}
	}
	calibrate(t, inProcess, []measurement{
		{"Rican7 default", rican7.byDefault(), ricanRetry()},
		{"Rican7 Limit 3", rican7.after("strategy.Limit", 3), ricanRetry(strategy.Limit(3))},
		{"Rican7 Limit 0", rican7.after("strategy.Limit", 0), ricanRetry(strategy.Limit(0))},
		{"kamilsk default", kam.byDefault(), kamilskDo()},
		{"kamilsk Limit 3", kam.after("strategy.Limit", 3), kamilskDo(kamilskstrategy.Limit(3))},
		{"kamilsk Limit 0", kam.after("strategy.Limit", 0), kamilskDo(kamilskstrategy.Limit(0))},
	})
}

func TestJuju(t *testing.T) {
	args := look(t, "github.com/juju/retry", "CallArgs")
	attempts := func(n int) measurement {
		return measurement{named("Attempts", n), args.with("Attempts", n), func(_ context.Context, d *dependency) error {
			return juju.Call(juju.CallArgs{Func: d.ask, Attempts: n, Delay: time.Second, Clock: clock.WallClock})
		}}
	}
	calibrate(t, inProcess, []measurement{attempts(3), attempts(0), attempts(-1)})
}

func TestFlowchartsman(t *testing.T) {
	policy := look(t, "github.com/flowchartsman/retry", "Retrier")
	tries := func(n int) measurement {
		return measurement{named("NewRetrier", n), policy.after("NewRetrier", n), func(_ context.Context, d *dependency) error {
			return flowchartsman.NewRetrier(n, time.Second, time.Minute).Run(d.ask)
		}}
	}
	calibrate(t, inProcess, []measurement{
		{"default", policy.byDefault(), func(_ context.Context, d *dependency) error {
			return new(flowchartsman.Retrier).Run(d.ask)
		}},
		tries(3), tries(0), tries(-1),
	})
}

func TestDskit(t *testing.T) {
	config := look(t, "github.com/grafana/dskit/backoff", "backoff.Config")
	retries := func(n int) measurement {
		return measurement{named("MaxRetries", n), config.with("MaxRetries", n), func(ctx context.Context, d *dependency) error {
			backoff := dskit.New(ctx, dskit.Config{MinBackoff: time.Second, MaxBackoff: time.Minute, MaxRetries: n})
			for backoff.Ongoing() {
				if d.ask() == nil {
					return nil
				}
				backoff.Wait()
			}
			return backoff.Err()
		}}
	}
	calibrate(t, inProcess, []measurement{retries(3), retries(0), retries(-1)})
}

func TestRogpeppe(t *testing.T) {
	policy := look(t, "gopkg.in/retry.v1", "Strategy")
	count := func(n int) measurement {
		return measurement{named("LimitCount", n), policy.after("LimitCount", n), func(_ context.Context, d *dependency) (err error) {
			strategy := rogpeppe.LimitCount(n, rogpeppe.Exponential{Initial: time.Second})
			for attempt := rogpeppe.Start(strategy, nil); attempt.Next(); {
				if err = d.ask(); err == nil {
					return nil
				}
			}
			return err
		}}
	}
	calibrate(t, inProcess, []measurement{count(3), count(1), count(0), count(-1)})
}

// TestFunctions has the libraries that are one function.
func TestFunctions(t *testing.T) {
	attempts := look(t, "github.com/samber/lo", "attempts")
	attempt := func(n int) measurement {
		return measurement{named("lo.Attempt", n), attempts.with("count", n), func(_ context.Context, d *dependency) error {
			_, err := lo.Attempt(n, func(int) error { return d.ask() })
			return err
		}}
	}
	times := look(t, "github.com/slok/goresilience", "retry.Config")
	resilience := func(n int) measurement {
		return measurement{named("goresilience Times", n), times.with("Times", n), func(ctx context.Context, d *dependency) error {
			runner := goresilience.New(goresilience.Config{Times: n})
			return runner.Run(ctx, func(context.Context) error { return d.ask() })
		}}
	}
	config := look(t, "github.com/duke-git/lancet/v2/retry", "retry.RetryConfig")
	retry := func(options ...lancet.Option) call {
		return func(_ context.Context, d *dependency) error { return lancet.Retry(d.ask, options...) }
	}
	calibrate(t, inProcess, []measurement{
		attempt(3), attempt(0), attempt(-1),
		resilience(5), resilience(0), resilience(-1),
		{"try", look(t, "github.com/matryer/try", "call").byDefault(), func(_ context.Context, d *dependency) error {
			return try.Do(func(int) (bool, error) { return true, d.ask() })
		}},
		{"lancet default", config.byDefault(), retry()},
		{"lancet RetryTimes 3", config.after("retry.RetryTimes", 3), retry(lancet.RetryTimes(3))},
		{"lancet RetryTimes 0", config.after("retry.RetryTimes", 0), retry(lancet.RetryTimes(0))},
	})
}
