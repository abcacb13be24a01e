// Package books calls what only the configuration calls a write.
package books

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"

	"own/ledger"
)

type Books struct {
	remote ledger.Ledger
	client *ledger.Client
	hc     *http.Client
}

func (b *Books) forgotten(ctx context.Context, e ledger.Entry) (err error) {
	for range 3 {
		if err = b.remote.Book(ctx, e, ""); err == nil { // want `this executes Book, which the configuration calls a write, and again if`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// forgottenKey has a name in sight that would do elsewhere; but the argument that carries the key is known.
func (b *Books) forgottenKey(ctx context.Context, cents int, idempotencyKey string) (err error) {
	for range 3 {
		if err = b.client.Transfer(ctx, cents, ""); err == nil { // want `this executes Transfer, which the configuration calls a write, and again if`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (b *Books) anew(ctx context.Context, e ledger.Entry) (err error) {
	for range 3 {
		if err = b.remote.Book(ctx, e, uuid.NewString()); err == nil { // want `voucher is made anew for each attempt, so the other side`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (b *Books) kept(ctx context.Context, e ledger.Entry) (err error) {
	voucher := uuid.NewString()
	for range 3 {
		if err = b.remote.Book(ctx, e, voucher); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (b *Books) balance(ctx context.Context) (cents int, err error) {
	for range 3 {
		if cents, err = b.remote.Balance(ctx); err == nil {
			return cents, nil
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func mail(ctx context.Context, to string) (err error) {
	for range 3 {
		if err = ledger.Send(ctx, to); err == nil { // want `this executes Send, which the configuration calls a write, and again if`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func look(ctx context.Context, to string) (err error) {
	for range 3 {
		if err = ledger.Look(ctx, to); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// header has a key of the configuration's.
func (b *Books) header(req *http.Request) (err error) {
	for range 3 {
		req.Header.Set("X-Shop-Order", uuid.NewString()) // want `X-Shop-Order is made anew for each attempt`
		var resp *http.Response
		if resp, err = b.hc.Do(req); err == nil {
			return resp.Body.Close()
		}
		time.Sleep(time.Second)
	}
	return err
}
