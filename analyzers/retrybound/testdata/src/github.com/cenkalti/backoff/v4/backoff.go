// Package backoff is a stand-in for the library: the catalogue knows what it does.
package backoff

import (
	"context"
	"time"
)

type BackOff interface {
	NextBackOff() time.Duration
	Reset()
}

type ExponentialBackOff struct{ MaxElapsedTime time.Duration }

func (b *ExponentialBackOff) NextBackOff() time.Duration { return 0 }
func (b *ExponentialBackOff) Reset()                     {}

type ConstantBackOff struct{ Interval time.Duration }

func (b *ConstantBackOff) NextBackOff() time.Duration { return 0 }
func (b *ConstantBackOff) Reset()                     {}

type ZeroBackOff struct{}

func (b *ZeroBackOff) NextBackOff() time.Duration { return 0 }
func (b *ZeroBackOff) Reset()                     {}

type Operation func() error

func NewExponentialBackOff() *ExponentialBackOff          { return nil }
func NewConstantBackOff(d time.Duration) *ConstantBackOff { return nil }
func WithMaxRetries(b BackOff, max uint64) BackOff        { return nil }
func WithContext(b BackOff, ctx context.Context) BackOff  { return nil }
func Retry(o Operation, b BackOff) error                  { return nil }
func Permanent(err error) error                           { return nil }
