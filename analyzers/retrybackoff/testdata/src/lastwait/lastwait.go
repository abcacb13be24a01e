// Package lastwait has waits that follow the last attempt, and some that only look so.
package lastwait

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"time"
)

type Lamp interface {
	Switch(ctx context.Context, on bool) error
	Name() string
}

var errBusy = errors.New("busy")

const tries = 4

func counted(ctx context.Context, l Lamp) (err error) {
	for i := 0; i < tries; i++ {
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
		time.Sleep(time.Second + rand.N(time.Second)) // want `waits after the last attempt`
	}
	return err
}

func upTo(ctx context.Context, l Lamp, most int) (err error) {
	for i := 1; i <= most; i++ {
		if err = l.Switch(ctx, true); err == nil {
			break
		}
		select {
		case <-time.After(rand.N(time.Second)): // want `waits after the last attempt`
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func downwards(ctx context.Context, l Lamp) error {
	for left := 5; left > 0; left-- {
		err := l.Switch(ctx, true)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errBusy) {
			return err
		}
		log.Print("again")
		timer := time.NewTimer(rand.N(time.Second))
		select { // want `waits after the last attempt`
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
	return errBusy
}

func withJump(ctx context.Context, l Lamp) error {
	n := 0
again:
	err := l.Switch(ctx, true)
	if err != nil {
		n++
		time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
		if n < tries {
			goto again
		}
	}
	return err
}

func whileFailing(ctx context.Context, l Lamp) error {
	err := errBusy
	for n := 0; err != nil && n < tries; n++ {
		if err = l.Switch(ctx, true); err != nil {
			time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
		}
	}
	return err
}

// pause waits for a while, or until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func byHelper(ctx context.Context, l Lamp) (err error) {
	for i := range tries {
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
		if perr := pause(ctx, rand.N(time.Second)<<i); perr != nil { // want `waits after the last attempt`
			return perr
		}
	}
	return err
}

var steps = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second}

func byTable(ctx context.Context, l Lamp) (err error) {
	for _, d := range steps {
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
		time.Sleep(d + rand.N(d)) // want `waits after the last attempt`
	}
	return err
}

// helper executes what it is given.
func helper(n int, op func() error) (err error) {
	for i := 0; i < n; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
	}
	return err
}

func recursive(ctx context.Context, l Lamp, left int) error {
	err := l.Switch(ctx, true)
	if err == nil {
		return nil
	}
	time.Sleep(rand.N(time.Second)) // want `waits after the last attempt`
	if left == 0 {
		return err
	}
	return recursive(ctx, l, left-1)
}

// The rest is silent.

func firstWaits(ctx context.Context, l Lamp) (err error) {
	for i := range tries {
		if i > 0 {
			time.Sleep(rand.N(time.Second))
		}
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
	}
	return err
}

func breaksAtLast(ctx context.Context, l Lamp) (err error) {
	for i := range tries {
		if err = l.Switch(ctx, true); err == nil || i == tries-1 {
			break
		}
		time.Sleep(rand.N(time.Second))
	}
	return err
}

func waitsUnlessLast(ctx context.Context, l Lamp, most int) (err error) {
	for i := 1; i <= most; i++ {
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
		if i < most {
			time.Sleep(rand.N(time.Second))
		}
	}
	return err
}

// lastAttempt makes a different one when the others have failed.
func lastAttempt(ctx context.Context, l, spare Lamp) error {
	for range tries {
		if err := l.Switch(ctx, true); err == nil {
			return nil
		}
		time.Sleep(rand.N(time.Second))
	}
	return spare.Switch(ctx, true)
}

// tarpit makes those wait whose request was wrong.
func tarpit(ctx context.Context, l Lamp) (err error) {
	for i := range tries {
		if i > 0 {
			time.Sleep(rand.N(time.Second))
		}
		err = l.Switch(ctx, true)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errBusy) {
			time.Sleep(time.Second)
			return err
		}
	}
	return err
}

type pacer struct{ done, most int }

// rest waits unless all attempts were made.
func (p *pacer) rest() {
	p.done++
	if p.done >= p.most {
		return
	}
	time.Sleep(rand.N(time.Second))
}

func byPacer(ctx context.Context, l Lamp) (err error) {
	p := &pacer{most: tries}
	for range tries {
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
		p.rest()
	}
	return err
}

// untilDeadline has no number.
func untilDeadline(ctx context.Context, l Lamp, limit time.Duration) (err error) {
	for start := time.Now(); time.Since(start) < limit; {
		if err = l.Switch(ctx, true); err == nil {
			return nil
		}
		time.Sleep(rand.N(time.Second))
	}
	return err
}

// eachOf spreads what it does.
func eachOf(ctx context.Context, lamps []Lamp) error {
	for _, l := range lamps {
		if err := l.Switch(ctx, true); err != nil {
			return fmt.Errorf("%s: %w", l.Name(), err)
		}
		time.Sleep(time.Second)
	}
	return nil
}
