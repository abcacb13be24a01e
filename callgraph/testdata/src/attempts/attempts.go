// Package attempts has the comment "again: F, G" beside each call that an attempt of a retry in F or G executes. Helpers
// that only hold the loop say so for their own loop: there the operation is a value.
package attempts

import (
	"errors"
	"time"
)

type client struct{ addr string }

func (c *client) dial() error  { return errors.New(c.addr) } // again: Loop, Given, Nested
func (c *client) write() error { return c.flush() }          // again: Loop, Method
func (c *client) flush() error { return send(c.addr) }       // again: Loop, Method
func (c *client) close()       { send("bye") }

func send(string) error { return errors.New("down") } // again: Loop, Method, Branch

func Loop(c *client) (err error) {
	c.close()
	for range 3 {
		if err = c.dial(); err != nil { // again: Loop
			time.Sleep(time.Second) // again: Loop
			continue
		}
		if err = c.write(); err == nil { // again: Loop
			return nil
		}
	}
	return err
}

func again(n int, op func() error) (err error) {
	for range n {
		if err = op(); err == nil { // again: again
			return nil
		}
	}
	return err
}

func Given(c *client) error {
	return again(3, func() error {
		return c.dial() // again: Given
	})
}

func Method(c *client) error { return again(4, c.write) }

func Nested(c *client) error {
	op := func() error {
		check := func() error { return c.dial() } // again: Nested
		return check()                            // again: Nested
	}
	return twice(op)
}

func twice(op func() error) error { return again(2, op) }

func Branch(fast bool) error {
	op := func() error { return send("slow") } // again: Branch
	if fast {
		op = func() error { return send("fast") } // again: Branch
	}
	return again(2, op)
}
