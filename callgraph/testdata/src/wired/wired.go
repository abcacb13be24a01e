// Package wired decides by a constructor's argument how often its clients try.
package wired

import "time"

type policy interface {
	Delay(tried int) time.Duration
}

type counted struct{ most int }

func (c counted) Delay(tried int) time.Duration {
	if tried >= c.most {
		return -1
	}
	return time.Second
}

type never struct{}

func (never) Delay(int) time.Duration { return -1 }

type client struct {
	policy policy
	put    func() error
}

func newClient(p policy, put func() error) *client { return &client{policy: p, put: put} }

func wire(put func() error) (often, once *client) {
	return newClient(counted{most: 8}, put), newClient(never{}, put)
}

func (c *client) Put() (err error) {
	for tried := 1; ; tried++ {
		if err = c.put(); err == nil {
			return nil
		}
		wait := c.policy.Delay(tried)
		if wait < 0 {
			return err
		}
		time.Sleep(wait)
	}
}
