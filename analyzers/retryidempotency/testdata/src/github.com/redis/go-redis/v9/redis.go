package redis

import "context"

type Options struct {
	Addr       string
	MaxRetries int
}

type cmdable func(ctx context.Context) error

type Client struct{ cmdable }

type IntCmd struct{}

func (*IntCmd) Err() error             { return nil }
func (*IntCmd) Result() (int64, error) { return 0, nil }

func NewClient(*Options) *Client { return new(Client) }

func (c cmdable) Incr(ctx context.Context, key string) *IntCmd                 { return nil }
func (c cmdable) LPush(ctx context.Context, key string, values ...any) *IntCmd { return nil }
func (c cmdable) HSet(ctx context.Context, key string, values ...any) *IntCmd  { return nil }
