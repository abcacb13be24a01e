// Package clients has clients that repeat by themselves.
package clients

import (
	"context"

	"github.com/go-resty/resty/v2"
	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
)

type Shop struct {
	again *resty.Client
	once  *resty.Client
	rdb   *redis.Client
	cache *redis.Client
	desk  *grpc.ClientConn
	query *grpc.ClientConn
}

const all = `{"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`

const reads = `{"methodConfig": [{"name": [{"service": "desk.v1.Tickets", "method": "GetTicket"}], "retryPolicy": {"maxAttempts": 3, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`

func New() (*Shop, error) {
	desk, err := grpc.NewClient("desk:443", grpc.WithDefaultServiceConfig(all))
	if err != nil {
		return nil, err
	}
	query, err := grpc.NewClient("desk:443", grpc.WithDefaultServiceConfig(reads))
	if err != nil {
		return nil, err
	}
	return &Shop{
		again: resty.New().SetRetryCount(3),
		once:  resty.New(),
		rdb:   redis.NewClient(&redis.Options{MaxRetries: 5}),
		cache: redis.NewClient(&redis.Options{}),
		desk:  desk,
		query: query,
	}, nil
}

func (s *Shop) Order(order any) error {
	_, err := s.again.R().SetBody(order).Post("https://shop/orders") // want `sends a POST, and again`
	return err
}

func (s *Shop) Keyed(order any, id string) error {
	_, err := s.again.R().SetBody(order).SetHeader("Idempotency-Key", id).Post("https://shop/orders")
	return err
}

func (s *Shop) Replace(order any) error {
	_, err := s.again.R().SetBody(order).Put("https://shop/orders/1")
	return err
}

func (s *Shop) Once(order any) error {
	_, err := s.once.R().SetBody(order).Post("https://shop/orders")
	return err
}

func (s *Shop) Count(ctx context.Context) error {
	return s.rdb.Incr(ctx, "orders").Err() // want `adds to a counter, and again`
}

// Hits leaves the default as it is.
func (s *Shop) Hits(ctx context.Context) error { return s.cache.Incr(ctx, "hits").Err() }

func (s *Shop) Open(ctx context.Context, in, out any) error {
	return s.desk.Invoke(ctx, "/desk.v1.Tickets/CreateTicket", in, out) // want `executes CreateTicket, and again`
}

func (s *Shop) Get(ctx context.Context, in, out any) error {
	return s.desk.Invoke(ctx, "/desk.v1.Tickets/GetTicket", in, out)
}

func (s *Shop) Plain(ctx context.Context, in, out any) error {
	return s.query.Invoke(ctx, "/desk.v1.Tickets/CreateTicket", in, out)
}
