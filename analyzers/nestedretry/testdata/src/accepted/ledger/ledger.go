// Package ledger has layers that directives accept.
package ledger

import (
	"context"
	"net/http"
	"time"
)

// A Client reads a ledger.
type Client struct{ http *http.Client }

func (c *Client) get(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Plain is not accepted.
func (c *Client) Plain(ctx context.Context, url string) (err error) {
	for range 4 {
		if err = c.get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// ByLine is accepted where its operation is.
func (c *Client) ByLine(ctx context.Context, url string) (err error) {
	for range 4 {
		if err = c.get(ctx, url); err == nil { //retrylint:ignore nestedretry one lost packet, and no more
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// ByLoop is accepted where chains say that it is.
func (c *Client) ByLoop(ctx context.Context, url string) (err error) {
	//retrylint:ignore nestedretry.amplification one lost packet, and no more
	for range 4 {
		if err = c.get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// ByDeclaration is accepted as a whole.
//
//retrylint:ignore nestedretry one lost packet, and no more
func (c *Client) ByDeclaration(ctx context.Context, url string) (err error) {
	for range 4 {
		if err = c.get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Other is about another rule.
//
//retrylint:ignore retrybackoff one lost packet, and no more
func (c *Client) Other(ctx context.Context, url string) (err error) {
	for range 4 {
		if err = c.get(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Again is a helper whose loop is accepted.
func Again(op func() error) (err error) {
	for range 4 {
		if err = op(); err == nil { //retrylint:ignore nestedretry one lost packet, and no more
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Middle has a layer around one that is accepted: it has none below.
func (c *Client) Middle(ctx context.Context, url string) (err error) {
	for range 3 {
		if err = c.ByLine(ctx, url); err == nil {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}

// Inner has an accepted layer around one that isn't.
func (c *Client) Inner(ctx context.Context, url string) (err error) {
	for range 3 {
		if err = c.Plain(ctx, url); err == nil { //retrylint:ignore nestedretry once a day
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}

// Both may go either way: only one of them is accepted.
func (c *Client) Both(ctx context.Context, url string) (err error) {
	if err = c.ByLine(ctx, url); err != nil {
		err = c.Plain(ctx, url)
	}
	return err
}

// refresh is accepted with the variable that holds it.
//
//retrylint:ignore nestedretry at startup only
var refresh = func(ctx context.Context, c *Client) (err error) {
	for range 2 {
		if err = c.Plain(ctx, "a"); err == nil {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}
