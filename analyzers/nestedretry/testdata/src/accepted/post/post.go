// Package post calls layers of another package, some of which are accepted there.
package post

import (
	"context"
	"time"

	"accepted/ledger"
	"accepted/wholefile"
)

func twice(ctx context.Context, op func(context.Context, string) error) (err error) {
	for range 2 {
		if err = op(ctx, "a"); err == nil {
			return nil
		}
		time.Sleep(time.Hour)
	}
	return err
}

// Accepted are all chains of one layer.
func Accepted(ctx context.Context, c *ledger.Client) error {
	if err := twice(ctx, c.ByLine); err != nil {
		return err
	}
	if err := twice(ctx, c.ByLoop); err != nil {
		return err
	}
	if err := twice(ctx, c.ByDeclaration); err != nil {
		return err
	}
	return ledger.Again(func() error { return c.Plain(ctx, "a") })
}

// Told are chains of two layers and more that are left.
func Told(ctx context.Context, c *ledger.Client) error {
	if err := twice(ctx, c.Plain); err != nil { // want `up to 8 attempts: 2 by post\.twice in Told \(accepted/post/post\.go:\d+\) × 4 by the loop in \(\*Client\)\.Plain \(accepted/ledger/ledger\.go:\d+\)$`
		return err
	}
	if err := twice(ctx, c.Other); err != nil { // want `up to 8 attempts: 2 by post\.twice in Told .* × 4 by the loop in \(\*Client\)\.Other`
		return err
	}
	if err := twice(ctx, c.Middle); err != nil { // want `up to 6 attempts: 2 by post\.twice in Told .* × 3 by the loop in \(\*Client\)\.Middle \(accepted/ledger/ledger\.go:\d+\)$`
		return err
	}
	if err := twice(ctx, c.Inner); err != nil { // want `up to 8 attempts: 2 by post\.twice in Told .* × 4 by the loop in \(\*Client\)\.Plain \(accepted/ledger/ledger\.go:\d+\)$`
		return err
	}
	return twice(ctx, c.Both) // want `up to 8 attempts: 2 by post\.twice in Told .* × 4 by the loop in \(\*Client\)\.Plain \(accepted/ledger/ledger\.go:\d+\)$`
}

// Helper accepts what it gives to a helper: the helper's site is its own.
//
//retrylint:ignore nestedretry in a batch
func Helper(ctx context.Context, c *ledger.Client) error {
	return twice(ctx, c.Plain)
}

// AroundHelper goes round what is accepted.
func AroundHelper(ctx context.Context, c *ledger.Client) (err error) {
	for range 3 {
		if err = Helper(ctx, c); err == nil { // want `up to 12 attempts: 3 by the loop in AroundHelper .* × 4 by the loop in \(\*Client\)\.Plain`
			return nil
		}
		time.Sleep(time.Hour)
	}
	return err
}

// AroundFile goes round a file that is accepted.
func AroundFile(ctx context.Context, c *ledger.Client) (err error) {
	for range 3 {
		if err = wholefile.Read(ctx, c); err == nil { // want `up to 12 attempts: 3 by the loop in AroundFile .* × 4 by the loop in \(\*Client\)\.Plain`
			return nil
		}
		time.Sleep(time.Hour)
	}
	return err
}
