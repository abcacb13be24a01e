// Package retry stands in for k8s.io/client-go/util/retry: the catalogue knows what it does.
package retry

import "k8s.io/apimachinery/pkg/util/wait"

var (
	DefaultRetry   = wait.Backoff{Steps: 5}
	DefaultBackoff = wait.Backoff{Steps: 4}
)

func OnError(b wait.Backoff, again func(error) bool, fn func() error) error { return fn() }

func RetryOnConflict(b wait.Backoff, fn func() error) error { return fn() }
