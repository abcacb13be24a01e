// Package same nests retries within one package.
package same

import (
	"context"
	"errors"
	"time"
)

type remote interface {
	Get(ctx context.Context, id string) (string, error)
	Put(ctx context.Context, id string) error
}

type client struct{ remote remote }

func (c *client) get(ctx context.Context, id string) (v string, err error) {
	for i := 0; i < 3; i++ {
		if v, err = c.remote.Get(ctx, id); err == nil {
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

func (c *client) put(ctx context.Context, id string, retries int) (err error) {
	for i := 0; i <= retries; i++ {
		if err = c.remote.Put(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Nested calls a method that repeats.
func (c *client) Nested(ctx context.Context, id string) (v string, err error) {
	for range 3 {
		if v, err = c.get(ctx, id); err == nil { // want `up to 9 attempts: 3 by the loop in \(\*client\)\.Nested \(same/same\.go:\d+\) × 3 by the loop in \(\*client\)\.get`
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

// ThroughPlain has a function without a site between.
func (c *client) ThroughPlain(ctx context.Context, id string) error {
	for i := 0; ; i++ {
		err := c.plain(ctx, id) // want `up to 12 attempts: 4 by .* × 3 by`
		if err == nil || i == 3 {
			return err
		}
		time.Sleep(time.Second)
	}
}

func (c *client) plain(ctx context.Context, id string) error {
	_, err := c.get(ctx, id)
	return err
}

// Lexical nests in one body.
func (c *client) Lexical(ctx context.Context, id string) (err error) {
	for i := 0; i < 2; i++ {
		for j := 0; j < 5; j++ {
			if err = c.remote.Put(ctx, id); err == nil { // want `up to 10 attempts: 2 by .* × 5 by`
				return nil
			}
			time.Sleep(time.Second)
		}
		time.Sleep(time.Minute)
	}
	return err
}

// ByArgument gives the count at the call.
func (c *client) ByArgument(ctx context.Context, id string) (err error) {
	for range 3 {
		if err = c.put(ctx, id, 1); err == nil { // want `up to 6 attempts: 3 by .* × 2 by`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Symbolic gets the count from its caller.
func (c *client) Symbolic(ctx context.Context, id string, retries int) (err error) {
	for range 3 {
		if err = c.put(ctx, id, retries); err == nil { // want `up to 3 × \(retries \+ 1\) attempts`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// OneAttempt switches the inner retries off.
func (c *client) OneAttempt(ctx context.Context, id string) (err error) {
	for range 3 {
		if err = c.put(ctx, id, 0); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Sequential has two sites one after the other.
func (c *client) Sequential(ctx context.Context, id string) error {
	if _, err := c.get(ctx, id); err != nil {
		return err
	}
	return c.put(ctx, id, 3)
}

// Items is no retry.
func (c *client) Items(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if _, err := c.get(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// Cleanup repeats after a failure of something else only.
func (c *client) Cleanup(ctx context.Context, id string) (err error) {
	for range 3 {
		if err = c.remote.Put(ctx, id); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	_, err = c.get(ctx, id)
	return err
}

var errFinal = errors.New("final")

func (c *client) final(ctx context.Context, id string) error {
	for range 3 {
		if err := c.remote.Put(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errFinal
}

// ThreeDeep has three layers.
func (c *client) ThreeDeep(ctx context.Context, id string) (err error) {
	for i := 0; i < 2; i++ {
		if _, err = c.Nested(ctx, id); err == nil { // want `up to 18 attempts: 2 by .* × 3 by .* × 3 by`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Endless has no end.
func (c *client) Endless(ctx context.Context, id string) string {
	for {
		v, err := c.get(ctx, id) // want `unlimited attempts: unlimited by the loop in .* × 3 by`
		if err == nil {
			return v
		}
		time.Sleep(time.Second)
	}
}

// InGoroutine starts the attempts of another operation beside its own.
func (c *client) InGoroutine(ctx context.Context, id string) (err error) {
	for range 3 {
		go func() { _, _ = c.get(ctx, "audit") }()
		if err = c.remote.Put(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Suppressed is accepted.
func (c *client) Suppressed(ctx context.Context, id string) (err error) {
	for range 3 {
		if _, err = c.get(ctx, id); err == nil { //retrylint:ignore nestedretry agreed with the team of the service
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// SuppressedAbove is accepted by category.
func (c *client) SuppressedAbove(ctx context.Context, id string) (err error) {
	for range 3 {
		//retrylint:ignore nestedretry.amplification agreed with the team of the service
		if _, err = c.get(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Closures hold the inner site.
func (c *client) Closures(ctx context.Context, id string) (err error) {
	get := func() error {
		var err error
		for i := 0; i < 3; i++ {
			if _, err = c.remote.Get(ctx, id); err == nil {
				return nil
			}
			time.Sleep(time.Second)
		}
		return err
	}
	for range 2 {
		if err = get(); err == nil { // want `up to 6 attempts: 2 by .* × 3 by`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// MethodValue passes a method on.
func (c *client) MethodValue(ctx context.Context, id string) error {
	return repeat(4, c.Nested, ctx, id) // want `up to 36 attempts: 4 by same\.repeat in \(\*client\)\.MethodValue .* × 3 by .* × 3 by`
}

func repeat(n int, op func(context.Context, string) (string, error), ctx context.Context, id string) (err error) {
	for i := 0; i < n; i++ {
		if _, err = op(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Recursive is a site of five attempts around three.
func (c *client) Recursive(ctx context.Context, id string, left int) error {
	_, err := c.get(ctx, id) // want `up to \(left \+ 1\) × 3 attempts: \(left \+ 1\) by the recursion in .* × 3 by`
	if err == nil || left == 0 {
		return err
	}
	time.Sleep(time.Second)
	return c.Recursive(ctx, id, left-1)
}

// Ping and Pong call each other.
func (c *client) Ping(ctx context.Context, n int) error {
	if n == 0 {
		_, err := c.get(ctx, "ping")
		return err
	}
	return c.Pong(ctx, n-1)
}

// Pong calls Ping.
func (c *client) Pong(ctx context.Context, n int) error {
	for range 2 {
		if err := c.Ping(ctx, n); err == nil { // want `up to 6 attempts`
			return nil
		}
		time.Sleep(time.Second)
	}
	return errFinal
}

// Shared counts with one variable in both layers.
func (c *client) Shared(ctx context.Context, id string) (err error) {
	left := 5
	for left > 0 {
		if err = c.spend(ctx, id, &left); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (c *client) spend(ctx context.Context, id string, left *int) (err error) {
	for *left > 0 {
		*left--
		if err = c.remote.Put(ctx, id); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type pinger interface{ Ping() error }

type conn struct{ p pinger }

func (c *conn) ping() error { return c.p.Ping() }

// BoundConcrete executes a bound method of a type.
func BoundConcrete(c *conn) (err error) {
	ping := c.ping
	for range 3 {
		if err = ping(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// BoundInterface executes a bound method of an interface.
func BoundInterface(p pinger) (err error) {
	op := func() error { return nil }
	op = p.Ping
	for range 3 {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
