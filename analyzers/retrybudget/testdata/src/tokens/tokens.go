// Package tokens keeps the retries that are left in a channel.
package tokens

import (
	"context"
	"errors"
	"net/http"
	"time"
)

var errBusy = errors.New("busy")

type bucket struct {
	left chan struct{}
	done chan struct{}
}

func newBucket(n int) *bucket {
	b := &bucket{left: make(chan struct{}, n), done: make(chan struct{})}
	for range n {
		b.left <- struct{}{}
	}
	return b
}

func (b *bucket) take() bool {
	select {
	case <-b.left:
		return true
	default:
		return false
	}
}

func (b *bucket) give() {
	select {
	case b.left <- struct{}{}:
	default:
	}
}

// fill puts a token in each second.
func (b *bucket) fill() {
	for range time.Tick(time.Second) {
		b.give()
	}
}

func (b *bucket) over() bool {
	select {
	case <-b.done:
		return true
	default:
		return false
	}
}

type Crane interface {
	Lift(ctx context.Context) error
}

type yard struct {
	crane  Crane
	bucket *bucket
}

func newYard(c Crane) *yard {
	y := &yard{crane: c, bucket: newBucket(20)}
	go y.bucket.fill()
	return y
}

func (y *yard) sound(ctx context.Context) error {
	for n := 0; ; n++ {
		err := y.crane.Lift(ctx)
		if err == nil || n == 3 || !errors.Is(err, errBusy) || y.bucket.over() || !y.bucket.take() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (y *yard) early(ctx context.Context) error {
	for n := 0; ; n++ {
		err := y.crane.Lift(ctx)
		if err == nil {
			return nil
		}
		if !y.bucket.take() || !errors.Is(err, errBusy) || n == 3 { // want `the budget is charged before the failure is classified`
			return err
		}
		time.Sleep(time.Second)
	}
}

func (y *yard) fed(ctx context.Context) error {
	for n := 0; ; n++ {
		err := y.crane.Lift(ctx)
		y.bucket.give() // want `each attempt feeds the budget that admits it`
		if err == nil || n == 3 || !errors.Is(err, errBusy) || !y.bucket.take() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (y *yard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	own := yard{crane: y.crane, bucket: newBucket(20)} // want `this budget is made for each call of ServeHTTP`
	if err := own.sound(r.Context()); err != nil {
		w.WriteHeader(http.StatusBadGateway)
	}
}

// A berth bounds how many are under way.
type berth struct {
	crane Crane
	taken chan struct{}
}

func (b *berth) lift(ctx context.Context) error {
	err := b.crane.Lift(ctx)
	for n := 0; n < 3 && errors.Is(err, errBusy); n++ {
		select {
		case b.taken <- struct{}{}:
		default:
			return err
		}
		time.Sleep(time.Second)
		err = b.crane.Lift(ctx)
		<-b.taken
	}
	return err
}

// A pool lends what is given back.
type pool struct {
	crane Crane
	free  chan struct{}
}

func (p *pool) get() bool {
	select {
	case <-p.free:
		return true
	default:
		return false
	}
}

func (p *pool) put() { p.free <- struct{}{} }

func (p *pool) lift(ctx context.Context) error {
	for n := 0; ; n++ {
		if !p.get() {
			return errBusy
		}
		err := p.crane.Lift(ctx)
		p.put()
		if err == nil || n == 3 || !errors.Is(err, errBusy) {
			return err
		}
		time.Sleep(time.Second)
	}
}

// again is a helper with a budget of its own.
func again(b *bucket, op func() error) error {
	for n := 0; ; n++ {
		err := op()
		if err == nil || n == 3 || !errors.Is(err, errBusy) || !b.take() {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (y *yard) fedInside(ctx context.Context) error {
	return again(y.bucket, func() error {
		y.bucket.give() // want `each attempt feeds the budget that admits it`
		return y.crane.Lift(ctx)
	})
}

func (y *yard) fedBefore(ctx context.Context) error {
	y.bucket.give()
	return again(y.bucket, func() error { return y.crane.Lift(ctx) })
}

// A decorated crane is a crane itself.
type decorated struct {
	next   Crane
	bucket *bucket
}

func (d *decorated) Lift(ctx context.Context) error {
	for n := 0; ; n++ {
		err := d.next.Lift(ctx)
		d.bucket.give() // want `each attempt feeds the budget that admits it`
		if err == nil || n == 3 || !errors.Is(err, errBusy) || !d.bucket.take() {
			return err
		}
		time.Sleep(time.Second)
	}
}
