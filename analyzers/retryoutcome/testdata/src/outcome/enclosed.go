package outcome

import (
	"context"
	"errors"
	"time"

	pkgerrors "github.com/pkg/errors"
)

// EnclosesNothing puts the outer err, which is nil, into what it returns.
func EnclosesNothing(ctx context.Context, h harbour, car string) error {
	var err error
	for range 3 {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return pkgerrors.Wrap(err, "no ticket") // want `nil is returned as the error`
}

// EnclosesTheLast puts the last error into it.
func EnclosesTheLast(ctx context.Context, h harbour, car string) (err error) {
	for range 3 {
		if err = h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return pkgerrors.Wrapf(err, "no ticket for %s", car)
}

// EnclosesAnother loses it.
func EnclosesAnother(ctx context.Context, h harbour, car string) (err error) {
	for range 3 {
		if err = h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return pkgerrors.Wrap(errors.New("too many tries"), car) // want `the error of the last attempt is lost`
}
