// Package ratio has two counters over a minute: retries may be a tenth of the calls.
package ratio

import (
	"errors"
	"net"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

type share struct {
	mu             sync.Mutex
	minute         int64
	calls, retries int
}

func (s *share) turn() {
	if m := time.Now().Unix() / 60; m != s.minute {
		s.minute, s.calls, s.retries = m, 0, 0
	}
}

func (s *share) call() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn()
	s.calls++
}

func (s *share) retry() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.turn()
	if s.retries*10 >= s.calls {
		return false
	}
	s.retries++
	return true
}

type own struct {
	mu             sync.Mutex
	minute         int64
	calls, retries int
}

func (o *own) call() {
	o.mu.Lock()
	o.calls++
	o.mu.Unlock()
}

func (o *own) retry() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if m := time.Now().Unix() / 60; m != o.minute {
		o.minute, o.calls, o.retries = m, 0, 0
	}
	if o.retries*10 >= o.calls {
		return false
	}
	o.retries++
	o.calls++ // want `calls, of which retries may be a share, also counts what is admitted as a retry`
	return true
}

// loose has a check and a charge that are locked one after the other.
type loose struct {
	mu             sync.Mutex
	calls, retries int
}

func (l *loose) call() {
	l.mu.Lock()
	l.calls++
	l.mu.Unlock()
}

func (l *loose) mayRetry() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.retries*10 < l.calls
}

func (l *loose) retried() {
	l.mu.Lock()
	l.retries++
	l.mu.Unlock()
}

func (l *loose) reset() {
	l.mu.Lock()
	l.calls, l.retries = 0, 0
	l.mu.Unlock()
}

type kiln interface{ fire(batch string) error }

func Share(s *share, k kiln, batch string) (err error) {
	s.call()
	for n := 0; ; n++ {
		if err = k.fire(batch); err == nil || n == 3 || !errors.Is(err, errBusy) || !s.retry() {
			return err
		}
		time.Sleep(Pause)
	}
}

func Own(o *own, k kiln, batch string) (err error) {
	o.call()
	for n := 0; ; n++ {
		if err = k.fire(batch); err == nil || n == 3 || !errors.Is(err, errBusy) || !o.retry() {
			return err
		}
		time.Sleep(Pause)
	}
}

func Loose(l *loose, k kiln, batch string) (err error) {
	l.call()
	for n := 0; ; n++ {
		if err = k.fire(batch); err == nil || n == 3 || !errors.Is(err, errBusy) || !l.mayRetry() {
			return err
		}
		l.retried() // want `retries is checked by one call and spent by another`
		time.Sleep(Pause)
	}
}

func Attempts(s *share, k kiln, batch string) (err error) {
	for n := 0; ; n++ {
		s.call() // want `each attempt feeds the budget`
		if err = k.fire(batch); err == nil || n == 3 || !errors.Is(err, errBusy) || !s.retry() {
			return err
		}
		time.Sleep(Pause)
	}
}

// Serve has a share for each connection, and each may retry once.
func Serve(conn net.Conn, k kiln) error {
	s := &share{} // want `this budget is made for each call of Serve`
	return Share(s, k, conn.RemoteAddr().String())
}

// bare has no lock, though what is beside it says that goroutines share it.
type bare struct {
	closed         sync.Once
	calls, retries int
}

func (b *bare) call() { b.calls++ } // want `calls is checked and spent by several goroutines without a lock`

func (b *bare) retry() bool {
	if b.retries*10 >= b.calls {
		return false
	}
	b.retries++ // want `retries is checked and spent by several goroutines without a lock`
	return true
}

func Bare(b *bare, k kiln, batch string) (err error) {
	b.call()
	for n := 0; ; n++ {
		if err = k.fire(batch); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.retry() {
			return err
		}
		time.Sleep(Pause)
	}
}
