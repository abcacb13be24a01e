package pause

import (
	"context"
	"errors"
	"time"
)

// Some attempts wait themselves before they tell of their failure.

type courier interface {
	Ride(ctx context.Context, bag string) error
}

type delays struct{ next time.Duration }

func (d *delays) timer() <-chan time.Time {
	d.next *= 2
	return time.After(d.next)
}

type rider struct {
	ledger Ledger
	home   chan struct{}
	delays *delays
}

func (r *rider) Ride(ctx context.Context, bag string) error {
	err := r.ledger.Post(ctx, bag)
	if err == nil {
		return nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-r.home:
		return nil
	case <-r.delays.timer():
	}
	return err
}

type depot struct{ courier courier }

func newDepot(l Ledger) *depot {
	return &depot{courier: &rider{ledger: l, delays: &delays{time.Second}}}
}

func (d *depot) deliver(ctx context.Context, bag string) error {
	for attempt := 0; ; attempt++ {
		err := d.courier.Ride(ctx, bag)
		if err == nil || ctx.Err() != nil {
			return err
		}
	}
}

// pauseFor is a variable for tests.
var pauseFor = func(ctx context.Context, attempt int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(time.Duration(attempt) * time.Second):
		return true
	}
}

func patiently(ctx context.Context, l Ledger, line string) error {
	attempt := 0
	for {
		if attempt > 0 && !pauseFor(ctx, attempt) {
			return ctx.Err()
		}
		attempt++
		if err := l.Post(ctx, line); err == nil {
			return nil
		}
	}
}

var errSlow = errors.New("no answer in time")

// ask waits for the answer, and only so long: no wait between attempts.
func ask(ctx context.Context, l Ledger, line string, answers <-chan error) error {
	if err := l.Post(ctx, line); err != nil {
		return err
	}
	select {
	case err := <-answers:
		return err
	case <-time.After(time.Second):
		return errSlow
	}
}

func impatiently(ctx context.Context, l Ledger, line string, answers <-chan error) (err error) {
	for attempt := 0; attempt < 5; attempt++ { // want `without a wait`
		if err = ask(ctx, l, line, answers); err == nil {
			return nil
		}
	}
	return err
}
