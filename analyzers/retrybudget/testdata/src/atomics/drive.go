package atomics

import (
	"sync"
	"sync/atomic"
	"time"
)

// Pause is the wait between attempts.
var Pause = time.Second

// Size is how many retries the budgets of this package admit until they are renewed.
const Size = 50

type failing struct{ attempts atomic.Int64 }

func (f *failing) cross() error {
	f.attempts.Add(1)
	return errBusy
}

type budget interface {
	taker
	renew()
}

// Race makes requests that all fail, several at a time, under a budget that isn't renewed meanwhile, and returns how many retries
// there were.
func Race(way string, requests int) (retries int) {
	f := &failing{}
	b := map[string]budget{
		"split": &split{}, "added": &added{}, "swapped": &swapped{}, "plain": &plain{}, "twice": &twice{}, "rechecked": &rechecked{},
	}[way]
	b.renew()
	var all sync.WaitGroup
	start := make(chan struct{})
	for range 10 {
		all.Go(func() {
			<-start
			for range requests / 10 {
				_ = Cross(f, b)
			}
		})
	}
	close(start)
	all.Wait()
	return int(f.attempts.Load()) - requests
}
