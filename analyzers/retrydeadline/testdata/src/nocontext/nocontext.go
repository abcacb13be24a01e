// Package nocontext repeats without the context in scope, and with it.
package nocontext

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	"throttle"
)

type mint interface {
	Strike(ctx context.Context, coin string) error
}

var errHot = errors.New("too hot")

func library(ctx context.Context, m mint) error {
	return retry.Do(func() error { return m.Strike(ctx, "crown") }, retry.Attempts(3)) // want `retry-go's retry.Do isn't given ctx, and waits on when that is done; retry.Context takes one`
}

func libraryWithContext(ctx context.Context, m mint) error {
	return retry.Do(func() error { return m.Strike(ctx, "crown") }, retry.Attempts(3), retry.Context(ctx))
}

func libraryWithoutScope(m mint) error {
	return retry.Do(func() error { return m.Strike(context.TODO(), "crown") }, retry.Attempts(3))
}

func libraryWithGivenOptions(ctx context.Context, m mint, opts ...retry.Option) error {
	return retry.Do(func() error { return m.Strike(ctx, "crown") }, opts...)
}

var options = []retry.Option{retry.Attempts(7)}

func libraryWithVariable(ctx context.Context, m mint) error {
	return retry.Do(func() error { return m.Strike(ctx, "crown") }, options...) // want `isn't given ctx`
}

func optionsWith(ctx context.Context) []retry.Option {
	return []retry.Option{retry.Attempts(7), retry.Context(ctx)}
}

func libraryWithHelper(ctx context.Context, m mint) error {
	return retry.Do(func() error { return m.Strike(ctx, "crown") }, optionsWith(ctx)...)
}

func policy(ctx context.Context, m mint) error {
	return backoff.Retry(func() error { return m.Strike(ctx, "crown") }, backoff.NewExponentialBackOff()) // want `backoff's backoff.Retry isn't given ctx, and waits on when that is done; backoff.WithContext takes one`
}

func policyWithRetries(ctx context.Context, m mint) error {
	b := backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 4)
	return backoff.Retry(func() error { return m.Strike(ctx, "crown") }, b) // want `isn't given ctx`
}

func policyWithContext(ctx context.Context, m mint) error {
	b := backoff.WithContext(backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 4), ctx)
	return backoff.Retry(func() error { return m.Strike(ctx, "crown") }, b)
}

func policyContextInside(ctx context.Context, m mint) error {
	b := backoff.WithMaxRetries(backoff.WithContext(backoff.NewExponentialBackOff(), ctx), 4)
	return backoff.Retry(func() error { return m.Strike(ctx, "crown") }, b)
}

func policyGiven(ctx context.Context, m mint, b backoff.BackOff) error {
	return backoff.Retry(func() error { return m.Strike(ctx, "crown") }, b)
}

func helperWithTwin(ctx context.Context, m mint) error {
	return throttle.Retry(func() error { return m.Strike(ctx, "crown") }, 3) // want `throttle.Retry isn't given ctx, and waits on when that is done; throttle.RetryContext takes one`
}

func twin(ctx context.Context, m mint) error {
	return throttle.RetryContext(ctx, func(ctx context.Context) error { return m.Strike(ctx, "crown") }, 3)
}

func twinOfNobody(ctx context.Context, m mint) error {
	return throttle.RetryContext(context.Background(), func(context.Context) error { return m.Strike(ctx, "crown") }, 3) // want `isn't given ctx`
}

func helperAlone(ctx context.Context, m mint) error {
	return throttle.Only(func() error { return m.Strike(ctx, "crown") }, 3)
}

func request(ctx context.Context, url string) (resp *http.Response, err error) {
	for range 3 {
		req, err := http.NewRequest(http.MethodGet, url, nil) // want `the attempt calls http.NewRequest without a context although ctx is in scope; http.NewRequestWithContext takes one`
		if err != nil {
			return nil, err
		}
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp, nil
		}
		if !pause(ctx) {
			return nil, ctx.Err()
		}
	}
	return nil, errHot
}

func requestBoundLater(ctx context.Context, url string) (resp *http.Response, err error) {
	for range 3 {
		req, err := http.NewRequest(http.MethodGet, url, nil)
		if err != nil {
			return nil, err
		}
		if resp, err = http.DefaultClient.Do(req.WithContext(ctx)); err == nil {
			return resp, nil
		}
		if !pause(ctx) {
			return nil, ctx.Err()
		}
	}
	return nil, errHot
}

func requestReused(ctx context.Context, url string) (resp *http.Response, err error) {
	req, err := http.NewRequest(http.MethodGet, url, nil) // want `the attempt calls http.NewRequest without a context`
	if err != nil {
		return nil, err
	}
	for range 3 {
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp, nil
		}
		if !pause(ctx) {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

func plainGet(ctx context.Context, url string) error {
	return throttle.RetryContext(ctx, func(context.Context) error {
		resp, err := http.Get(url) // want `the attempt calls http.Get without a context although ctx is in scope`
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, 3)
}

func query(ctx context.Context, db *sql.DB) (err error) {
	for range 3 {
		if _, err = db.Exec("VACUUM"); err == nil { // want `the attempt calls .*Exec without a context although ctx is in scope; ExecContext takes one`
			return nil
		}
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func transaction(ctx context.Context, db *sql.DB) (err error) {
	for range 3 {
		if err = once(ctx, db); err == nil {
			return nil
		}
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func once(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.Exec("DELETE FROM t WHERE id = 1"); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func deep(ctx context.Context, url string) (err error) {
	for range 3 {
		if err = fetch(url); err == nil { // want `the attempt ends up calling http.Get without a context although ctx is in scope`
			return nil
		}
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func fetch(url string) error { return read(url) }

func read(url string) error {
	resp, err := http.Get(url)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func command(ctx context.Context) (err error) {
	for range 3 {
		if err = exec.Command("sync").Run(); err == nil { // want `the attempt calls exec.Command without a context`
			return nil
		}
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func logged(ctx context.Context, m mint) (err error) {
	for range 3 {
		if err = m.Strike(ctx, "crown"); err == nil {
			return nil
		}
		slog.Info("struck out", "err", err)
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

type store struct{}

func (store) Put(key string) error                               { return nil }
func (store) PutWithContext(ctx context.Context, k string) error { return nil }

type depot interface {
	Load(key string) error
	LoadContext(ctx context.Context, key string) error
}

func methodTwin(ctx context.Context, d depot) (err error) {
	for range 3 {
		if err = d.Load("crown"); err == nil { // want `the attempt calls Load without a context although ctx is in scope; LoadContext takes one`
			return nil
		}
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// report tells of the failure: it isn't what is repeated.
func report(ctx context.Context, m mint) (err error) {
	for range 3 {
		if err = m.Strike(ctx, "crown"); err == nil {
			return nil
		}
		if resp, err := http.Post("http://log.example", "text/plain", strings.NewReader("failed")); err == nil {
			resp.Body.Close()
		}
		if !pause(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func pause(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Second):
		return true
	}
}

func again(tries int, op func() error) (err error) {
	for range tries {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func ownHelper(ctx context.Context, m mint) error {
	return again(3, func() error { return m.Strike(ctx, "crown") }) // want `nocontext.again isn't given ctx, and waits on when that is done`
}

func ownHelperWithoutScope(m mint) error {
	return again(3, func() error { return m.Strike(context.TODO(), "crown") })
}
