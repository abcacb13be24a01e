package throttle

import (
	"context"
	"time"
)

// A Pause is longer each time.
type Pause struct{ next time.Duration }

// Take waits, whatever happens.
func (p *Pause) Take() {
	p.next = 2*p.next + time.Second
	time.Sleep(p.next)
}

// A Watch waits as long as its context lets it.
type Watch struct {
	ctx  context.Context
	next time.Duration
}

// NewWatch returns a watch for ctx.
func NewWatch(ctx context.Context) *Watch { return &Watch{ctx, time.Second} }

// Take waits.
func (w *Watch) Take() {
	select {
	case <-w.ctx.Done():
	case <-time.After(w.next):
	}
}

// Mind takes a pause as long as the watch lets it.
func Mind(err error, w *Watch) {
	if err != nil {
		w.Take()
	}
}
