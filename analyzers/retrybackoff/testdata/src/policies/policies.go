// Package policies leaves the waits to libraries.
package policies

import (
	"context"
	"net/http"
	"time"

	retry "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	go_retry "github.com/sethvargo/go-retry"
)

type Pier struct {
	hc *http.Client
	bo backoff.BackOff
}

func New(hc *http.Client) *Pier { return &Pier{hc, backoff.NewExponentialBackOff()} }

func (p *Pier) moor(url string) error {
	resp, err := p.hc.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (p *Pier) Constant(url string) error {
	op := func() error { return p.moor(url) }
	return backoff.Retry(op, backoff.WithMaxRetries(backoff.NewConstantBackOff(time.Second), 5)) // want `no random part`
}

func (p *Pier) Zero(url string) error {
	op := func() error { return p.moor(url) }
	return backoff.Retry(op, backoff.WithMaxRetries(&backoff.ZeroBackOff{}, 5)) // want `without a wait`
}

func (p *Pier) ConstantlyZero(url string) error {
	op := func() error { return p.moor(url) }
	return backoff.Retry(op, backoff.WithMaxRetries(backoff.NewConstantBackOff(0), 5)) // want `without a wait`
}

func (p *Pier) Common(url string) error {
	op := func() error { return p.moor(url) }
	return backoff.Retry(op, p.bo) // want `bo is one policy for all calls`
}

var common = backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 4)

func (p *Pier) Shared(ctx context.Context, url string) error {
	op := func() error { return p.moor(url) }
	return backoff.Retry(op, backoff.WithContext(common, ctx)) // want `common is one policy for all calls`
}

func (p *Pier) Fixed(url string) error {
	return retry.Do(func() error { return p.moor(url) }, retry.DelayType(retry.FixedDelay)) // want `no random part`
}

func (p *Pier) Growing(ctx context.Context, url string) error {
	return retry.Do(func() error { return p.moor(url) }, retry.Attempts(0), retry.Context(ctx)) // want `grows without a maximum`
}

func (p *Pier) Exponential(ctx context.Context, url string) error {
	b := go_retry.WithJitterPercent(20, go_retry.NewExponential(time.Second))
	return go_retry.Do(ctx, b, func(context.Context) error { // want `grows without a maximum`
		return go_retry.RetryableError(p.moor(url))
	})
}

// The rest is silent.

func (p *Pier) Own(ctx context.Context, url string) error {
	op := func() error { return p.moor(url) }
	return backoff.Retry(op, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
}

func (p *Pier) Combined(url string) error {
	return retry.Do(func() error { return p.moor(url) }, retry.DelayType(retry.CombineDelay(retry.FixedDelay, retry.RandomDelay)))
}

func (p *Pier) Limited(ctx context.Context, url string) error {
	return retry.Do(func() error { return p.moor(url) }, retry.Attempts(0), retry.Context(ctx), retry.MaxDelay(time.Minute))
}

func (p *Pier) Capped(ctx context.Context, url string) error {
	b := go_retry.WithCappedDuration(time.Minute, go_retry.WithJitterPercent(20, go_retry.NewExponential(time.Second)))
	return go_retry.Do(ctx, b, func(context.Context) error { return go_retry.RetryableError(p.moor(url)) })
}

func (p *Pier) Few(ctx context.Context, url string) error {
	b := go_retry.WithMaxRetries(5, go_retry.WithJitterPercent(20, go_retry.NewExponential(time.Second)))
	return go_retry.Do(ctx, b, func(context.Context) error { return go_retry.RetryableError(p.moor(url)) })
}
