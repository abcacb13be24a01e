package forms

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

type response struct{ StatusCode int }

func (r *response) temporary() bool { return r.StatusCode == 503 }

type web interface {
	Do(url string) *response
	Send(url string) (*response, error)
	TryLock(key string) bool
}

func statusOrError(w web) (resp *response, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		resp, err = w.Send("a")
		if err == nil && resp.StatusCode != http.StatusServiceUnavailable {
			return resp, nil
		}
		pause()
	}
	return resp, err
}

func statusMethod(w web) (resp *response, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		if resp, err = w.Send("a"); err == nil && !resp.temporary() {
			return resp, nil
		}
		pause()
	}
	return resp, err
}

// rebuilt makes its request anew for each attempt, out of the same input.
func rebuilt(c *http.Client, url string, body []byte) (resp *http.Response, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		req, reqErr := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
		if reqErr != nil {
			return nil, reqErr
		}
		resp, err = c.Do(req)
		if err == nil {
			return resp, nil
		}
		pause()
	}
	return resp, err
}

func boolTested(w web) bool {
	for attempt := 0; attempt < 10; attempt++ { // site loop retry 10
		if w.TryLock("a") {
			return true
		}
		time.Sleep(time.Second)
	}
	return false
}

func tryOnce(ctx context.Context, r remote) (done bool, err error) {
	if err := r.Ping(); err != nil {
		return false, err
	}
	return true, nil
}

func againIfAsked(ctx context.Context, attempt func(context.Context) (again bool, err error)) error {
	for range 5 { // site loop retry 5
		again, err := attempt(ctx)
		if !again {
			return err
		}
		pause()
	}
	return errBusy
}

func statusTested(w web) (resp *response, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		resp, err = w.Send("a")
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
		pause()
	}
	return resp, nil
}

type emptyError struct{ url string }

func (e *emptyError) Error() string { return e.url + ": nothing there" }

func nothingThere(url string) error { return &emptyError{url} }

// rememberedFailure finds a failure in the result, and waits at the begin of the next round.
func rememberedFailure(w web) (*response, error) {
	var last error
	for i := 0; i < 3; i++ { // site loop retry 3
		if last != nil {
			pause()
		}
		resp, err := w.Send("a")
		if err != nil {
			last = err
			continue
		}
		if resp == nil {
			last = nothingThere("a")
			continue
		}
		return resp, nil
	}
	return nil, last
}
