// Package stock is a client that makes three attempts by itself.
package stock

import (
	"context"
	"errors"
	"time"

	"again"
)

// ErrGone is final.
var ErrGone = errors.New("gone")

type transport interface {
	Send(ctx context.Context, path string) (string, error)
}

// Client asks the stock service.
type Client struct {
	t transport
	r *again.Retrier
}

// New returns a client.
func New(t transport) *Client { return &Client{t: t, r: again.NewRetrier().Max(4)} }

// Level makes three attempts.
func (c *Client) Level(ctx context.Context, sku string) (level string, err error) {
	for i := 0; i < 3; i++ {
		if level, err = c.t.Send(ctx, "/level/"+sku); err == nil {
			return level, nil
		}
		time.Sleep(time.Second)
	}
	return level, err
}

// Reserve makes four.
func (c *Client) Reserve(ctx context.Context, sku string) error {
	return c.r.Do(func() error {
		_, err := c.t.Send(ctx, "/reserve/"+sku)
		return err
	})
}

// Once makes one attempt.
func (c *Client) Once(ctx context.Context, sku string) (string, error) {
	return c.t.Send(ctx, "/level/"+sku)
}

// Limited makes as many attempts as its caller says.
func (c *Client) Limited(ctx context.Context, sku string, tries int) error {
	return again.Do(ctx, tries, func(ctx context.Context) error {
		_, err := c.t.Send(ctx, sku)
		return err
	})
}

// A Source yields levels.
type Source interface {
	Level(ctx context.Context, sku string) (string, error)
}

// Repeated is a decorator.
type Repeated struct {
	inner Source
	n     int
}

// NewRepeated makes a Source that makes n attempts at s.
func NewRepeated(s Source, n int) *Repeated { return &Repeated{s, n} }

// Level repeats the inner Level.
func (r *Repeated) Level(ctx context.Context, sku string) (level string, err error) {
	for range r.n {
		if level, err = r.inner.Level(ctx, sku); err == nil {
			return level, nil
		}
		time.Sleep(time.Second)
	}
	return level, err
}
