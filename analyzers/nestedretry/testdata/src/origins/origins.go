// Package origins has places of each kind; the comment beside a place is the origin that is told of it.
package origins

import (
	"context"
	"net/http"
	"time"

	retry "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	retryablehttp "github.com/hashicorp/go-retryablehttp"
	vault "github.com/hashicorp/vault/api"
	"github.com/samber/lo"
)

// Loops.

func Loop(op func() error) (err error) {
	for range 3 { // 3 attempts by the loop
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func Parameter(attempts int, op func() error) (err error) {
	for range attempts { // `attempts` attempts by the loop
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func Endless(op func() error) {
	for { // unlimited attempts by the loop (without an end)
		if err := op(); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

func Deadline(ctx context.Context, op func() error) error {
	for { // unlimited attempts by the loop (until its context is done)
		if err := op(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func Elapsed(op func() error) (err error) {
	for start := time.Now(); time.Since(start) < time.Minute; { // n attempts by the loop (n: as many as fit into its time limit)
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Twice(ping func() error) error {
	err := ping() // 2 attempts by the second attempt
	if err != nil {
		time.Sleep(time.Second)
		err = ping()
	}
	return err
}

// Helpers and libraries.

func Helper(ping func() error) error {
	return Parameter(4, func() error { return ping() }) // 4 attempts by origins.Parameter, whose loop is at origins/origins.go:28
}

func ByDefault(op func() error) error {
	return retry.Do(op) // 10 attempts by retry-go (its default)
}

func Option(op func() error) error {
	return retry.Do(op, retry.Attempts(3)) // 3 attempts by retry-go (Attempts 3 makes 3)
}

func OptionParameter(n uint, op func() error) error {
	return retry.Do(op, retry.Attempts(n)) // `n` attempts by retry-go (set by Attempts)
}

func Zero(op func() error) error {
	return retry.Do(op, retry.Attempts(0)) // unlimited attempts by retry-go (Attempts 0 makes unlimited attempts)
}

func Retries(op backoff.Operation) error {
	return backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 4)) // 5 attempts by backoff (WithMaxRetries 4 makes 5)
}

func Policy(op backoff.Operation, policy backoff.BackOff) error {
	return backoff.Retry(op, policy) // `policy` attempts by backoff (as many as that policy allows)
}

func Argument(op func(int) error) error {
	_, err := lo.Attempt(3, op) // 3 attempts by lo (given 3, which makes 3)
	return err
}

// Clients.

func Client(url string) {
	c := retryablehttp.NewClient() // 4 attempts by retryablehttp (RetryMax 3 makes 4)
	c.RetryMax = 3
	c.Get(url) // 4 attempts by retryablehttp (RetryMax 3 makes 4)
}

func Off(url string) {
	c := retryablehttp.NewClient() // 1 attempt by retryablehttp (RetryMax 0 makes 1)
	c.RetryMax = 0
	c.Get(url) // 1 attempt by retryablehttp (RetryMax 0 makes 1)
}

// A client whose HTTP client retries as well.

func Layers() error {
	web := retryablehttp.NewClient() // 5 attempts by retryablehttp (its default)
	cfg := vault.DefaultConfig()
	cfg.HttpClient = web.StandardClient()
	c, err := vault.NewClient(cfg) // 3 attempts by Vault API (MaxRetries 2 makes 3) × 5 by retryablehttp (its default)
	if err != nil {
		return err
	}
	_, err = c.Logical().Read("secret/a") // 3 attempts by Vault API (MaxRetries 2 makes 3) × 5 by retryablehttp (its default)
	return err
}

func Standard(url string) {
	web := retryablehttp.NewClient() // 2 attempts by retryablehttp (RetryMax 1 makes 2)
	web.RetryMax = 1
	web.StandardClient().Get(url) // 1 attempt by net/http (its default) × 2 by retryablehttp (RetryMax 1 makes 2)
}

// A transport of the package's own around it.

type twice struct{ next http.RoundTripper }

func (t *twice) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for range 2 { // 2 attempts by the loop
		if resp, err = t.next.RoundTrip(req); err == nil {
			return resp, nil
		}
	}
	return resp, err
}

func Own() error {
	cfg := vault.DefaultConfig()
	cfg.HttpClient = &http.Client{Transport: &twice{http.DefaultTransport}}
	c, err := vault.NewClient(cfg) // 3 attempts by Vault API (MaxRetries 2 makes 3) × 2 by the loop in (*twice).RoundTrip (origins/origins.go:151)
	if err != nil {
		return err
	}
	_, err = c.Logical().Delete("secret/a") // 3 attempts by Vault API (MaxRetries 2 makes 3) × 2 by the loop in (*twice).RoundTrip (origins/origins.go:151)
	return err
}
