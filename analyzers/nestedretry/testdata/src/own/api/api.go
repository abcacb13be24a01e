// Package api is a client whose transport tries again.
package api

import "context"

type transport interface {
	Send(ctx context.Context, path string) (string, error)
}

// Client asks a service.
type Client struct{ t transport }

// Get makes five attempts, as the transport does.
func (c *Client) Get(ctx context.Context, path string) (string, error) { return c.t.Send(ctx, path) }

// Once isn't configured.
func (c *Client) Once(ctx context.Context, path string) (string, error) { return c.t.Send(ctx, path) }
