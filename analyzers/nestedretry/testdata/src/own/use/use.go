// Package use has a helper of its own around a client of its own, as a configuration tells.
package use

import (
	"context"

	"own/api"
	"own/retry"
)

// Get makes 4 × 5 attempts.
func Get(ctx context.Context, c *api.Client) (v string, err error) {
	err = retry.Do(ctx, func() error { // want `up to 20 attempts: 4 by retry\.Do in Get \(given 3 retries, which makes 4, .* × 5 by \(\*Client\)\.Get in Get \(as the configuration of retrylint says, `
		v, err = c.Get(ctx, "a")
		return err
	}, 3)
	return v, err
}

// GetOnce has a client that makes one attempt.
func GetOnce(ctx context.Context, c *api.Client) (v string, err error) {
	err = retry.Do(ctx, func() error {
		v, err = c.Once(ctx, "a")
		return err
	}, 3)
	return v, err
}

// NoRetries has a helper that makes one attempt.
func NoRetries(ctx context.Context, c *api.Client) (v string, err error) {
	err = retry.Do(ctx, func() error {
		v, err = c.Get(ctx, "a")
		return err
	}, 0)
	return v, err
}
