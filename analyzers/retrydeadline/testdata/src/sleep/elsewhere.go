package sleep

import (
	"context"

	"throttle"
)

func ofPause(ctx context.Context, b beacon) (err error) {
	var p throttle.Pause
	for range 4 {
		if err = b.Light(ctx, 1); err == nil || ctx.Err() != nil {
			return err
		}
		p.Take() // want `Take between attempts doesn't watch ctx`
	}
	return err
}

func ofWatch(ctx context.Context, b beacon) (err error) {
	w := throttle.NewWatch(ctx)
	for range 4 {
		if err = b.Light(ctx, 1); err == nil || ctx.Err() != nil {
			return err
		}
		w.Take()
	}
	return err
}

func ofMind(ctx context.Context, b beacon) (err error) {
	w := throttle.NewWatch(ctx)
	for range 4 {
		if err = b.Light(ctx, 1); err == nil || ctx.Err() != nil {
			return err
		}
		throttle.Mind(err, w)
	}
	return err
}
