// Package fixes sends letters.
package fixes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

type box interface {
	Put(ctx context.Context, r io.Reader) error
}

func again(ctx context.Context, op func() error) error {
	var err error
	for range 4 {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func inLiteral(ctx context.Context, b box, letter []byte) error {
	r := bytes.NewReader(letter)
	return again(ctx, func() error {
		return b.Put(ctx, r) // want `the first attempt reads to its end`
	})
}

func inLoop(ctx context.Context, b box, letter string) error {
	var err error
	r := strings.NewReader(letter)
	for range 3 {
		if err = b.Put(ctx, r); err == nil { // want `the first attempt reads to its end`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// usedElsewhere stays as it is.
func usedElsewhere(ctx context.Context, b box, letter string) (int, error) {
	r := strings.NewReader(letter)
	err := again(ctx, func() error {
		return b.Put(ctx, r) // want `the first attempt reads to its end`
	})
	return r.Len(), err
}

func get(ctx context.Context, c *http.Client, url string, into any) error {
	return again(ctx, func() error {
		resp, err := c.Get(url) // want `the response of a failed attempt isn't closed`
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return fmt.Errorf("get %s: %s", url, resp.Status)
		}
		defer resp.Body.Close()
		return json.NewDecoder(resp.Body).Decode(into)
	})
}
