package inflight

import (
	"sync"
	"sync/atomic"
	"time"
)

// Pause is the wait between attempts.
var Pause = time.Second

// failing always fails, and counts how many attempts there are, and how many at once.
type failing struct{ attempts, now, most atomic.Int64 }

func (f *failing) lift() error {
	f.attempts.Add(1)
	n := f.now.Add(1)
	defer f.now.Add(-1)
	for most := f.most.Load(); n > most && !f.most.CompareAndSwap(most, n); most = f.most.Load() {
	}
	return errBusy
}

// Drive makes requests that all fail, one after the other, under a cap of one retry at a time, and returns how many retries there
// were.
func Drive(way string, requests int) (retries int) {
	f, s, y := &failing{}, &site{limit: 1}, &yard{left: 1}
	for range requests {
		if way == "site" {
			_ = s.Lift(f)
		} else {
			_ = y.Lift(f)
		}
	}
	return int(f.attempts.Load()) - requests
}

// AtOnce makes requests that all fail, all at once, and returns how many were under way when the most were: an original is one of
// them.
func AtOnce(requests int) int {
	f, s := &failing{}, &site{limit: 1}
	var all sync.WaitGroup
	for range requests {
		all.Go(func() { _ = s.Lift(f) })
	}
	all.Wait()
	return int(f.most.Load())
}
