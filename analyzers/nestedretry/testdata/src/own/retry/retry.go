// Package retry is a helper whose body doesn't show what it does.
package retry

import "context"

var run func(ctx context.Context, op func() error, retries int) error

// Register sets what Do runs.
func Register(f func(ctx context.Context, op func() error, retries int) error) { run = f }

// Do executes op up to retries+1 times.
func Do(ctx context.Context, op func() error, retries int) error { return run(ctx, op, retries) }
