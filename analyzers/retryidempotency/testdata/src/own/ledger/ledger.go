// Package ledger writes to another service. Its bodies tell nothing.
package ledger

import "context"

type Entry struct {
	Cents   int
	Voucher string
}

type Ledger interface {
	Book(ctx context.Context, e Entry, voucher string) error
	Balance(ctx context.Context) (int, error)
}

type Client struct{}

func (*Client) Transfer(ctx context.Context, cents int, reference string) error

func Send(ctx context.Context, to string) error

func Look(ctx context.Context, to string) error
