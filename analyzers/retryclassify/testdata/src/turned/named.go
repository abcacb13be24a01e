package turned

import (
	"context"
	"errors"
	"time"
)

var (
	errTransient = errors.New("transient")
	errClosed    = errors.New("closed")
)

type beacon interface {
	blink(ctx context.Context) error
}

func untilTransient(ctx context.Context, b beacon) error {
	for n := 0; ; n++ {
		err := b.blink(ctx)
		if err == nil || n == 3 || ctx.Err() != nil || errors.Is(err, errTransient) { // want `this test is inverted: the attempts end if the error is errTransient`
			return err
		}
		time.Sleep(time.Second)
	}
}

func whileTransient(ctx context.Context, b beacon) error {
	for n := 0; ; n++ {
		err := b.blink(ctx)
		if err == nil || n == 3 || !errors.Is(err, errTransient) {
			return err
		}
		time.Sleep(time.Second)
	}
}

func untilClosed(ctx context.Context, b beacon) error {
	for n := 0; ; n++ {
		err := b.blink(ctx)
		if err == nil || n == 3 || ctx.Err() != nil || errors.Is(err, errClosed) {
			return err
		}
		time.Sleep(time.Second)
	}
}
