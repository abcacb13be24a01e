// Package desk has a finding of each rule.
package desk

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/avast/retry-go/v4"

	"example.com/desk/wire"
)

func chain(ctx context.Context, url string) error {
	return retry.Do(func() error { // want `nestedretry.amplification` `retryclassify.contexterror` `retrydeadline.nocontext`
		resp, err := wire.Get(ctx, url)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	}, retry.Attempts(3))
}

func unbounded(url string) io.Closer {
	for { // want `retrybound.unbounded`
		if resp, err := http.Get(url); err == nil {
			return resp.Body
		}
		time.Sleep(time.Second) // want `retrybackoff.nojitter`
	}
}

func post(url, text string) (err error) {
	for range 3 { // want `retrybackoff.nodelay`
		var resp *http.Response
		if resp, err = http.Post(url, "text/plain", strings.NewReader(text)); err == nil { // want `retryidempotency.nokey`
			return resp.Body.Close()
		}
	}
	return err
}

func replay(url string, text io.Reader) (err error) {
	for range 3 { // want `retrybackoff.nodelay`
		var req *http.Request
		if req, err = http.NewRequest(http.MethodPut, url, text); err != nil { // want `retryreplay.body`
			return err
		}
		var resp *http.Response
		if resp, err = http.DefaultClient.Do(req); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

func lost(ctx context.Context, ask func(context.Context) error) (err error) {
	for range 3 {
		if err := ask(ctx); err == nil { // want `retryclassify.contexterror`
			return nil
		}
	}
	return err // want `retryoutcome.success`
}

func wrongCheck(ask func() error) (err error) {
	for range 3 {
		if err = tell(ask); err != wire.ErrBusy { // want `retryclassify.wrongcheck`
			return err
		}
	}
	return err
}

func tell(ask func() error) error {
	if ask() != nil {
		return fmt.Errorf("tell: %w", wire.ErrBusy)
	}
	return nil
}

type budget struct {
	mu    sync.Mutex
	units int
}

func (b *budget) deposit() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units = min(b.units+1, 200)
}

func (b *budget) withdraw() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.units < 10 {
		return false
	}
	b.units -= 10
	return true
}

type client struct {
	budget *budget
	ask    func() error
}

func (c *client) feedback() (err error) {
	for try := 0; ; try++ {
		c.budget.deposit() // want `retrybudget.feedback`
		if err = c.ask(); err == nil || try == 3 || !c.budget.withdraw() {
			return err
		}
	}
}

func accepted(ctx context.Context, url string) (err error) {
	for range 3 {
		//retrylint:ignore nestedretry the desk is slow
		if _, err = wire.Get(ctx, url); err == nil { // want `retryclassify.contexterror`
			return nil
		}
	}
	return err
}

//retrylint:ignore nestedretry
