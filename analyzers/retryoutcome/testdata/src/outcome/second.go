package outcome

import (
	"context"
	"errors"
	"net/http"
	"time"
)

func secondLost(ctx context.Context, h harbour, car string) error {
	err := h.Book(ctx, car)
	if err == nil || !errors.Is(err, errHarbour) {
		return err
	}
	time.Sleep(time.Second)
	if err = h.Book(ctx, car); err != nil {
		return errFull // want `the error of the last attempt is lost`
	}
	return nil
}

func secondTold(ctx context.Context, h harbour, car string) error {
	err := h.Book(ctx, car)
	if err == nil || !errors.Is(err, errHarbour) {
		return err
	}
	time.Sleep(time.Second)
	return h.Book(ctx, car)
}

// emptyHanded has neither an answer nor an error when no status was accepted.
func emptyHanded(hc *http.Client, url string) (*http.Response, error) {
	for n := 0; n < 3; n++ {
		resp, err := hc.Get(url)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, nil // want `nil is returned as the error`
}

func lastAnswer(hc *http.Client, url string) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := hc.Get(url)
		if err != nil || resp.StatusCode < 500 || n == 2 {
			return resp, err
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
