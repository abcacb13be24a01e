// Package facts holds functions whose summaries callers in other packages need. The comments say what the fact of the
// declaration on their line tells: the sites on each path, and what is executed in them.
package facts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Conn is what the functions repeat.
type Conn interface {
	Ping(ctx context.Context) error
}

// Fixed makes three attempts.
func Fixed(ctx context.Context, c Conn) (err error) { // want Fixed:`loop 3`
	for range 3 {
		if err = c.Ping(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Accepted makes three attempts, which a directive accepts.
func Accepted(ctx context.Context, c Conn) (err error) { // want Accepted:`loop 3 accepted`
	for range 3 {
		if err = c.Ping(ctx); err == nil { //retrylint:ignore nestedretry one lost packet
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// AroundAccepted has another layer.
func AroundAccepted(ctx context.Context, c Conn) (err error) { // want AroundAccepted:`loop 2 × loop 3 accepted`
	for range 2 {
		if err = Accepted(ctx, c); err == nil {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}

// ByParameter makes tries attempts at op.
func ByParameter(tries int, op func() error) (err error) { // want ByParameter:`loop tries × op`
	for i := 0; i < tries; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Wrapped passes the operation on.
func Wrapped(op func() error) error { return ByParameter(4, op) } // want Wrapped:`loop 4 × op`

// Endless goes on until ctx is done.
func Endless(ctx context.Context, op func() error) { // want Endless:`loop unlimited × op`
	for ctx.Err() == nil {
		if op() == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// Nested has two layers.
func Nested(ctx context.Context, c Conn) (err error) { // want Nested:`loop 2 × loop 3`
	for range 2 {
		if err = Fixed(ctx, c); err == nil {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}

// Config is a setting.
type Config struct {
	Retries int           // want Retries:"holds 2"
	wait    time.Duration // want wait:"holds 1000000000"
}

// Default returns what most callers want.
func Default() Config { return Config{Retries: 2, wait: time.Second} } // want Default:"values"

// Retry makes 1 + c.Retries attempts.
func (c *Config) Retry(op func() error) (err error) { // want Retry:`loop c\.Retries \+ 1 × op`
	for i := 0; i <= c.Retries; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(c.wait)
	}
	return err
}

// Option changes a Config.
type Option func(*Config)

// WithRetries sets the number of retries.
func WithRetries(n int) Option { return func(c *Config) { c.Retries = n } } // want WithRetries:"values"

// Make returns a function that repeats.
func Make(n int) func(func() error) error { // want Make:"values"
	return func(op func() error) error { return ByParameter(n, op) }
}

// Limit is a number for all.
var Limit = 5 // want Limit:"holds 5"

// Client has a setting that its constructor fixes.
type Client struct {
	conn  Conn
	tries int // want tries:"holds 6"
}

// New returns a Client.
func New(c Conn) *Client { return &Client{conn: c, tries: 6} } // want New:"values"

// Plain has nothing to say.
func Plain(a, b string) (int, error) { return strings.Index(a, b), nil }

// Items is a loop, and no site.
func Items(ctx context.Context, list []Conn) error {
	for _, c := range list {
		if err := c.Ping(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Errors that are told apart.
var (
	ErrUsedUp = errors.New("used up")
	ErrBusy   = errors.New("busy")
	ErrOld    = ErrUsedUp // want ErrOld:`=facts.ErrUsedUp!`
)

// A Refusal is an error of a type.
type Refusal struct{ why error }

func (r *Refusal) Error() string { return fmt.Sprint("refused: ", r.why) }

// GivesUp ends with its own error.
func GivesUp(op func() error) (err error) { // want GivesUp:`loop 3 × op, then \*fmt.wrapErrors =facts.ErrUsedUp! \(\)`
	for range 3 {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return fmt.Errorf("%w: %w", ErrUsedUp, err)
}

// Either ends with one of two.
func Either(op func() error) error { // want Either:`loop 3 × op, then \*facts.Refusal or =facts.ErrUsedUp!`
	code := 0
	for range 3 {
		if op() == nil {
			return nil
		}
		code++
		time.Sleep(time.Second)
	}
	if code > 2 {
		return &Refusal{errors.New("no")}
	}
	return ErrOld
}

// Refuse has no site, but its errors are known.
func Refuse(code int) error { // want Refuse:`fails with \*facts.Refusal`
	if code == 0 {
		return nil
	}
	return &Refusal{errors.New("no")}
}

// Worth answers about errors.
func Worth(err error) bool { // want Worth:`yes to is =facts.ErrBusy, no to else`
	var refusal *Refusal
	return errors.Is(err, ErrBusy) || errors.As(err, &refusal) && refusal.why == nil
}
