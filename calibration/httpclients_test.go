package calibration

import (
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/PuerkitoBio/rehttp"
	"github.com/gojek/heimdall/v7/httpclient"
	"github.com/imroc/req/v3"
	"github.com/sethgrid/pester"
	"github.com/valyala/fasthttp"
	"github.com/ybbus/httpretry"
)

func TestPester(t *testing.T) {
	client := look(t, "github.com/sethgrid/pester", "Client")
	get := func(change func(*pester.Client)) call {
		return func(_ context.Context, d *dependency) error {
			c := pester.New()
			change(c)
			response, err := c.Get(d.url)
			if err != nil {
				return err
			}
			return response.Body.Close()
		}
	}
	maxRetries := func(n int) measurement {
		return measurement{named("MaxRetries", n), client.with("MaxRetries", n),
			get(func(c *pester.Client) { c.MaxRetries = n })}
	}
	calibrate(t, unavailable, []measurement{
		{"New", client.after("New", 0), get(func(*pester.Client) {})},
		maxRetries(5), maxRetries(1), maxRetries(0), maxRetries(-1),
	})
}

func TestHeimdall(t *testing.T) {
	client := look(t, "github.com/gojek/heimdall/v7", "httpclient.Client")
	get := func(options ...httpclient.Option) call {
		return func(_ context.Context, d *dependency) error {
			response, err := httpclient.NewClient(options...).Get(d.url, nil)
			if err != nil || response == nil {
				return err
			}
			return response.Body.Close()
		}
	}
	retries := func(n int) measurement {
		return measurement{named("WithRetryCount", n), client.after("httpclient.WithRetryCount", n),
			get(httpclient.WithRetryCount(n))}
	}
	calibrate(t, unavailable, []measurement{
		{"default", client.byDefault(), get()},
		retries(3), retries(0), retries(-1),
	})
}

func TestRehttp(t *testing.T) {
	transport := look(t, "github.com/PuerkitoBio/rehttp", "Transport")
	get := func(repeat rehttp.RetryFn) call {
		return func(ctx context.Context, d *dependency) error {
			rt := rehttp.NewTransport(http.DefaultTransport, repeat, rehttp.ConstDelay(time.Second))
			return getWith(ctx, &http.Client{Transport: rt}, d)
		}
	}
	maxRetries := func(n int) measurement {
		return measurement{named("RetryMaxRetries", n), transport.after("RetryMaxRetries", n),
			get(rehttp.RetryAll(rehttp.RetryMaxRetries(n), rehttp.RetryStatuses(http.StatusServiceUnavailable)))}
	}
	calibrate(t, unavailable, []measurement{
		{"default", transport.byDefault(), get(rehttp.RetryStatuses(http.StatusServiceUnavailable))},
		maxRetries(3), maxRetries(0), maxRetries(-1),
	})
}

func TestHTTPRetry(t *testing.T) {
	transport := look(t, "github.com/ybbus/httpretry", "RetryRoundtripper")
	get := func(options ...httpretry.Option) call {
		return func(ctx context.Context, d *dependency) error {
			return getWith(ctx, httpretry.NewDefaultClient(options...), d)
		}
	}
	maxRetries := func(n int) measurement {
		return measurement{named("WithMaxRetryCount", n), transport.after("WithMaxRetryCount", n),
			get(httpretry.WithMaxRetryCount(n))}
	}
	calibrate(t, unavailable, []measurement{
		{"default", transport.byDefault(), get()},
		maxRetries(2), maxRetries(0), maxRetries(-1),
	})
}

func TestReq(t *testing.T) {
	request := look(t, "github.com/imroc/req/v3", "Request")
	get := func(change func(*req.Request)) call {
		return func(ctx context.Context, d *dependency) error {
			r := req.C().R().SetContext(ctx)
			change(r)
			_, err := r.Get(d.url)
			return err
		}
	}
	retries := func(n int) measurement {
		return measurement{named("SetRetryCount", n), request.after("(*Request).SetRetryCount", n),
			get(func(r *req.Request) { r.SetRetryCount(n) })}
	}
	calibrate(t, hangingUp, []measurement{
		{"default", request.byDefault(), get(func(*req.Request) {})},
		retries(2), retries(0), retries(-1),
	})
}

func TestFasthttp(t *testing.T) {
	client := look(t, "github.com/valyala/fasthttp", "Client")
	send := func(method string, attempts int) call {
		return func(_ context.Context, d *dependency) error {
			request, response := new(fasthttp.Request), new(fasthttp.Response)
			request.SetRequestURI(d.url)
			request.Header.SetMethod(method)
			c := &fasthttp.Client{
				MaxIdemponentCallAttempts: attempts,
				// fasthttp's own dialer leaves a goroutine behind that never ends.
				Dial: func(address string) (net.Conn, error) { return net.Dial("tcp", address) },
			}
			defer time.Sleep(time.Hour) // until the cleaners of idle connections end
			return c.Do(request, response)
		}
	}
	attempts := func(n int) measurement {
		return measurement{named("MaxIdemponentCallAttempts", n), client.with("MaxIdemponentCallAttempts", n),
			send(http.MethodGet, n)}
	}
	calibrate(t, hangingUp, []measurement{
		{"default", client.byDefault(), send(http.MethodGet, 0)},
		{"POST", look(t, "github.com/valyala/fasthttp", "write").byDefault(), send(http.MethodPost, 0)},
		attempts(3), attempts(1), attempts(0), attempts(-1),
	})
}
