// Package transport repeats requests above what signs them.
package transport

import (
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/go-retryablehttp"
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

type Orders struct {
	rc    *retryablehttp.Client
	outer *http.Client
}

// NewOrders stamps each attempt of the one, and each request of the other.
func NewOrders() *Orders {
	rc := retryablehttp.NewClient()
	rc.HTTPClient.Transport = stamp{http.DefaultTransport}
	plain := retryablehttp.NewClient()
	return &Orders{rc: rc, outer: &http.Client{Transport: stamp{plain.StandardClient().Transport}}}
}

func (o *Orders) Place(body []byte) error {
	req, err := retryablehttp.NewRequest("PUT", "https://shop/orders", body)
	if err != nil {
		return err
	}
	_, err = o.rc.Do(req) // want `Idempotency-Key is made anew`
	return err
}

func (o *Orders) Outer(req *http.Request) error {
	_, err := o.outer.Do(req)
	return err
}
