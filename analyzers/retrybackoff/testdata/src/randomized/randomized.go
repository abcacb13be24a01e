// Package randomized leaves the waits to libraries, and gets its random part from them.
package randomized

import (
	"context"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	other "github.com/sethvargo/go-retry"
	"k8s.io/apimachinery/pkg/util/wait"
)

type Ferry struct{ hc *http.Client }

func (f *Ferry) cross(url string) error {
	resp, err := f.hc.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func (f *Ferry) option(url string) error {
	return retry.Do(func() error { return f.cross(url) }, retry.Attempts(4), retry.DelayType(retry.FixedDelay)) // want `no random part`
}

func (f *Ferry) around(ctx context.Context, url string) error {
	b := other.WithMaxRetries(5, other.NewConstant(time.Second))
	return other.Do(ctx, b, func(context.Context) error { // want `no random part`
		return other.RetryableError(f.cross(url))
	})
}

func (f *Ferry) field(ctx context.Context, url string) error {
	return wait.ExponentialBackoffWithContext(ctx, wait.Backoff{Duration: time.Second, Factor: 2, Steps: 5}, func(context.Context) (bool, error) { // want `no random part`
		return f.cross(url) == nil, nil
	})
}

// The policy is made elsewhere: what to change isn't in sight.
func (f *Ferry) given(ctx context.Context, url string) error {
	return wait.ExponentialBackoffWithContext(ctx, steady, func(context.Context) (bool, error) { // want `no random part`
		return f.cross(url) == nil, nil
	})
}

var steady = wait.Backoff{Duration: time.Second, Factor: 2, Steps: 5}
