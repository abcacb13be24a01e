package replay

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

type patient struct {
	inner   http.RoundTripper
	body    []byte
	retries int
}

// RoundTrip drains the response it has before it waits. That there is a body is asked once more than needed.
func (p *patient) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i <= p.retries; i++ {
		req.Body = io.NopCloser(bytes.NewReader(p.body))
		resp, err = p.inner.RoundTrip(req)
		if i < p.retries && (err != nil || resp.StatusCode >= 500) {
			if resp != nil && resp.Body != nil {
				drained(resp.Body)
			}
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}

func drained(body io.ReadCloser) {
	defer body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 4096))
}

type careless struct {
	inner   http.RoundTripper
	body    []byte
	retries int
}

func (c *careless) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i <= c.retries; i++ {
		req.Body = io.NopCloser(bytes.NewReader(c.body))
		resp, err = c.inner.RoundTrip(req) // want `the response of a failed attempt isn't closed`
		if i < c.retries && (err != nil || resp.StatusCode >= 500) {
			if resp != nil && resp.Body != nil {
				_, _ = io.Copy(io.Discard, resp.Body)
			}
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}
