// Package wired decides by a constructor's argument how often its clients try.
package wired

import "time"

type Policy interface {
	Delay(tried int) time.Duration
}

type Client struct {
	policy Policy
	put    func() error
}

func NewClient(p Policy, put func() error) *Client { return &Client{policy: p, put: put} }

// Put asks a policy that all callers of the constructor agree on.
func (c *Client) Put() (err error) {
	for tried := 1; ; tried++ { // counts: 8
		if err = c.put(); err == nil {
			return nil
		}
		wait := c.policy.Delay(tried) // -> (counted).Delay
		if wait < 0 {
			return err
		}
		time.Sleep(wait)
	}
}

type Torn struct {
	policy Policy
	tries  int
	put    func() error
}

func NewTorn(p Policy, tries int, put func() error) *Torn {
	return &Torn{policy: p, tries: tries, put: put}
}

// Put asks a policy that is one here and another there.
func (c *Torn) Put() (err error) {
	for tried := 1; ; tried++ {
		if err = c.put(); err == nil {
			return nil
		}
		wait := c.policy.Delay(tried) // -> (counted).Delay, (never).Delay
		if wait < 0 {
			return err
		}
		time.Sleep(wait)
	}
}

// Get has a number that all callers agree on.
func (c *Torn) Get() (err error) {
	for range c.tries { // counts: 6
		if err = c.put(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
