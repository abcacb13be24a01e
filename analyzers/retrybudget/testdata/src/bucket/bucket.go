// Package bucket has tokens: a tenth of one for each success, at most a hundred.
package bucket

import (
	"errors"
	"sync"
	"time"
)

var errBusy = errors.New("busy")

type bucket struct {
	mu     sync.Mutex
	tokens float64
}

func (b *bucket) succeeded() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens += 0.1; b.tokens > 100 {
		b.tokens = 100
	}
}

func (b *bucket) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

type endless struct {
	mu     sync.Mutex
	tokens float64
}

func (e *endless) succeeded() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.tokens += 0.1 // want `nothing limits tokens here`
}

func (e *endless) take() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.tokens < 1 {
		return false
	}
	e.tokens--
	return true
}

// dripping refills with the time that has passed.
type dripping struct {
	mu     sync.Mutex
	tokens float64
	last   time.Time
	size   float64
}

func (d *dripping) take() bool {
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

type brimmed struct {
	mu     sync.Mutex
	tokens float64
	last   time.Time
	size   float64
}

func (b *brimmed) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.tokens += 5 * now.Sub(b.last).Seconds()
	if b.tokens > b.size {
		b.tokens = b.size
	}
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

type well interface{ draw() error }

type taker interface{ take() bool }

func Draw(b *bucket, w well) (err error) {
	for n := 0; ; n++ {
		if err = w.draw(); err == nil {
			b.succeeded()
			return nil
		}
		if n == 3 || !errors.Is(err, errBusy) || !b.take() {
			return err
		}
		time.Sleep(Pause)
	}
}

func Endless(e *endless, w well) (err error) {
	for n := 0; ; n++ {
		if err = w.draw(); err == nil {
			e.succeeded()
			return nil
		}
		if n == 3 || !errors.Is(err, errBusy) || !e.take() {
			return err
		}
		time.Sleep(Pause)
	}
}

// Any draws with whatever budget it is given.
func Any(t taker, w well) (err error) {
	for n := 0; ; n++ {
		if err = w.draw(); err == nil || n == 3 || !errors.Is(err, errBusy) || !t.take() {
			return err
		}
		time.Sleep(Pause)
	}
}

// Refilled gives a part of a token back for every attempt, and not for a success: failures pay for retries.
func Refilled(b *bucket, w well) (err error) {
	for n := 0; ; n++ {
		err = w.draw()
		b.succeeded() // want `each attempt feeds the budget that admits it`
		if err == nil || n == 3 || !errors.Is(err, errBusy) || !b.take() {
			return err
		}
		time.Sleep(Pause)
	}
}
