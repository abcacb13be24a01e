package firestore

import "context"

type Client struct{}

type Transaction struct{}

type DocumentRef struct{}

func (*Transaction) Set(doc *DocumentRef, data any) error { return nil }

func (c *Client) RunTransaction(ctx context.Context, f func(context.Context, *Transaction) error) error {
	return nil
}
