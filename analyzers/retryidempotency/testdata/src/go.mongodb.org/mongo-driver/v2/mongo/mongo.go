package mongo

import "context"

type Session struct{}

func (*Session) WithTransaction(ctx context.Context, fn func(ctx context.Context) (any, error)) (any, error) {
	return nil, nil
}

type Collection struct{}

func (*Collection) InsertOne(ctx context.Context, document any) (any, error) { return nil, nil }

func (*Collection) UpdateOne(ctx context.Context, filter, update any) (any, error) { return nil, nil }
