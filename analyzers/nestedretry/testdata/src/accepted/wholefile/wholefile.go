// Package wholefile is accepted.
//
//retrylint:ignore nestedretry a tool that somebody watches
package wholefile

import (
	"context"
	"time"

	"accepted/ledger"
)

// Read is a layer that is accepted, as is the chain that begins here.
func Read(ctx context.Context, c *ledger.Client) (err error) {
	for range 5 {
		if err = c.Plain(ctx, "a"); err == nil {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return err
}
