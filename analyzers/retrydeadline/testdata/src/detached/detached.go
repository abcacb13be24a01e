// Package detached works under contexts that no caller ends.
package detached

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"throttle"
)

type press interface {
	Print(ctx context.Context, page string) error
	Discard(ctx context.Context, page string) error
}

var errInk = errors.New("out of ink")

func background(ctx context.Context, p press) (err error) {
	for range 3 {
		if err = p.Print(context.Background(), "a"); err == nil { // want `the attempt runs under context.Background although ctx is in scope`
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func freshTimeout(ctx context.Context, p press) (err error) {
	for range 3 {
		printing, cancel := context.WithTimeout(context.TODO(), time.Second) // want `the attempt runs under context.TODO`
		err = p.Print(printing, "a")
		cancel()
		if err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func withoutCancel(ctx context.Context, p press) (err error) {
	printing := context.WithoutCancel(ctx) // want `the attempt runs under context.WithoutCancel`
	for range 3 {
		if err = p.Print(printing, "a"); err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func derived(ctx context.Context, p press) (err error) {
	for range 3 {
		printing, cancel := context.WithTimeout(ctx, time.Second)
		err = p.Print(printing, "a")
		cancel()
		if err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func fallback(ctx context.Context, p press) (err error) {
	if ctx == nil {
		ctx = context.Background()
	}
	for range 3 {
		if err = p.Print(ctx, "a"); err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func threeBelow(ctx context.Context, p press) (err error) {
	for range 3 {
		if err = one(ctx, p); err == nil { // want `the attempt ends up under context.Background although ctx is in scope`
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func one(_ context.Context, p press) error     { return two(p) }
func two(p press) error                        { return three(p, printingContext()) }
func three(p press, ctx context.Context) error { return p.Print(ctx, "a") }

func printingContext() context.Context { return context.Background() }

type shop struct {
	press press
	ctx   context.Context
	until context.Context
}

func newShop(ctx context.Context, p press) *shop {
	return &shop{press: p, ctx: context.Background(), until: ctx}
}

func (s *shop) byField(ctx context.Context) (err error) {
	for range 3 {
		if err = s.press.Print(s.ctx, "a"); err == nil { // want `the attempt ends up under context.Background although ctx is in scope`
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// byLifetime prints as long as the shop is open.
func (s *shop) byLifetime(ctx context.Context) (err error) {
	for range 3 {
		if err = s.press.Print(s.until, "a"); err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func cleanup(ctx context.Context, p press) (err error) {
	for range 3 {
		if err = p.Print(ctx, "a"); err == nil {
			return nil
		}
		if derr := p.Discard(context.Background(), "a"); derr != nil {
			log.Print(derr)
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func deferred(ctx context.Context, p press) error {
	return throttle.RetryContext(ctx, func(ctx context.Context) error {
		defer func() {
			if err := p.Discard(context.Background(), "a"); err != nil {
				log.Print(err)
			}
		}()
		return p.Print(ctx, "a")
	}, 3)
}

// rollback makes what is deferred: that has to run when the caller has gone, too.
func rollback(ctx context.Context, p press) (err error) {
	defer onError(&err, func() {
		if err := throttle.RetryContext(ctx, func(context.Context) error { return p.Discard(context.Background(), "a") }, 3); err != nil {
			log.Print(err)
		}
	})()
	return throttle.RetryContext(ctx, func(ctx context.Context) error { return p.Print(ctx, "a") }, 3)
}

func onError(err *error, undo func()) func() {
	return func() {
		if *err != nil {
			undo()
		}
	}
}

// newInk and the next two end up with one context that is made in a single place: it is told once.
func newInk(ctx context.Context, p press) error {
	return throttle.RetryContext(ctx, func(ctx context.Context) error { return refill(p) }, 3) // want `the attempt ends up under context.Background`
}

func moreInk(ctx context.Context, p press) error {
	return throttle.RetryContext(ctx, func(ctx context.Context) error { return refill(p) }, 3)
}

func refill(p press) error { return p.Print(context.Background(), "ink") }

func afterwards(ctx context.Context, p press) (err error) {
	for range 3 {
		if err = p.Print(ctx, "a"); err == nil {
			return nil
		}
		if !rest(ctx) {
			break
		}
	}
	undo, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return errors.Join(err, p.Discard(undo, "a"))
}

func inHelper(ctx context.Context, p press) error {
	return throttle.RetryContext(ctx, func(ctx context.Context) error {
		return p.Print(context.Background(), "a") // want `the attempt runs under context.Background`
	}, 3)
}

func methodValue(ctx context.Context, j *job) error {
	return throttle.RetryContext(ctx, j.run, 3) // want `the attempt ends up under context.Background`
}

type job struct{ press press }

func (j *job) run(context.Context) error {
	return j.press.Print(context.Background(), "a")
}

// linked is ended by ctx, though it isn't made from it.
func linked(ctx context.Context, p press) (err error) {
	printing, cancel := context.WithCancel(context.Background())
	defer cancel()
	defer context.AfterFunc(ctx, cancel)()
	for range 3 {
		if err = p.Print(printing, "a"); err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func noScope(p press) (err error) {
	for range 3 {
		if err = p.Print(context.Background(), "a"); err == nil {
			return nil
		}
	}
	return err
}

func ownDeadline(p press) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		if err = p.Print(ctx, "a"); err == nil || !errors.Is(err, errInk) {
			return err
		}
		if !rest(ctx) {
			return err
		}
	}
}

func request(ctx context.Context, url string) (err error) {
	for range 3 {
		var req *http.Request
		req, err = http.NewRequestWithContext(context.Background(), http.MethodGet, url, nil) // want `the attempt runs under context.Background`
		if err != nil {
			return err
		}
		var resp *http.Response
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp.Body.Close()
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func shutdown(group func(run func() error, stop func(error)), p press) {
	ctx, cancel := context.WithCancel(context.Background())
	group(func() error {
		return throttle.RetryContext(ctx, func(ctx context.Context) error {
			printing, done := context.WithTimeout(ctx, time.Second)
			defer done()
			return p.Print(printing, "a")
		}, 3)
	}, func(error) { cancel() })
}

func shutdownForgotten(group func(run func() error, stop func(error)), p press) {
	ctx, cancel := context.WithCancel(context.Background())
	group(func() error {
		return throttle.RetryContext(ctx, func(context.Context) error {
			printing, done := context.WithTimeout(context.Background(), time.Second) // want `under context.Background although ctx is in scope`
			defer done()
			return p.Print(printing, "a")
		}, 3)
	}, func(error) { cancel() })
}

func startsBackgroundWork(ctx context.Context, p press) error {
	go func() {
		for range 3 {
			if p.Print(context.Background(), "a") == nil {
				return
			}
			time.Sleep(time.Second)
		}
	}()
	return p.Print(ctx, "b")
}

func rest(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Second):
		return true
	}
}

func inGoroutine(ctx context.Context, p press) (err error) {
	for range 3 {
		if err = guarded(ctx, p); err == nil { // want `the attempt ends up under context.Background`
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// guarded doesn't wait for an attempt longer than ctx, and leaves it behind.
func guarded(ctx context.Context, p press) error {
	printed := make(chan error, 1)
	go func() { printed <- p.Print(context.Background(), "a") }()
	select {
	case err := <-printed:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// untilInterrupted ends when somebody says so.
func untilInterrupted(ctx context.Context, p press) (err error) {
	printing, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for range 3 {
		if err = p.Print(printing, "a"); err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func printing() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), time.Second)
}

func byMaker(ctx context.Context, p press) (err error) {
	for range 3 {
		page, cancel := printing()
		err = p.Print(page, "a") // want `the attempt ends up under context.Background`
		cancel()
		if err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}
