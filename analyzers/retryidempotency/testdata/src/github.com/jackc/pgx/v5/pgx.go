package pgx

import (
	"context"

	"github.com/jackc/pgx/v5/pgconn"
)

type TxOptions struct{}

type Tx interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

type Conn struct{}

func (*Conn) Begin(ctx context.Context) (Tx, error) { return nil, nil }

func (*Conn) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return pgconn.CommandTag{}, nil
}

func BeginFunc(ctx context.Context, db interface {
	Begin(context.Context) (Tx, error)
}, fn func(Tx) error) error {
	return nil
}
