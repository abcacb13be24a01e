// Package answers asks a port authority for berths.
package answers

import (
	"errors"
	"io"
	"net/http"
	"time"
)

func Unasked(c *http.Client, url string) ([]byte, error) {
	for n := 0; ; n++ {
		resp, err := c.Get(url)
		if err != nil && resp.StatusCode == http.StatusServiceUnavailable && n < 3 { // want `the result of \(\*Client\).Get is nil if there is an error`
			time.Sleep(time.Second)
			continue
		}
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		return io.ReadAll(resp.Body)
	}
}

func Before(c *http.Client, req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := c.Do(req)
		if resp.StatusCode == http.StatusServiceUnavailable && n < 3 { // want `the result of \(\*Client\).Do is nil`
			time.Sleep(time.Second)
			continue
		}
		if err != nil {
			return nil, err
		}
		return resp, nil
	}
}

func Guarded(c *http.Client, req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := c.Do(req)
		if err != nil && resp != nil && resp.StatusCode == http.StatusServiceUnavailable {
			return resp, err
		}
		if n < 3 && (err != nil || resp.StatusCode == http.StatusServiceUnavailable) {
			time.Sleep(time.Second)
			continue
		}
		return resp, err
	}
}

type berth struct{ free bool }

func find(c *http.Client, url string) (*berth, error) {
	resp, err := c.Head(url)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	return &berth{resp.StatusCode == http.StatusOK}, nil
}

func Berth(c *http.Client, url string) (*berth, error) {
	for range 3 {
		b, err := find(c, url)
		if b.free && err == nil { // want `the result of answers.find is nil`
			return b, nil
		}
		time.Sleep(time.Second)
	}
	return nil, errors.New("no berth")
}
