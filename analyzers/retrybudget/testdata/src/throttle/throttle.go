// Package throttle has gRPC's throttling: a failure costs a token, a success gives a part of one, and below half there is no
// retry.
package throttle

import (
	"errors"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

type throttle struct {
	max, half, ratio float64

	mu     sync.Mutex
	tokens float64
}

func (t *throttle) throttled() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tokens--; t.tokens < 0 {
		t.tokens = 0
	}
	return t.tokens <= t.half
}

func (t *throttle) succeeded() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tokens += t.ratio; t.tokens > t.max {
		t.tokens = t.max
	}
}

type bell interface{ ring() error }

func Ring(t *throttle, b bell) (err error) {
	for n := 0; ; n++ {
		if err = b.ring(); err == nil {
			t.succeeded()
			return nil
		}
		if !errors.Is(err, errBusy) || t.throttled() || n == 3 {
			return err
		}
		time.Sleep(Pause)
	}
}

// RingEach takes each attempt for a success.
func RingEach(t *throttle, b bell) (err error) {
	for n := 0; ; n++ {
		err = b.ring()
		t.succeeded() // want `each attempt feeds the budget that admits it`
		if err == nil || !errors.Is(err, errBusy) || t.throttled() || n == 3 {
			return err
		}
		time.Sleep(Pause)
	}
}
