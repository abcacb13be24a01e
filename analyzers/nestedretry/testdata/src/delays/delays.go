// Package delays holds the retry policies of a project: objects that say how long to wait before the next attempt, or that
// there is none. No number of attempts is written where the loops are.
package delays

import (
	"context"
	"time"
)

// stop is the answer that ends the attempts.
const stop time.Duration = -1

const noLimit = 0

// A Policy computes the delay before the next attempt from what has been tried so far.
type Policy interface {
	Delay(spent time.Duration, tried int, err error) time.Duration
}

// Growing doubles its delay.
type Growing struct {
	first, top, total time.Duration
	tries             int
}

// NewGrowing returns a policy that ends after a minute, whatever the number of attempts.
func NewGrowing(first time.Duration) *Growing {
	return &Growing{first: first, top: 10 * time.Second, total: time.Minute, tries: noLimit}
}

// UpTo sets the number of attempts.
func (g *Growing) UpTo(tries int) *Growing { g.tries = tries; return g }

// Within sets the time that all attempts may take together; 0 takes the limit away.
func (g *Growing) Within(total time.Duration) *Growing { g.total = total; return g }

// Delay implements Policy.
func (g *Growing) Delay(spent time.Duration, tried int, _ error) time.Duration {
	if g.tries != noLimit && tried >= g.tries {
		return stop
	}
	if g.total != 0 && spent > g.total {
		return stop
	}
	next := g.first << (tried - 1)
	if next <= 0 {
		return stop
	}
	if g.top != 0 {
		next = min(next, g.top)
	}
	return next
}

// Steady waits the same time each time, without an end unless UpTo says so.
type Steady struct {
	delay time.Duration
	tries int
}

// NewSteady returns a steady policy.
func NewSteady(delay time.Duration) Steady { return Steady{delay: delay} }

// UpTo sets the number of attempts.
func (s Steady) UpTo(tries int) Steady { s.tries = tries; return s }

// Delay implements Policy.
func (s Steady) Delay(_ time.Duration, tried int, _ error) time.Duration {
	if s.tries == noLimit || tried < s.tries {
		return s.delay
	}
	return stop
}

type never struct{}

func (never) Delay(time.Duration, int, error) time.Duration { return stop }

// Never makes one attempt.
var Never Policy = never{}

// A Course is the state of a policy during one operation.
type Course interface {
	Next(err error) time.Duration
}

type course struct {
	policy Policy
	start  time.Time
	tried  int
}

// Begin starts a course.
func Begin(p Policy) Course { return &course{policy: p, start: time.Now(), tried: 1} }

func (c *course) spent() time.Duration { return time.Since(c.start) }

// Next implements Course.
func (c *course) Next(err error) time.Duration {
	d := c.policy.Delay(c.spent(), c.tried, err)
	c.tried++
	return d
}

// Keep executes op until it succeeds or p says stop.
func Keep(ctx context.Context, p Policy, op func(context.Context) error) error {
	var err error
	var wait time.Duration
	c := Begin(p)
	deadline, limited := ctx.Deadline()
	for ctx.Err() == nil {
		if err = op(ctx); err == nil {
			return nil
		}
		if wait = c.Next(err); wait == stop {
			return err
		}
		if limited && time.Now().Add(wait).After(deadline) {
			break
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	return err
}

// KeepOn is Keep without a context.
func KeepOn(p Policy, op func() error) error {
	return Keep(context.Background(), p, func(context.Context) error { return op() })
}

// A Waiter keeps its state itself.
type Waiter interface {
	NextWait() time.Duration
}

// Doubling has no limit but time.
type Doubling struct {
	Longest time.Duration
	Total   time.Duration
	start   time.Time
	current time.Duration
}

// NextWait implements Waiter.
func (d *Doubling) NextWait() time.Duration {
	if d.Total != 0 && time.Since(d.start) > d.Total {
		return stop
	}
	d.current = min(2*d.current, d.Longest)
	return d.current
}

// capped is another waiter with a number of retries.
type capped struct {
	Waiter
	max, used int
}

// Capped ends w after max retries.
func Capped(w Waiter, max int) Waiter { return &capped{Waiter: w, max: max} }

// NextWait implements Waiter.
func (c *capped) NextWait() time.Duration {
	if c.max > 0 && c.used >= c.max {
		return stop
	}
	c.used++
	return c.Waiter.NextWait()
}

// Through executes op until it succeeds or w says stop.
func Through(w Waiter, op func() error) (err error) {
	for {
		if err = op(); err == nil {
			return nil
		}
		wait := w.NextWait()
		if wait < 0 {
			return err
		}
		time.Sleep(wait)
	}
}

// A Series answers whether there is another attempt, and waits before it.
type Series struct {
	made, limit int
	delay       time.Duration
}

// NewSeries returns a series of attempts.
func NewSeries(limit int) *Series { return &Series{limit: limit, delay: time.Second} }

// More waits and reports whether there is another attempt.
func (s *Series) More() bool {
	if s.made > 0 {
		time.Sleep(s.delay)
	}
	s.made++
	return s.made <= s.limit
}
