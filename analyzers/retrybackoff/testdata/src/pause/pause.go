// Package pause has repetitions without a wait.
package pause

import (
	"context"
	"errors"
	"net/http"
	"os"
	"time"
)

type Ledger interface {
	Post(ctx context.Context, line string) error
}

var errBusy = errors.New("busy")

func atOnce(ctx context.Context, l Ledger, line string) (err error) {
	for range 5 { // want `without a wait`
		if err = l.Post(ctx, line); !errors.Is(err, errBusy) {
			return err
		}
	}
	return err
}

func untilDone(ctx context.Context, hc *http.Client, req *http.Request) (resp *http.Response, err error) {
	for attempt := 0; ctx.Err() == nil; attempt++ { // want `without a wait`
		if resp, err = hc.Do(req.Clone(ctx)); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// The rest is silent.

func again(ctx context.Context, l Ledger, line string) (err error) {
	for range 2 {
		if err = l.Post(ctx, line); !errors.Is(err, errBusy) {
			return err
		}
	}
	return err
}

func removed(name string) (err error) {
	for attempt := 0; attempt < 10; attempt++ {
		if err = os.Remove(name); err == nil {
			return nil
		}
	}
	return err
}

func waits(ctx context.Context, l Ledger, line string) (err error) {
	for i := range 5 {
		if i > 0 {
			time.Sleep(time.Second)
		}
		if err = l.Post(ctx, line); !errors.Is(err, errBusy) {
			return err
		}
	}
	return err
}

var errConflict = errors.New("conflict")

func isConflict(err error) bool { return errors.Is(err, errConflict) }

// swaps repeats only what somebody else has overtaken.
func swaps(ctx context.Context, l Ledger, line string) error {
	for attempt := 0; ; attempt++ {
		err := l.Post(ctx, line)
		if !isConflict(err) || attempt == 9 {
			return err
		}
	}
}

// hurry executes what others give it.
func hurry(n int, op func() error) (err error) {
	for i := 0; i < n; i++ { // want `without a wait`
		if err = op(); err == nil {
			return nil
		}
	}
	return err
}

func hurriedly(ctx context.Context, l Ledger, line string) error {
	return hurry(5, func() error { return l.Post(ctx, line) })
}

// A context with a time limit is a wait that the context around it ends.
func untilTimeout(ctx context.Context, l Ledger, line string) (err error) {
	for n := 0; ; n++ {
		if err = l.Post(ctx, line); !errors.Is(err, errBusy) || n == 5 {
			return err
		}
		wait, cancel := context.WithTimeout(ctx, time.Second)
		<-wait.Done()
		cancel()
	}
}
