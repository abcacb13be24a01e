// Package jitter has delays with a random part and without.
package jitter

import (
	"context"
	"database/sql"
	"io"
	"math/rand"
	"net/http"
	"os"
	"time"
)

type Station struct {
	http  *http.Client
	db    *sql.DB
	pause time.Duration
}

func (s *Station) get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func (s *Station) Constant(ctx context.Context, url string) (err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			time.Sleep(2 * time.Second) // want `no random part`
		}
		if err = s.get(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

func (s *Station) Configured(ctx context.Context, q string) (err error) {
	for i := 0; i < 5; i++ {
		if _, err = s.db.ExecContext(ctx, q); err == nil || i == 4 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.pause << i): // want `no random part`
		}
	}
	return err
}

func delay(i int) time.Duration { return min(time.Second<<i, time.Minute) }

func jittered(i int) time.Duration {
	d := delay(i)
	return d/2 + time.Duration(rand.Int63n(int64(d)))
}

func (s *Station) ByFunction(ctx context.Context, url string) (err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			time.Sleep(delay(i)) // want `no random part`
		}
		if err = s.get(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

// The rest is silent.

func (s *Station) Jittered(ctx context.Context, url string) (err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			time.Sleep(jittered(i))
		}
		if err = s.get(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

func (s *Station) JitteredLater(ctx context.Context, url string) (err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			d := delay(i)
			d += time.Duration(rand.Float64() * float64(d))
			time.Sleep(d)
		}
		if err = s.get(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

// Once has one wait only.
func (s *Station) Once(ctx context.Context, url string) (err error) {
	for i := 0; i < 2; i++ {
		if i > 0 {
			time.Sleep(time.Second)
		}
		if err = s.get(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

type delayer interface{ Delay(i int) time.Duration }

// ByPolicy asks for delays that nobody knows.
func (s *Station) ByPolicy(ctx context.Context, url string, p delayer) (err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			time.Sleep(p.Delay(i))
		}
		if err = s.get(ctx, url); err == nil {
			return nil
		}
	}
	return err
}

// Local asks nobody else.
func Local(name string) (err error) {
	for i := 0; i < 5; i++ {
		if i > 0 {
			time.Sleep(100 * time.Millisecond)
		}
		if err = os.Remove(name); err == nil {
			return nil
		}
	}
	return err
}

// AsTold waits as long as the server says.
func (s *Station) AsTold(ctx context.Context, req *http.Request) (*http.Response, error) {
	for i := 0; ; i++ {
		resp, err := s.http.Do(req)
		if err != nil || resp.StatusCode != http.StatusServiceUnavailable || i == 4 {
			return resp, err
		}
		resp.Body.Close()
		d := time.Second
		if after, err := time.ParseDuration(resp.Header.Get("Retry-After") + "s"); err == nil {
			d = after
		}
		time.Sleep(d)
	}
}

// persist executes what the methods below give it.
func persist(op func() error) (err error) {
	for i := range 6 {
		if err = op(); err == nil || i == 5 {
			return err
		}
		time.Sleep(time.Second) // want `no random part`
	}
	return err
}

func (s *Station) Persistent(ctx context.Context, url string) error {
	return persist(func() error { return s.get(ctx, url) })
}
