package jitter

import (
	"context"
	"math/rand"
	"time"
)

// rest is told how long.
func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// grow computes by itself how long it waits.
func grow(ctx context.Context, n int) error {
	return rest(ctx, time.Second<<min(n, 5))
}

func (s *Station) Told(ctx context.Context, url string) (err error) {
	for n := 0; ; n++ {
		if err = s.get(ctx, url); err == nil || n == 5 {
			return err
		}
		if err := rest(ctx, 2*time.Second); err != nil { // want `no random part`
			return err
		}
	}
}

func (s *Station) ToldAtRandom(ctx context.Context, url string) (err error) {
	for n := 0; ; n++ {
		if err = s.get(ctx, url); err == nil || n == 5 {
			return err
		}
		if err := rest(ctx, time.Second+time.Duration(rand.Int63n(1e9))); err != nil {
			return err
		}
	}
}

func (s *Station) Grown(ctx context.Context, url string) (err error) {
	for n := 0; ; n++ {
		if err = s.get(ctx, url); err == nil || n == 5 {
			return err
		}
		if err := grow(ctx, n); err != nil { // want `no random part`
			return err
		}
	}
}

// The same function is told once.
func (s *Station) GrownToo(ctx context.Context, url string) (err error) {
	for n := 0; ; n++ {
		if err = s.get(ctx, url); err == nil || n == 4 {
			return err
		}
		if err := grow(ctx, n); err != nil {
			return err
		}
	}
}

// A query for one row fails when the row is read.
func (s *Station) Row(ctx context.Context) (name string, err error) {
	for n := 0; ; n++ {
		err = s.db.QueryRowContext(ctx, "SELECT name FROM station").Scan(&name)
		if err == nil || n == 5 {
			return name, err
		}
		if err := rest(ctx, time.Second); err != nil { // want `no random part`
			return "", err
		}
	}
}

// head results in a status.
func (s *Station) head(url string) (int, error) {
	resp, err := s.http.Head(url)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

func (s *Station) Status(ctx context.Context, url string) (code int, err error) {
	for n := 0; ; n++ {
		if code, err = s.head(url); err != nil || code != 503 || n == 5 {
			return code, err
		}
		if err := rest(ctx, time.Second); err != nil { // want `no random part`
			return 0, err
		}
	}
}
