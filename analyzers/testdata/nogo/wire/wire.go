// Package wire sends, and again if that fails.
package wire

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// ErrBusy says that it is worth another attempt.
var ErrBusy = errors.New("busy")

// Get asks four times at most.
func Get(ctx context.Context, url string) (resp *http.Response, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for range 4 {
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second) // want `retrydeadline.sleep` `retrybackoff.nojitter` `retrybackoff.sleepafterlast`
	}
	return nil, err
}
