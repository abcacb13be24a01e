// Package credit has the integer credit: an original adds one unit up to a limit, a retry costs ten.
package credit

import (
	"context"
	"errors"
	"sync"
	"time"
)

const (
	cost  = 10
	burst = 20
)

var errBusy = errors.New("busy")

type ledger struct {
	mu    sync.Mutex
	units int
}

func (l *ledger) deposit() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.units < burst*cost {
		l.units++
	}
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

type orchard interface{ pick(row int) (int, error) }

type picker struct {
	next   orchard
	ledger *ledger
}

func (p *picker) Once(row int) (n int, err error) {
	p.ledger.deposit()
	for try := 0; ; try++ {
		n, err = p.next.pick(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

func (p *picker) Each(row int) (n int, err error) {
	for try := 0; ; try++ {
		p.ledger.deposit() // want `each attempt feeds the budget that admits it`
		n, err = p.next.pick(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

func (p *picker) First(row int) (n int, err error) {
	for try := 0; ; try++ {
		if try == 0 {
			p.ledger.deposit()
		}
		n, err = p.next.pick(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

func (p *picker) Failed(row int) (n int, err error) {
	for try := 0; ; try++ {
		n, err = p.next.pick(row)
		if err == nil {
			return n, nil
		}
		p.ledger.deposit() // want `each attempt feeds the budget`
		if try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

func (p *picker) Succeeded(row int) (n int, err error) {
	for try := 0; ; try++ {
		n, err = p.next.pick(row)
		if err == nil {
			p.ledger.deposit()
			return n, nil
		}
		if try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

// send deposits wherever it is called from.
func (p *picker) send(row int) (int, error) {
	p.ledger.deposit()
	return p.next.pick(row)
}

func (p *picker) Below(row int) (n int, err error) {
	for try := 0; ; try++ {
		n, err = p.send(row) // want `each attempt feeds the budget`
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

// count deposits only if nothing went wrong.
func (p *picker) count(row int) (int, error) {
	n, err := p.next.pick(row)
	if err != nil {
		return 0, err
	}
	p.ledger.deposit()
	return n, nil
}

func (p *picker) BelowOnSuccess(row int) (n int, err error) {
	for try := 0; ; try++ {
		n, err = p.count(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !p.ledger.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

// optional budgets may be nil, which switches them off.
type optional struct{ ledger *ledger }

func (o *optional) deposit() {
	if o == nil {
		return
	}
	o.ledger.deposit()
}

func (o *optional) withdraw() bool {
	if o == nil {
		return true
	}
	return o.ledger.withdraw()
}

type gatherer struct {
	next   orchard
	budget *optional
	extra  *ledger
}

func (g *gatherer) Off(row int) (n int, err error) {
	for try := 0; ; try++ {
		n, err = g.next.pick(row)
		g.budget.deposit() // want `each attempt feeds the budget`
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !g.budget.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

func (g *gatherer) Asked(row int) (n int, err error) {
	for try := 0; ; try++ {
		if g.extra != nil {
			g.extra.deposit() // want `each attempt feeds the budget`
		}
		n, err = g.next.pick(row)
		if err == nil || try == 3 || !errors.Is(err, errBusy) || g.extra != nil && !g.extra.withdraw() {
			return n, err
		}
		time.Sleep(Pause)
	}
}

type basket struct{ fruits int }

type field interface {
	gather(row int) (*basket, error)
}

// Full feeds when there is something in hand.
func (g *gatherer) Full(f field, row int) (b *basket, err error) {
	for try := 0; ; try++ {
		b, err = f.gather(row)
		if b != nil {
			g.extra.deposit()
		}
		if err == nil || try == 3 || !errors.Is(err, errBusy) || !g.extra.withdraw() {
			return b, err
		}
		time.Sleep(Pause)
	}
}

// Asking asks first whether anybody waits for it.
func (g *gatherer) Asking(ctx context.Context, row int) (err error) {
	for try := 0; try < 3; try++ {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if try > 0 && !g.budget.withdraw() {
			return err
		}
		_, err = g.next.pick(row)
		g.budget.deposit() // want `each attempt feeds the budget`
		if err == nil {
			return nil
		}
	}
	return err
}
