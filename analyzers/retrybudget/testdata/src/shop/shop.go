// Package shop sells with the budgets of another package.
package shop

import (
	"errors"
	"net"
	"time"

	"retries"
)

var errBusy = errors.New("busy")

type till interface{ ring(item string) error }

type counter struct {
	till   till
	budget *retries.Budget
}

func New(t till) *counter { return &counter{t, retries.New(10)} }

func (c *counter) Sell(item string) (err error) {
	c.budget.Deposit()
	for n := 0; ; n++ {
		if err = c.till.ring(item); err == nil || n == 3 || !errors.Is(err, errBusy) || !c.budget.TryRetry() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *counter) once(item string) error {
	c.budget.Deposit()
	return c.till.ring(item)
}

func (c *counter) SellEach(item string) (err error) {
	for n := 0; ; n++ {
		err = c.once(item) // want `each attempt feeds the budget that admits it`
		if err == nil || n == 3 || !errors.Is(err, errBusy) || !c.budget.TryRetry() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *counter) SellEarly(item string) (err error) {
	c.budget.Deposit()
	for n := 0; ; n++ {
		if err = c.till.ring(item); err == nil || !c.budget.TryRetry() || n == 3 || !errors.Is(err, errBusy) { // want `the budget is charged before the failure is classified`
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *counter) SellAlone(item string) (err error) {
	b := retries.New(10) // want `this budget is made for each call of SellAlone`
	b.Deposit()
	for n := 0; ; n++ {
		if err = c.till.ring(item); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.TryRetry() {
			return err
		}
		time.Sleep(time.Second)
	}
}

// may charges before it looks.
func (c *counter) may(err error, b *own) bool {
	return b.take() && errors.Is(err, errBusy) // want `the budget is charged before the failure is classified`
}

func (c *counter) might(err error, b *own) bool { return errors.Is(err, errBusy) && b.take() }

type own struct {
	left chan struct{}
	n    int
}

func (o *own) take() bool {
	if o.n == 0 {
		return false
	}
	o.n--
	return true
}

func (o *own) renew() { o.n = 10 }

func (c *counter) SellMay(item string, b *own) (err error) {
	for n := 0; ; n++ {
		if err = c.till.ring(item); err == nil || n == 3 || !c.may(err, b) {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *counter) SellMight(item string, b *own) (err error) {
	for n := 0; ; n++ {
		if err = c.till.ring(item); err == nil || n == 3 || !c.might(err, b) {
			return err
		}
		time.Sleep(time.Second)
	}
}

func sell(t till, item string, b *retries.Budget) (err error) {
	for n := 0; ; n++ {
		if err = t.ring(item); err == nil || n == 3 || !errors.Is(err, errBusy) || !b.TryRetry() {
			return err
		}
		time.Sleep(time.Second)
	}
}

// serve has a budget for each connection.
func serve(conn net.Conn, t till, items []string) {
	b := retries.New(10) // want `this budget is made for each call of serve`
	for _, item := range items {
		if sell(t, item, b) != nil {
			return
		}
	}
}

type booth struct {
	till    till
	account *retries.Account
}

func (b *booth) Sell(item string) (err error) {
	b.account.Pay()
	for n := 0; ; n++ {
		if err = b.till.ring(item); err == nil || n == 3 || !errors.Is(err, errBusy) {
			return err
		}
		if _, refused := b.account.Draw(); refused != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (b *booth) SellEach(item string) (err error) {
	for n := 0; ; n++ {
		b.account.Pay() // want `each attempt feeds the budget that admits it`
		if err = b.till.ring(item); err == nil || n == 3 || !errors.Is(err, errBusy) {
			return err
		}
		if _, refused := b.account.Draw(); refused != nil {
			return err
		}
		time.Sleep(time.Second)
	}
}
