// Package transport repeats requests above what signs them.
package transport

import (
	"net/http"
	"time"

	"github.com/google/uuid"
)

type stamp struct{ next http.RoundTripper }

func (s stamp) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Idempotency-Key", uuid.NewString())
	return s.next.RoundTrip(req)
}

type again struct{ next http.RoundTripper }

func New() *http.Client {
	return &http.Client{Transport: &again{next: stamp{http.DefaultTransport}}}
}

func (a *again) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = a.next.RoundTrip(req); err == nil { // want `Idempotency-Key is made anew`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}
