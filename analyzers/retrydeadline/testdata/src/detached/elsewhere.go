package detached

import (
	"context"
	"errors"
	"time"

	"ledger"
)

func elsewhere(ctx context.Context, url string) (err error) {
	for range 3 {
		if err = ledger.Ask(url); err == nil || !errors.Is(err, errInk) { // want `the attempt ends up under context.TODO although ctx is in scope`
			return err
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// A function of that name takes a context, and is the better thing to say.
func elsewhereToo(ctx context.Context, url string) (err error) {
	for range 3 {
		if err = ledger.Fetch(url); err == nil || !errors.Is(err, errInk) { // want `ledger.FetchContext takes one`
			return err
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

func handedOn(ctx context.Context, url string) (err error) {
	for range 3 {
		if err = ledger.FetchContext(ctx, url); err == nil || !errors.Is(err, errInk) {
			return err
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// What is told of a failure may be told when the caller has gone.
func reported(ctx context.Context, p press, url string) (err error) {
	for range 3 {
		if err = p.Print(ctx, url); err == nil || !errors.Is(err, errInk) {
			return err
		}
		if rerr := ledger.Fetch(url); rerr != nil {
			return rerr
		}
		if !rest(ctx) {
			return ctx.Err()
		}
	}
	return err
}

// A gate is made with a context that nothing ends: there is no caller's to work with.
type gate struct {
	ctx context.Context // of all its requests
	p   press
}

func newGate(p press) *gate { return &gate{context.TODO(), p} }

func (g *gate) open() (err error) {
	for range 3 {
		if err = g.p.Print(g.ctx, "gate"); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
