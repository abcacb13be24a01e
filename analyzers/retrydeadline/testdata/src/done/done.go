// Package done goes on, or doesn't, once its context is done.
package done

import (
	"context"
	"errors"
	"log"
	"time"
)

type vault interface {
	Open(ctx context.Context) error
	Seal() error
}

var errJammed = errors.New("jammed")

func breakInSelect(ctx context.Context, v vault) error {
	for n := 0; ; n++ {
		err := v.Seal()
		if err == nil || n == 20 {
			return err
		}
		select { // want `another attempt after it has learnt here that its context is done`
		case <-ctx.Done():
			break
		case <-time.After(time.Second):
		}
	}
}

func breakOutOfLoop(ctx context.Context, v vault) (err error) {
loop:
	for range 20 {
		if err = v.Seal(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			break loop
		case <-time.After(time.Second):
		}
	}
	return err
}

func emptyCase(ctx context.Context, v vault) (err error) {
	for range 20 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		select { // want `another attempt`
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return err
}

func conditionStops(ctx context.Context, v vault) (err error) {
	for ctx.Err() == nil {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return errors.Join(err, ctx.Err())
}

func checkAfterwards(ctx context.Context, v vault) error {
	for {
		err := v.Open(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			log.Print("told to stop")
		case <-time.After(time.Second):
		}
	}
}

func errorStops(ctx context.Context, v vault) error {
	for {
		err := v.Open(ctx)
		if !errors.Is(err, errJammed) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func logsOnly(ctx context.Context, v vault) (err error) {
	for n := 0; n < 30; n++ {
		if ctx.Err() != nil { // the attempt below fails then, and the next one as well
			log.Print("told to stop")
		}
		if err = v.Open(ctx); err == nil {
			return nil
		}
		select { // want `another attempt`
		case <-ctx.Done():
			continue
		case <-time.After(time.Second):
		}
	}
	return err
}

func nap(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func napped(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func ignoresResult(ctx context.Context, v vault) (err error) {
	for range 10 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		_ = nap(ctx, time.Second) // want `another attempt`
	}
	return err
}

func usesResult(ctx context.Context, v vault) (err error) {
	for range 10 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		if nap(ctx, time.Second) != nil {
			return err
		}
	}
	return err
}

func logsResult(ctx context.Context, v vault) (err error) {
	for range 10 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		if err := nap(ctx, time.Second); err != nil { // want `another attempt`
			log.Print(err)
		}
	}
	return err
}

func usesAnswer(ctx context.Context, v vault) (err error) {
	for range 10 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		if !napped(ctx, time.Second) {
			return err
		}
	}
	return err
}

func ignoresAnswer(ctx context.Context, v vault) (err error) {
	for range 10 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		napped(ctx, time.Second) // want `another attempt`
	}
	return err
}

func forEver(ctx context.Context, v vault) {
	for { // want `goes on for ever once its context is done`
		err := v.Open(ctx)
		if err == nil {
			return
		}
		log.Print(err)
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
}

func untilPermanent(ctx context.Context, v vault) error {
	for {
		err := v.Open(ctx)
		if err == nil || !transient(err) {
			return err
		}
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
}

func transient(err error) bool { return errors.Is(err, errJammed) }

func bounded(ctx context.Context, v vault) (err error) {
	for range 3 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
	}
	return err
}

func restFirst(ctx context.Context, v vault) (err error) {
	for n := range 5 {
		if n > 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(time.Second):
			}
		}
		if err = v.Open(ctx); err == nil {
			return nil
		}
	}
	return err
}

func restFirstCarelessly(ctx context.Context, v vault) (err error) {
	for n := range 5 {
		if n > 0 {
			select { // want `another attempt`
			case <-ctx.Done():
				err = ctx.Err()
			case <-time.After(time.Second):
			}
		}
		if err = v.Open(ctx); err == nil {
			return nil
		}
	}
	return err
}

func flag(ctx context.Context, v vault) (err error) {
	stopped := false
	for n := 0; n < 5 && !stopped; n++ {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			stopped = true
		case <-time.After(time.Second):
		}
	}
	return err
}

func asked(ctx context.Context, v vault) (err error) {
	for range 5 {
		select {
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
		if err = v.Open(ctx); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
	return err
}

func stopChannel(stop <-chan struct{}, v vault) (err error) {
	for range 20 {
		if err = v.Seal(); err == nil {
			return nil
		}
		select { // want `another attempt`
		case <-stop:
			break
		case <-time.After(time.Second):
		}
	}
	return err
}

// wokenUp tries at once when somebody says that it is worth while.
func wokenUp(news <-chan struct{}, v vault) (err error) {
	for range 20 {
		if err = v.Seal(); err == nil {
			return nil
		}
		select {
		case <-news:
		case <-time.After(time.Second):
		}
	}
	return err
}

func asksOnTheWay(ctx context.Context, v vault) (err error) {
	for range 20 {
		select { // want `another attempt`
		case <-ctx.Done():
			log.Print("told to stop")
		default:
		}
		if err = v.Seal(); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
	return err
}

// waitUntilOpen waits for a success: as good as a retry.
func waitUntilOpen(ctx context.Context, v vault) (err error) {
	for range 20 {
		if err = v.Open(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
	return err
}

type bench struct {
	Fatalf func(format string, args ...any)
}

func (b *bench) open(ctx context.Context, v vault) {
	for n := 1; ; n++ {
		err := v.Open(ctx)
		if err == nil {
			return
		}
		if transient(err) && n < 10 {
			time.Sleep(time.Second) // want `doesn't watch ctx`
			continue
		}
		b.Fatalf("can't open: %v", err)
	}
}
