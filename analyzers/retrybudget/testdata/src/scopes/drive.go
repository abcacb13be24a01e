package scopes

import (
	"context"
	"time"
)

// Pause is the wait between attempts.
var Pause = time.Second

type failing struct{ attempts int }

func (f *failing) cut(context.Context, int) error {
	f.attempts++
	return errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f := &failing{}
	m := &mason{q: f, budget: newBudget(20)}
	for slab := range requests {
		if way == "Fresh" {
			_ = m.Fresh(context.Background(), slab)
		} else {
			_ = m.Cut(context.Background(), slab)
		}
	}
	return f.attempts - requests
}
