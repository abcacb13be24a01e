// Package retry is a stand-in for the library: the catalogue knows what it does.
package retry

import (
	"context"
	"time"
)

type Backoff interface{ Next() (time.Duration, bool) }

type RetryFunc func(ctx context.Context) error

func NewConstant(d time.Duration) Backoff                      { return nil }
func NewExponential(d time.Duration) Backoff                   { return nil }
func WithMaxRetries(max uint64, next Backoff) Backoff          { return nil }
func WithCappedDuration(d time.Duration, next Backoff) Backoff { return nil }
func WithJitterPercent(j uint64, next Backoff) Backoff         { return nil }
func Do(ctx context.Context, b Backoff, f RetryFunc) error     { return nil }
func RetryableError(err error) error                           { return err }
