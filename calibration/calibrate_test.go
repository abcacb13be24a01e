package calibration

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/retrylint/retrylint/internal/catalog"
)

// A measurement is one call of a library, and what the catalogue says that it makes of it.
type measurement struct {
	name string
	want claim
	call call
}

// A call is one call of a library, with the dependency below it.
type call func(ctx context.Context, d *dependency) error

// named is the name of a measurement of what a setting makes of n.
func named[N int | int64 | uint | uint64](setting string, n N) string {
	return fmt.Sprintf("%s %d", setting, n)
}

// calibrate makes each call against a dependency of its own, and compares.
func calibrate(t *testing.T, start place, measurements []measurement) {
	for _, m := range measurements {
		t.Run(m.name, func(t *testing.T) {
			d := start(t)
			var seen outcome
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				seen.err = guard(func() error { return m.call(t.Context(), d) })
				seen.took = time.Since(begin)
			})
			seen.calls = d.calls.Load()
			if !m.want.holds(seen) {
				t.Errorf("the catalogue says %s, but %s", m.want, seen)
			}
		})
	}
}

// guard makes an error of a panic, which some libraries answer a negative number with.
func guard(call func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return call()
}

// An outcome is what a call came to.
type outcome struct {
	calls int64
	err   error
	took  time.Duration // on the bubble's clock
}

func (o outcome) String() string {
	return fmt.Sprintf("%s were counted (%d calls in %v, error: %v)", o.attempts(), o.calls, o.took, o.err)
}

// attempts says in the catalogue's words what was counted.
func (o outcome) attempts() catalog.Attempts {
	switch {
	case o.calls >= brake:
		return "unlimited"
	case o.calls == 0 && o.err == nil:
		return "never"
	case o.calls == 0:
		return "error"
	}
	return number(int(o.calls))
}

// A claim is a number of total attempts, or a word, with the time limit that elapsed stands for.
type claim struct {
	attempts catalog.Attempts
	limit    time.Duration
}

func (c claim) String() string {
	if c.limit > 0 {
		return fmt.Sprintf("%s (%v)", c.attempts, c.limit)
	}
	return string(c.attempts)
}

// holds tells whether the outcome agrees. A policy that is bounded by time gives up as soon as the next wait would exceed
// the limit, somewhat before.
func (c claim) holds(o outcome) bool {
	if c.attempts != "elapsed" {
		return o.attempts() == c.attempts
	}
	return o.calls > 1 && o.calls < brake && o.took <= c.limit && o.took > c.limit*8/10
}

func number(n int) catalog.Attempts { return catalog.Attempts(strconv.Itoa(n)) }
