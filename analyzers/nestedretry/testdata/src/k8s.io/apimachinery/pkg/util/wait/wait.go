// Package wait stands in for k8s.io/apimachinery/pkg/util/wait: the catalogue knows what it does.
package wait

import (
	"context"
	"time"
)

// Backoff is a policy.
type Backoff struct{ Steps int }

func PollUntilContextCancel(ctx context.Context, interval time.Duration, immediate bool, condition func(context.Context) (bool, error)) error {
	return nil
}

func ExponentialBackoff(backoff Backoff, condition func() (bool, error)) error { return nil }
