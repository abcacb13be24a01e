// Package growth has delays that grow, with a maximum and without.
package growth

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

type Pump interface {
	Start(ctx context.Context) error
}

const (
	base = 100 * time.Millisecond
	most = time.Minute
)

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func doubles(ctx context.Context, p Pump) error {
	d := base
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		if err := wait(ctx, d/2+rand.N(d/2)); err != nil {
			return err
		}
		d *= 2 // want `overflows`
	}
}

func doublesCapped(ctx context.Context, p Pump) error {
	d := base
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		if err := wait(ctx, d/2+rand.N(d/2)); err != nil {
			return err
		}
		d = min(2*d, most)
	}
}

func doublesBelow(ctx context.Context, p Pump) error {
	d := base
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		if err := wait(ctx, d/2+rand.N(d/2)); err != nil {
			return err
		}
		if d < most {
			d *= 2
		}
	}
}

func cutDown(ctx context.Context, p Pump) error {
	d := base
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		if err := wait(ctx, d/2+rand.N(d/2)); err != nil {
			return err
		}
		d *= 2
		if d > most {
			d = most
		}
	}
}

// limitedTooLate limits what is waited for, and not what grows.
func limitedTooLate(ctx context.Context, p Pump) error {
	d := base
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		pause := min(d, most)
		if err := wait(ctx, pause/2+rand.N(time.Second)); err != nil {
			return err
		}
		d *= 2 // want `overflows`
	}
}

func shifted(ctx context.Context, p Pump) error {
	for attempt := 0; ; attempt++ {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		d := min(base<<attempt, most) // want `overflows`
		if err := wait(ctx, d+rand.N(time.Second)); err != nil {
			return err
		}
	}
}

func shiftedLittle(ctx context.Context, p Pump) error {
	for attempt := 0; ; attempt++ {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		d := base << min(attempt, 10)
		if err := wait(ctx, d+rand.N(time.Second)); err != nil {
			return err
		}
	}
}

func shiftedGuarded(ctx context.Context, p Pump) error {
	for attempt := 0; ; attempt++ {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		d := base << attempt
		if d <= 0 || d > most {
			d = most
		}
		if err := wait(ctx, d+rand.N(time.Second)); err != nil {
			return err
		}
	}
}

func few(ctx context.Context, p Pump) (err error) {
	for attempt := range 6 {
		if attempt > 0 {
			if err := wait(ctx, base<<attempt+rand.N(time.Second)); err != nil {
				return err
			}
		}
		if err = p.Start(ctx); err == nil {
			return nil
		}
	}
	return err
}

func powers(ctx context.Context, p Pump) error {
	for attempt := 0; ; attempt++ {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		d := time.Duration(math.Pow(2, float64(attempt))) * base // want `overflows`
		if d > most {
			d = most
		}
		if err := wait(ctx, d+rand.N(time.Second)); err != nil {
			return err
		}
	}
}

func powersCapped(ctx context.Context, p Pump) error {
	for attempt := 0; ; attempt++ {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		d := time.Duration(math.Min(float64(base)*math.Pow(2, float64(attempt)), float64(most)))
		if err := wait(ctx, d+rand.N(time.Second)); err != nil {
			return err
		}
	}
}

func linear(ctx context.Context, p Pump) error {
	for attempt := 1; ; attempt++ {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		d := time.Duration(attempt) * time.Second // want `grows without a maximum`
		if err := wait(ctx, d+rand.N(time.Second)); err != nil {
			return err
		}
	}
}

// delays is a policy of its own.
type delays struct{ next, top time.Duration }

func (d *delays) take() time.Duration {
	now := d.next
	d.next = min(2*d.next, d.top)
	return now/2 + rand.N(now)
}

type unlimited struct{ next time.Duration }

func (u *unlimited) take() time.Duration {
	now := u.next
	u.next *= 2
	return now/2 + rand.N(now)
}

func byPolicy(ctx context.Context, p Pump) error {
	d := delays{next: base, top: most}
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		if err := wait(ctx, d.take()); err != nil {
			return err
		}
	}
}

func byEndlessPolicy(ctx context.Context, p Pump) error {
	d := unlimited{next: base}
	for {
		err := p.Start(ctx)
		if err == nil {
			return nil
		}
		if err := wait(ctx, d.take()); err != nil { // want `overflows`
			return err
		}
	}
}

func delayFor(attempt int) time.Duration {
	d := base * time.Duration(1<<uint(attempt))
	if d > most {
		return most
	}
	return d/2 + rand.N(d)
}

func byFunction(ctx context.Context, p Pump) error {
	for attempt := 0; attempt < 200; attempt++ {
		err := p.Start(ctx)
		if err == nil || attempt == 199 {
			return err
		}
		if err := wait(ctx, delayFor(attempt)); err != nil { // want `overflows`
			return err
		}
	}
	return nil
}
