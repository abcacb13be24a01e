// Package atomics has allowances in atomic numbers.
package atomics

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

var errBusy = errors.New("busy")

type ferry interface{ cross() error }

type split struct{ left atomic.Int64 }

func (s *split) renew() { s.left.Store(50) }

func (s *split) take() bool {
	if s.left.Load() <= 0 {
		return false
	}
	s.left.Add(-1) // want `left is read and written in two steps`
	return true
}

type added struct{ left atomic.Int64 }

func (a *added) renew() { a.left.Store(50) }

func (a *added) take() bool { return a.left.Add(-1) >= 0 }

type swapped struct{ left atomic.Int64 }

func (s *swapped) renew() { s.left.Store(50) }

func (s *swapped) take() bool {
	for {
		n := s.left.Load()
		if n <= 0 {
			return false
		}
		if s.left.CompareAndSwap(n, n-1) {
			return true
		}
	}
}

type plain struct{ left int64 }

func (p *plain) renew() { atomic.StoreInt64(&p.left, 50) }

func (p *plain) take() bool {
	if n := atomic.LoadInt64(&p.left); n > 0 {
		atomic.StoreInt64(&p.left, n-1) // want `left is read and written in two steps`
		return true
	}
	return false
}

type reader struct {
	mu   sync.RWMutex
	left int
}

func (r *reader) renew() {
	r.mu.Lock()
	r.left = 50
	r.mu.Unlock()
}

func (r *reader) take() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if r.left == 0 {
		return false
	}
	r.left-- // want `left is written under a lock that readers share`
	return true
}

type twice struct {
	mu   sync.Mutex
	left int
}

func (t *twice) renew() {
	t.mu.Lock()
	t.left = 50
	t.mu.Unlock()
}

func (t *twice) take() bool {
	t.mu.Lock()
	empty := t.left == 0
	t.mu.Unlock()
	if empty {
		return false
	}
	t.mu.Lock()
	t.left-- // want `left was checked before this lock was taken`
	t.mu.Unlock()
	return true
}

// rechecked looks first without the lock, and again with it.
type rechecked struct {
	mu   sync.Mutex
	left int
}

func (r *rechecked) renew() {
	r.mu.Lock()
	r.left = 50
	r.mu.Unlock()
}

func (r *rechecked) take() bool {
	r.mu.Lock()
	empty := r.left == 0
	r.mu.Unlock()
	if empty {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left == 0 {
		return false
	}
	r.left--
	return true
}

type taker interface{ take() bool }

func Cross(f ferry, t taker) (err error) {
	for n := 0; ; n++ {
		if err = f.cross(); err == nil || n == 3 || !errors.Is(err, errBusy) || !t.take() {
			return err
		}
		time.Sleep(Pause)
	}
}

// spent counts the attempts of one crossing: nobody shares it.
type spent struct{ n int }

func (s *spent) again() bool {
	s.n++
	return s.n < 4
}

func Alone(f ferry) (err error) {
	s := &spent{}
	for {
		if err = f.cross(); err == nil || !errors.Is(err, errBusy) || !s.again() {
			return err
		}
		time.Sleep(Pause)
	}
}
