package same

import (
	"context"
	"errors"
	"time"
)

// patience is what several loops wait with: together they wait as long as it allows.
type patience struct{ slept, limit time.Duration }

func (p *patience) rest(cause error) error {
	if p.slept >= p.limit {
		return errors.Join(errors.New("no time left"), cause)
	}
	p.slept += time.Second
	time.Sleep(time.Second)
	return nil
}

func newPatience() *patience { return &patience{limit: time.Minute} }

// OnePatience has two loops that wait with one object: no chain.
func OnePatience(r pinger) error {
	p := newPatience()
	for {
		err := askPatiently(r, p)
		if err == nil {
			return nil
		}
		if err := p.rest(err); err != nil {
			return err
		}
	}
}

func askPatiently(r pinger, p *patience) error {
	for {
		err := r.Ping()
		if err == nil {
			return nil
		}
		if err := p.rest(err); err != nil {
			return err
		}
	}
}

// TwoPatiences has an object for each loop.
func TwoPatiences(r pinger) error {
	p := newPatience()
	for {
		err := askAlone(r) // want `up to n × n attempts: n by the loop in TwoPatiences \(n: until it refuses to wait for another, same/patience.go:\d+\) × n by the loop in askAlone`
		if err == nil {
			return nil
		}
		if err := p.rest(err); err != nil {
			return err
		}
	}
}

func askAlone(r pinger) error {
	p := newPatience()
	for {
		err := r.Ping()
		if err == nil {
			return nil
		}
		if err := p.rest(err); err != nil {
			return err
		}
	}
}

// repeatUnlessNegative has no end for numbers below zero.
func repeatUnlessNegative(n int, op func() error) (err error) {
	for i := 0; i < n || n < 0; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// NegativeIsEndless repeats without an end, and NegativeIsNone not at all.
func NegativeIsEndless(r pinger) error {
	return repeatUnlessNegative(-1, func() error { // want `unlimited attempts: unlimited by same.repeatUnlessNegative in NegativeIsEndless \(without an end, same/patience.go:\d+\) × 4 by same.repeatUnlessNegative`
		return repeatUnlessNegative(4, r.Ping)
	})
}

func NegativeIsNone(r pinger) error {
	return repeat(-1, func(context.Context, string) (string, error) {
		return "", repeatUnlessNegative(4, r.Ping)
	}, context.Background(), "")
}
