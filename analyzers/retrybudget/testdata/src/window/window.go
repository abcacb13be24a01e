// Package window has a sliding window of ten seconds, a share of a tenth and three retries a second in any case.
package window

import (
	"errors"
	"sync"
	"time"
)

const seconds = 10

var errBusy = errors.New("busy")

type window struct {
	mu      sync.Mutex
	calls   [seconds]int
	retries [seconds]int
	last    int64
}

func (w *window) slide(now int64) int64 {
	for t := max(w.last+1, now-seconds+1); t <= now; t++ {
		w.calls[t%seconds], w.retries[t%seconds] = 0, 0
	}
	w.last = now
	return now % seconds
}

func (w *window) call() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[w.slide(time.Now().Unix())]++
}

func (w *window) retry() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.slide(time.Now().Unix())
	if sum(w.retries[:]) >= 3*seconds+sum(w.calls[:])/10 {
		return false
	}
	w.retries[at]++
	return true
}

type unlocked struct {
	mu      sync.Mutex
	calls   [seconds]int
	retries [seconds]int
}

func (u *unlocked) call(at int64) {
	u.mu.Lock()
	u.calls[at%seconds]++
	u.mu.Unlock()
}

func (u *unlocked) retry(at int64) bool {
	if sum(u.retries[:]) >= 3*seconds+sum(u.calls[:])/10 {
		return false
	}
	u.retries[at%seconds]++ // want `retries is checked and spent by several goroutines without a lock`
	return true
}

func (u *unlocked) renew() {
	u.mu.Lock()
	u.calls = [seconds]int{}
	u.mu.Unlock()
}

func sum(list []int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}

type loom interface{ weave(pattern string) error }

func Weave(w *window, l loom, pattern string) (err error) {
	w.call()
	for n := 0; ; n++ {
		if err = l.weave(pattern); err == nil || n == 3 || !errors.Is(err, errBusy) || !w.retry() {
			return err
		}
		time.Sleep(Pause)
	}
}

func Unlocked(u *unlocked, l loom, pattern string) (err error) {
	u.call(time.Now().Unix())
	for n := 0; ; n++ {
		if err = l.weave(pattern); err == nil || n == 3 || !errors.Is(err, errBusy) || !u.retry(time.Now().Unix()) {
			return err
		}
		time.Sleep(Pause)
	}
}

// Attempts counts each attempt as a call: its retries widen the window.
func Attempts(w *window, l loom, pattern string) (err error) {
	for n := 0; ; n++ {
		w.call() // want `each attempt feeds the budget that admits it`
		if err = l.weave(pattern); err == nil || n == 3 || !errors.Is(err, errBusy) || !w.retry() {
			return err
		}
		time.Sleep(Pause)
	}
}
