package grpc

import "context"

type CallOption interface{ apply() }

type DialOption interface{ apply() }

type ClientConn struct{}

func NewClient(target string, opts ...DialOption) (*ClientConn, error) { return nil, nil }

func WithDefaultServiceConfig(s string) DialOption { return nil }

func (cc *ClientConn) Invoke(ctx context.Context, method string, args, reply any, opts ...CallOption) error {
	return nil
}

type ClientConnInterface interface {
	Invoke(ctx context.Context, method string, args, reply any, opts ...CallOption) error
}
