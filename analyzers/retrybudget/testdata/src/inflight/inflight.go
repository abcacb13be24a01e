// Package inflight caps how many retries are under way, as Envoy's circuit breakers do: no budget of a rate.
package inflight

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

var errBusy = errors.New("busy")

type crane interface{ lift() error }

type site struct {
	retries atomic.Int64
	limit   int64
}

func (s *site) enter() bool {
	if s.retries.Add(1) > s.limit {
		s.retries.Add(-1)
		return false
	}
	return true
}

func (s *site) Lift(c crane) error {
	err := c.lift()
	for n := 0; n < 3 && errors.Is(err, errBusy); n++ {
		if !s.enter() {
			break
		}
		time.Sleep(Pause)
		err = c.lift()
		s.retries.Add(-1)
	}
	return err
}

type yard struct {
	mu      sync.Mutex
	left    int
	waiting sync.WaitGroup
}

func (y *yard) acquire() bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.left == 0 {
		return false
	}
	y.left--
	return true
}

func (y *yard) release() {
	y.mu.Lock()
	y.left++
	y.mu.Unlock()
}

func (y *yard) Lift(c crane) error {
	err := c.lift()
	for n := 0; n < 3 && errors.Is(err, errBusy); n++ {
		if !y.acquire() {
			break
		}
		time.Sleep(Pause)
		err = c.lift()
		y.release()
	}
	return err
}

// Early takes a place before it knows whether there is another attempt, and gives it back: nothing is paid for.
func (y *yard) Early(c crane) error {
	err := c.lift()
	for n := 0; n < 3 && err != nil; n++ {
		if !y.acquire() {
			break
		}
		if !errors.Is(err, errBusy) {
			y.release()
			break
		}
		time.Sleep(Pause)
		err = c.lift()
		y.release()
	}
	return err
}
