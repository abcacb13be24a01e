// Package fix has faults that can be put right.
package fix

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
)

type kiln interface {
	Fire(ctx context.Context, pot string) error
	Glaze(ctx context.Context, pot string) (int, error)
	Open(ctx context.Context, pot string) (*http.Response, error)
}

type pot struct{ name string }

var errCracked = errors.New("cracked")

func sleep(ctx context.Context, k kiln) (err error) {
	for range 3 {
		if err = k.Fire(ctx, "jug"); err == nil {
			return nil
		}
		time.Sleep(2 * time.Second) // want `doesn't watch ctx`
	}
	return err
}

func receive(ctx context.Context, k kiln) (p pot, pots []pot, n int, ok bool, err error) {
	for n := range 3 {
		if err = k.Fire(ctx, "jug"); err == nil {
			return pot{"jug"}, nil, 0, true, nil
		}
		<-time.After(time.Second << n) // want `doesn't watch ctx`
	}
	return p, pots, n, ok, err
}

type transport struct{ next http.RoundTripper }

func (t *transport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = t.next.RoundTrip(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second) // want `doesn't watch req.Context\(\)`
	}
	return nil, err
}

// postStatement has no place for a select.
func postStatement(ctx context.Context, k kiln) (err error) {
	for n := 0; n < 3; time.Sleep(time.Second) { // want `doesn't watch ctx`
		if err = k.Fire(ctx, "jug"); err == nil {
			return nil
		}
		n++
	}
	return err
}

// noError can't tell that it was interrupted.
func noError(ctx context.Context, k kiln) bool {
	for range 3 {
		if k.Fire(ctx, "jug") == nil {
			return true
		}
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
	return false
}

// shadowed has another context of the same name where it sleeps.
func shadowed(ctx context.Context, k kiln) (err error) {
	for range 3 {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		err = k.Fire(ctx, "jug")
		cancel()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
	return err
}

func unnamed(_ context.Context, k kiln) (err error) {
	for range 3 {
		if err = k.Fire(nil, "jug"); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch the context`
	}
	return err
}

func detached(ctx context.Context, k kiln) (err error) {
	for range 3 {
		firing, cancel := context.WithTimeout(context.Background(), time.Second) // want `runs under context.Background`
		err = k.Fire(firing, "jug")
		cancel()
		if !errors.Is(err, errCracked) {
			return err
		}
	}
	return err
}

// withoutCancel was written on purpose.
func withoutCancel(ctx context.Context, k kiln) (err error) {
	for range 3 {
		if err = k.Fire(context.WithoutCancel(ctx), "jug"); !errors.Is(err, errCracked) { // want `runs under context.WithoutCancel`
			return err
		}
	}
	return err
}

func option(ctx context.Context, k kiln) error {
	return retry.Do(func() error { return k.Fire(ctx, "jug") }, retry.Attempts(3)) // want `isn't given ctx`
}

func noOptions(ctx context.Context, k kiln) error {
	return retry.Do(func() error { // want `isn't given ctx`
		return k.Fire(ctx, "jug")
	})
}

func around(ctx context.Context, k kiln) error {
	return backoff.Retry(func() error { return k.Fire(ctx, "jug") }, backoff.NewExponentialBackOff()) // want `isn't given ctx`
}

func request(ctx context.Context, url string) (resp *http.Response, err error) {
	for range 3 {
		req, err := http.NewRequest(http.MethodGet, url, nil) // want `calls http.NewRequest without a context`
		if err != nil {
			return nil, err
		}
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func exec(ctx context.Context, db *sql.DB) (err error) {
	for range 3 {
		if _, err = db.Exec("VACUUM", 1); err == nil { // want `Exec without a context`
			return nil
		}
	}
	return err
}

func ping(ctx context.Context, db *sql.DB) (err error) {
	for range 3 {
		if err = db.Ping(); err == nil { // want `Ping without a context`
			return nil
		}
	}
	return err
}

// get needs more than another function.
func get(ctx context.Context, url string) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = http.Get(url); err == nil { // want `calls http.Get without a context`
			return resp, nil
		}
	}
	return nil, err
}

func deferredCancel(ctx context.Context, k kiln) (err error) {
	for range 3 {
		firing, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `deferred until the function returns`
		if err = k.Fire(firing, "jug"); err == nil {
			return nil
		}
	}
	return err
}

func deferredCancelWithValue(ctx context.Context, k kiln) (n int, err error) {
	for range 3 {
		glazing, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `deferred until the function returns`
		n, err = k.Glaze(glazing, "jug")
		if err == nil {
			return n, nil
		}
	}
	return 0, err
}

// deferredCancelWithBody can't cancel before the body is read.
func deferredCancelWithBody(ctx context.Context, k kiln) (resp *http.Response, err error) {
	for range 3 {
		opening, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `deferred until the function returns`
		resp, err = k.Open(opening, "jug")
		if err == nil {
			return resp, nil
		}
	}
	return nil, err
}

// nothing is returned: the function ends.
func nothing(ctx context.Context, k kiln) {
	for range 3 {
		if k.Fire(ctx, "jug") == nil {
			return
		}
		time.Sleep(2 * time.Second) // want `doesn't watch ctx`
	}
}

// literal can't end the loop around it.
func literal(ctx context.Context, k kiln) (err error) {
	for range 3 {
		if err = k.Fire(ctx, "jug"); err == nil {
			return nil
		}
		func() { // want `doesn't watch ctx`
			time.Sleep(2 * time.Second)
		}()
	}
	return err
}
