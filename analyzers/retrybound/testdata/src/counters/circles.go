package counters

import (
	"errors"
	"time"
)

func (h *hall) Open() error {
	h.retries = 0
	err := h.door.Open()
	if errors.Is(err, errStuck) {
		return h.reopen(err)
	}
	return err
}

func (h *hall) reopen(reason error) error {
	h.retries++
	if h.retries > most {
		return reason
	}
	time.Sleep(time.Second)
	return h.Open() // want `the counter never reaches its limit: Open sets it back in each round`
}

func unchanged(d Door, left int) error {
	err := d.Open()
	if err == nil || left == 0 {
		return err
	}
	time.Sleep(time.Second)
	return unchanged(d, left) // want `left never reaches its limit`
}

func endless(d Door) error {
	if err := d.Open(); err != nil {
		time.Sleep(time.Second)
		return endless(d) // want `nothing ends the attempts: the function calls itself`
	}
	return nil
}

// The rest is silent.

func counted(d Door, left int) error {
	err := d.Open()
	if err == nil || left == 0 {
		return err
	}
	time.Sleep(time.Second)
	return counted(d, left-1)
}

type gate struct {
	door    Door
	retries int
}

// Open begins to count, and then leaves it to the others.
func (g *gate) Open() error {
	g.retries = 0
	return g.open()
}

func (g *gate) open() error {
	if err := g.door.Open(); err != nil {
		return g.reopen(err)
	}
	return nil
}

func (g *gate) reopen(reason error) error {
	if g.retries++; g.retries > most {
		return reason
	}
	time.Sleep(time.Second)
	return g.open()
}

// until has a time limit.
func until(d Door, deadline time.Time) error {
	err := d.Open()
	if err == nil || time.Now().After(deadline) {
		return err
	}
	time.Sleep(time.Second)
	return until(d, deadline)
}
