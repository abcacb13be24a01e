// Package fixes has budgets that can be mended, and some that can't.
package fixes

import (
	"errors"
	"sync"
	"time"
)

const cost = 10

var errBusy = errors.New("busy")

type ledger struct {
	mu    sync.Mutex
	units int
	max   int
}

func (l *ledger) deposit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.units++ // want `nothing limits units here`
}

func (l *ledger) withdraw() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.units < cost {
		return false
	}
	l.units -= cost
	return true
}

type orchard interface{ pick(row int) error }

type picker struct {
	next   orchard
	ledger *ledger
	spare  [2]*ledger
}

func (p *picker) Each(row int) (err error) {
	for try := 0; ; try++ {
		p.ledger.deposit() // want `each attempt feeds the budget that admits it`
		err = p.next.pick(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (p *picker) Failed(row int) (err error) {
	for try := 0; ; try++ {
		if err = p.next.pick(row); err == nil {
			return nil
		}
		p.ledger.deposit() // want `each attempt feeds the budget`
		if try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return err
		}
		time.Sleep(time.Second)
	}
}

// Below sends and deposits in one, which is left alone.
func (p *picker) Below(row int) (err error) {
	for try := 0; ; try++ {
		err = p.send(row) // want `each attempt feeds the budget`
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (p *picker) send(row int) error {
	p.ledger.deposit()
	return p.next.pick(row)
}

// Chosen feeds what the loop chooses.
func (p *picker) Chosen(row int) (err error) {
	for try := 0; ; try++ {
		l := p.spare[try%2]
		l.deposit() // want `each attempt feeds the budget`
		err = p.next.pick(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !l.withdraw() {
			return err
		}
		time.Sleep(time.Second)
	}
}

// Labelled has a label before the loop.
func (p *picker) Labelled(row int) (err error) {
again:
	for try := 0; ; try++ {
		p.ledger.deposit() // want `each attempt feeds the budget`
		err = p.next.pick(row)
		if err == nil || try == 3 || !p.ledger.withdraw() {
			return err
		}
		time.Sleep(time.Second)
		continue again
	}
}

type dripping struct {
	mu     sync.Mutex
	tokens float64
	last   time.Time
	size   float64
}

func (d *dripping) retry() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	now := time.Now()
	if d.tokens < d.size {
		d.tokens += 5 * now.Sub(d.last).Seconds() // want `nothing limits tokens here`
	}
	d.last = now
	if d.tokens < 1 {
		return false
	}
	d.tokens--
	return true
}

type counted struct {
	tokens, maxTokens, ratio float64
	mu                       sync.Mutex
}

func (c *counted) retry() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tokens < 1 {
		return false
	}
	c.tokens--
	return true
}

func (c *counted) succeeded() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.tokens = c.tokens + c.ratio // want `nothing limits tokens here`
}

// nameless names no maximum: maxRetries is none of tokens.
type nameless struct {
	tokens, maxRetries float64
	mu                 sync.Mutex
}

func (n *nameless) retry() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tokens < 1 {
		return false
	}
	n.tokens--
	return true
}

func (n *nameless) succeeded() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tokens += 0.1 // want `nothing limits tokens here`
}
