package calibration

import (
	"context"
	"net/http"
	"testing"

	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
)

var unavailable = behindHTTP(http.StatusServiceUnavailable, nil)

func TestRetryableHTTP(t *testing.T) {
	client := look(t, "github.com/hashicorp/go-retryablehttp", "Client")
	get := func(change func(*retryablehttp.Client)) call {
		return func(ctx context.Context, d *dependency) error {
			c := retryablehttp.NewClient()
			c.Logger = nil
			change(c)
			return getWith(ctx, c.StandardClient(), d)
		}
	}
	retryMax := func(n int) measurement {
		return measurement{named("RetryMax", n), client.with("RetryMax", n),
			get(func(c *retryablehttp.Client) { c.RetryMax = n })}
	}
	calibrate(t, unavailable, []measurement{
		{"default", client.byDefault(), get(func(*retryablehttp.Client) {})},
		retryMax(2), retryMax(1), retryMax(0), retryMax(-1),
	})
}

// getWith sends one request through an HTTP client.
func getWith(ctx context.Context, client *http.Client, d *dependency) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}

func TestResty(t *testing.T) {
	client := look(t, "github.com/go-resty/resty/v2", "Client")
	get := func(change func(*resty.Client)) call {
		return func(ctx context.Context, d *dependency) error {
			c := resty.New().SetLogger(silent{})
			change(c)
			_, err := c.R().SetContext(ctx).Get(d.url)
			return err
		}
	}
	retryCount := func(n int) measurement {
		return measurement{named("SetRetryCount", n), client.after("(*Client).SetRetryCount", n),
			get(func(c *resty.Client) { c.SetRetryCount(n) })}
	}
	calibrate(t, hangingUp, []measurement{
		{"default", client.byDefault(), get(func(*resty.Client) {})},
		retryCount(2), retryCount(1), retryCount(0), retryCount(-1),
	})
}

// TestRestyStatus shows what the catalogue's note says: a status is no failure for resty.
func TestRestyStatus(t *testing.T) {
	look(t, "github.com/go-resty/resty/v2", "Client")
	calibrate(t, unavailable, []measurement{
		{"SetRetryCount 2", claim{attempts: "1"}, func(ctx context.Context, d *dependency) error {
			_, err := resty.New().SetRetryCount(2).R().SetContext(ctx).Get(d.url)
			return err
		}},
	})
}

func TestRestyBackoff(t *testing.T) {
	options := look(t, "github.com/go-resty/resty/v2", "Options")
	backoff := func(o ...resty.Option) call {
		return func(_ context.Context, d *dependency) error {
			return resty.Backoff(func() (*resty.Response, error) { return nil, d.ask() }, o...)
		}
	}
	calibrate(t, inProcess, []measurement{
		{"default", options.byDefault(), backoff()},
		{"Retries 1", options.after("Retries", 1), backoff(resty.Retries(1))},
		{"Retries 0", options.after("Retries", 0), backoff(resty.Retries(0))},
		{"Retries -1", options.after("Retries", -1), backoff(resty.Retries(-1))},
	})
}

// silent logs nothing: here, every attempt would be told.
type silent struct{}

func (silent) Errorf(string, ...any) {}
func (silent) Warnf(string, ...any)  {}
func (silent) Debugf(string, ...any) {}
