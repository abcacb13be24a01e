// Package clients nests retries around clients and libraries.
package clients

import (
	"context"
	"errors"
	"net/http"
	"time"

	retry "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	retryablehttp "github.com/hashicorp/go-retryablehttp"

	"stock"
)

// API uses a retrying client.
type API struct {
	web *retryablehttp.Client
	off *retryablehttp.Client
	std *http.Client
}

// NewAPI returns an API with three attempts, and none for off.
func NewAPI() *API {
	web := retryablehttp.NewClient()
	web.RetryMax = 2
	off := retryablehttp.NewClient()
	off.RetryMax = 0
	return &API{web: web, off: off, std: web.StandardClient()}
}

// Get repeats around it.
func (a *API) Get(url string) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = a.web.Get(url); err == nil { // want `up to 9 attempts: 3 by .* × 3 by retryablehttp in .*RetryMax 2 makes 3`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

// Off has its client's retries switched off.
func (a *API) Off(url string) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = a.off.Get(url); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

// Standard uses it through net/http.
func (a *API) Standard(url string) (resp *http.Response, err error) {
	for range 2 {
		if resp, err = a.std.Get(url); err == nil { // want `up to 6 attempts: 2 by .* × 3 by retryablehttp`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

// Default leaves the client as it comes.
func Default(url string) (resp *http.Response, err error) {
	c := retryablehttp.NewClient()
	for range 2 {
		if resp, err = c.Get(url); err == nil { // want `up to 10 attempts: 2 by .* × 5 by retryablehttp in .*its default`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

// Library repeats with retry-go.
func (a *API) Library(url string) error {
	return retry.Do(func() error { // want `up to 12 attempts: 4 by retry-go in .* × 3 by retryablehttp`
		_, err := a.web.Get(url)
		return err
	}, retry.Attempts(4))
}

// LibraryDefault makes ten.
func (a *API) LibraryDefault(ctx context.Context, url string) error {
	return retry.Do(func() error { // want `up to 30 attempts: 10 by retry-go in .* × 3 by retryablehttp`
		_, err := a.web.Get(url)
		return err
	}, retry.Context(ctx))
}

// LibraryOnce makes one.
func (a *API) LibraryOnce(url string) error {
	return retry.Do(func() error {
		_, err := a.web.Get(url)
		return err
	}, retry.Attempts(1))
}

// Permanent gives up on what the client gives up on.
func (a *API) Permanent(url string) error {
	return backoff.Retry(func() error {
		_, err := a.web.Get(url)
		if err != nil {
			return backoff.Permanent(err)
		}
		return nil
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
}

// PermanentSometimes gives up on some of it.
func (a *API) PermanentSometimes(url string) error {
	return backoff.Retry(func() error { // want `up to 9 attempts: 3 by backoff in`
		_, err := a.web.Get(url)
		if errors.Is(err, stock.ErrGone) {
			return backoff.Permanent(err)
		}
		return err
	}, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
}

// Unrecoverable is the mark of another library.
func (a *API) Unrecoverable(url string) error {
	return retry.Do(func() error {
		if _, err := a.web.Get(url); err != nil {
			return retry.Unrecoverable(err)
		}
		return nil
	}, retry.Attempts(3))
}

// OtherMark is the mark of a library that doesn't repeat here.
func (a *API) OtherMark(url string) error {
	return retry.Do(func() error { // want `up to 9 attempts: 3 by retry-go`
		if _, err := a.web.Get(url); err != nil {
			return backoff.Permanent(err)
		}
		return nil
	}, retry.Attempts(3))
}

// TwoLibraries nests one in the other.
func TwoLibraries(ctx context.Context, op func(context.Context) error) error {
	return retry.Do(func() error { // want `up to 9 attempts: 3 by retry-go .* × 3 by backoff`
		return backoff.Retry(func() error { return op(ctx) }, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2))
	}, retry.Attempts(3))
}

// ByTime has a time limit only.
func (a *API) ByTime(url string) error {
	return backoff.Retry(func() error { // want `up to n × 3 attempts: n by backoff in .* × 3 by retryablehttp`
		_, err := a.web.Get(url)
		return err
	}, backoff.NewExponentialBackOff())
}
