package sleep

import (
	"context"
	"time"
)

// What users asked other linters for, where it lies between attempts: a sleep, or a receive from time.After alone, although there is
// a context that says when the program stops. Where nothing is returned, the remedy is to leave.
func untilLit(ctx context.Context, b beacon) {
	for range 10 {
		if b.Light(ctx, 1) == nil {
			return
		}
		time.Sleep(3 * time.Second) // want `time.Sleep between attempts doesn't watch ctx: a caller that has gone is waited for, up to 3s`
	}
}

func untilLitByTimer(ctx context.Context, b beacon) {
	for range 10 {
		if b.Light(ctx, 1) == nil {
			return
		}
		<-time.After(3 * time.Second) // want `<-time.After between attempts doesn't watch ctx: a caller that has gone is waited for, up to 3s`
	}
}

// The context belongs to the program, and every call but the sleep has regard to it.
type app struct {
	ctx context.Context // done when the program stops
	b   beacon
}

func (a *app) announce() error {
	for n := range 5 {
		if err := a.b.Light(a.ctx, n); err == nil {
			return nil
		}
		time.Sleep(time.Second << n) // want `time.Sleep between attempts doesn't watch a.ctx: a caller that has gone is waited for, up to 16s`
	}
	return errFog
}

// A pause for something to spread, between two steps that aren't repeated, is no wait between attempts: whether it has to be that long
// isn't for a rule about retries to say.
func spread(ctx context.Context, b beacon) error {
	if err := b.Light(ctx, 1); err != nil {
		return err
	}
	time.Sleep(20 * time.Second)
	return b.Light(ctx, 2)
}

// How long it gets isn't known.
func growing(ctx context.Context, b beacon, tries int) (err error) {
	wait := time.Second
	for range tries {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		time.Sleep(wait) // want `a caller that has gone is waited for$`
		wait *= 2
	}
	return err
}

func levelling(ctx context.Context, b beacon, tries int) (err error) {
	wait := time.Second
	for range tries {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		time.Sleep(wait) // want `a caller that has gone is waited for, up to 5s$`
		wait = min(2*wait, 5*time.Second)
	}
	return err
}
