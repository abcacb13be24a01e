package detached

import "context"

type roll interface {
	Context() context.Context
	CloseSend() error
	RecvMsg(m any) error
	SendMsg(m any) error
}

type mill interface {
	Feed(ctx context.Context) (roll, error)
}

type line struct {
	mill mill
	roll roll
}

// connect opens a stream that outlives whoever needs it first.
func (l *line) connect(ctx context.Context) (err error) {
	for range 3 {
		var r roll
		if r, err = l.mill.Feed(context.WithoutCancel(ctx)); err == nil {
			l.roll = r
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// once uses the stream for this attempt only.
func (l *line) once(ctx context.Context) (err error) {
	for range 3 {
		var r roll
		if r, err = l.mill.Feed(context.WithoutCancel(ctx)); err == nil { // want `the attempt runs under context.WithoutCancel`
			err = r.SendMsg("a")
		}
		if err == nil {
			return nil
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}
