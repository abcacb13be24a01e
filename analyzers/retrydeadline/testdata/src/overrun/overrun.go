// Package overrun has schedules that don't fit into their deadlines, and some that do.
package overrun

import (
	"context"
	"errors"
	"net/http"
	"time"
)

type tide interface {
	Height(ctx context.Context) error
}

var errWave = errors.New("wave")

func allTime(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second) // want `the deadline of 10s leaves room for 1 of 3 tries of up to 10s`
	defer cancel()
	for range 3 {
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
	}
	return err
}

func fits(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for range 3 {
		reading, done := context.WithTimeout(ctx, 3*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
	}
	return err
}

const patience = 20 * time.Second

func waitsOnly(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(patience)) // want `the deadline of 20s leaves room for 5 of 6 tries and waits of at least 31s`
	defer cancel()
	wait := time.Second
	for range 6 {
		if err = t.Height(ctx); !errors.Is(err, errWave) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait *= 2
	}
	return err
}

func cappedWaits(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	wait := time.Second
	for range 6 {
		if err = t.Height(ctx); !errors.Is(err, errWave) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
		wait = min(2*wait, 3*time.Second)
	}
	return err
}

func unknownWaits(ctx context.Context, t tide, wait time.Duration) (err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for range 600 {
		if err = t.Height(ctx); !errors.Is(err, errWave) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
	return err
}

func read(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return t.Height(ctx)
}

func below(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 12*time.Second) // want `the deadline of 12s leaves room for 2 of 4 tries of up to 5s and waits of at least 3s`
	defer cancel()
	for n := 1; n <= 4; n++ {
		if err = read(ctx, t); !errors.Is(err, errWave) {
			return err
		}
		if n == 4 {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

func perAttemptOnly(ctx context.Context, t tide) (err error) {
	for range 4 {
		if err = read(ctx, t); !errors.Is(err, errWave) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

type station struct{ client *http.Client }

func newStation() *station { return &station{client: &http.Client{Timeout: 8 * time.Second}} }

func (s *station) byClient(ctx context.Context, url string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 8*time.Second) // want `the deadline of 8s leaves room for 1 of 3 tries of up to 8s`
	defer cancel()
	for range 3 {
		var req *http.Request
		if req, err = http.NewRequestWithContext(ctx, http.MethodGet, url, nil); err != nil {
			return err
		}
		var resp *http.Response
		if resp, err = s.client.Do(req); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

func (s *station) fitsByClient(ctx context.Context, url string) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for range 3 {
		var req *http.Request
		if req, err = http.NewRequestWithContext(ctx, http.MethodGet, url, nil); err != nil {
			return err
		}
		var resp *http.Response
		if resp, err = s.client.Do(req); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// byHelper has its limits in a literal.
func byHelper(ctx context.Context, t tide) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second) // want `the deadline of 5s leaves room for 2 of 4 tries of up to 4s`
	defer cancel()
	return repeat(ctx, 4, func(ctx context.Context) error {
		reading, done := context.WithTimeout(ctx, 4*time.Second)
		defer done()
		return t.Height(reading)
	})
}

func repeat(ctx context.Context, n int, op func(context.Context) error) (err error) {
	for range n {
		if err = op(ctx); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

func waitsFirst(ctx context.Context, t tide) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second) // want `the deadline of 3s leaves room for`
	defer cancel()
	for n := range 5 {
		if n > 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Duration(n) * time.Second):
			}
		}
		if err = t.Height(ctx); !errors.Is(err, errWave) {
			return err
		}
	}
	return err
}

func waitsSometimes(ctx context.Context, t tide, calm func() bool) (err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	for range 5 {
		if err = t.Height(ctx); !errors.Is(err, errWave) {
			return err
		}
		if calm() {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Second):
		}
	}
	return err
}
