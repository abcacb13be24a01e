// Package retry is a stand-in for the library: the catalogue knows what it does.
package retry

import (
	"context"
	"time"
)

type (
	Config        struct{ attempts uint }
	Option        func(*Config)
	RetryableFunc func() error
	DelayTypeFunc func(n uint, err error, config *Config) time.Duration
)

func Attempts(n uint) Option                   { return nil }
func Context(ctx context.Context) Option       { return nil }
func Delay(d time.Duration) Option             { return nil }
func MaxDelay(d time.Duration) Option          { return nil }
func DelayType(f DelayTypeFunc) Option         { return nil }
func Do(f RetryableFunc, opts ...Option) error { return nil }

func FixedDelay(n uint, err error, config *Config) time.Duration  { return 0 }
func RandomDelay(n uint, err error, config *Config) time.Duration { return 0 }
func CombineDelay(delays ...DelayTypeFunc) DelayTypeFunc          { return nil }
