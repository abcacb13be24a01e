// Package finagle has a budget as Finagle's: each request deposits, a retry costs five deposits, deposits end after ten
// seconds, and ten retries a second are free.
package finagle

import (
	"errors"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

const (
	slots    = 10
	cost     = 5
	reserve  = 10 * slots * cost
	oneSlots = int64(time.Second)
)

type budget struct {
	mu    sync.Mutex
	slots [slots]int
	at    int64
}

func (b *budget) expire() {
	now := time.Now().UnixNano() / oneSlots
	for ; b.at < now; b.at++ {
		b.slots[(b.at+1)%slots] = 0
	}
}

func (b *budget) balance() int {
	n := reserve
	for _, s := range b.slots {
		n += s
	}
	return n
}

func (b *budget) deposit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire()
	b.slots[b.at%slots]++
}

func (b *budget) tryWithdraw() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire()
	if b.balance() < cost {
		return false
	}
	b.slots[b.at%slots] -= cost
	return true
}

type gate interface{ open() error }

func Open(b *budget, g gate) (err error) {
	b.deposit()
	for n := 0; ; n++ {
		if err = g.open(); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.tryWithdraw() {
			return err
		}
		time.Sleep(Pause)
	}
}

// OpenEach deposits for each attempt: every fifth retry is paid for by retries.
func OpenEach(b *budget, g gate) (err error) {
	for n := 0; ; n++ {
		b.deposit() // want `each attempt feeds the budget that admits it`
		if err = g.open(); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.tryWithdraw() {
			return err
		}
		time.Sleep(Pause)
	}
}

// hoard keeps what was deposited for ever, and as much as there was.
type hoard struct {
	mu    sync.Mutex
	units int
}

func (h *hoard) deposit() {
	h.mu.Lock()
	h.units++ // want `nothing limits units here`
	h.mu.Unlock()
}

func (h *hoard) tryWithdraw() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.units < cost {
		return false
	}
	h.units -= cost
	return true
}

func OpenHoard(h *hoard, g gate) (err error) {
	h.deposit()
	for n := 0; ; n++ {
		if err = g.open(); err == nil || n == 3 || !errors.Is(err, errBusy) || !h.tryWithdraw() {
			return err
		}
		time.Sleep(Pause)
	}
}
