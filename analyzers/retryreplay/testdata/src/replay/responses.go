package replay

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

func (s *shipper) state(ctx context.Context, id string) (*http.Response, error) {
	var last error
	for range 3 {
		resp, err := s.client.Get(s.base + id) // want `the response of a failed attempt isn't closed`
		if err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		if last = err; err == nil {
			last = errors.New(resp.Status)
		}
		time.Sleep(time.Second)
	}
	return nil, last
}

func (s *shipper) stateClosed(ctx context.Context, id string) (*http.Response, error) {
	var last error
	for range 3 {
		resp, err := s.client.Get(s.base + id)
		if err != nil {
			last = err
			continue
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
		last = errors.New(resp.Status)
		resp.Body.Close()
		time.Sleep(time.Second)
	}
	return nil, last
}

func (s *shipper) stateDrained(ctx context.Context, id string) (resp *http.Response, err error) {
	for range 3 {
		if resp != nil {
			drain(resp)
		}
		if resp, err = s.client.Get(s.base + id); err == nil && resp.StatusCode < 500 {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return resp, err
}

func drain(resp *http.Response) {
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

// deferred closes all of them at the end.
func (s *shipper) deferred(ctx context.Context, id string, into any) (err error) {
	for range 3 {
		resp, getErr := s.client.Get(s.base + id) // want `the response of a failed attempt isn't closed`
		if err = getErr; err != nil {
			continue
		}
		defer resp.Body.Close()
		if err = json.NewDecoder(resp.Body).Decode(into); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *shipper) inClosure(ctx context.Context, id string, into any) error {
	return again(ctx, func() error {
		resp, err := s.client.Get(s.base + id) // want `the response of a failed attempt isn't closed`
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return fmt.Errorf("state of %s: %s", id, resp.Status)
		}
		defer resp.Body.Close()
		return json.NewDecoder(resp.Body).Decode(into)
	})
}

func (s *shipper) inClosureClosed(ctx context.Context, id string, into any) error {
	return again(ctx, func() error {
		resp, err := s.client.Get(s.base + id)
		if err != nil {
			return err
		}
		defer func() { _ = resp.Body.Close() }()
		if resp.StatusCode >= 500 {
			return fmt.Errorf("state of %s: %s", id, resp.Status)
		}
		return json.NewDecoder(resp.Body).Decode(into)
	})
}

// captured closes what the last attempt has left, and only that.
func (s *shipper) captured(ctx context.Context, id string) (string, error) {
	var resp *http.Response
	err := again(ctx, func() (err error) {
		resp, err = s.client.Get(s.base + id) // want `the response of a failed attempt isn't closed`
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return string(text), err
}

// once fails with an open response, whoever calls it.
func (s *shipper) once(id string, into any) error {
	resp, err := s.client.Get(s.base + id) // want `the response of a failed attempt isn't closed`
	if err != nil {
		return err
	}
	if resp.StatusCode >= 500 {
		return errors.New(resp.Status)
	}
	defer resp.Body.Close()
	return json.NewDecoder(resp.Body).Decode(into)
}

func (s *shipper) throughOnce(ctx context.Context, id string, into any) error {
	return again(ctx, func() error { return s.once(id, into) })
}

// decode closes what it is given.
func decode(resp *http.Response, into any) error {
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return errors.New(resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

func (s *shipper) throughDecode(ctx context.Context, id string, into any) error {
	return again(ctx, func() error {
		resp, err := s.client.Get(s.base + id)
		if err != nil {
			return err
		}
		return decode(resp, into)
	})
}

type waiting struct {
	next  http.RoundTripper
	tries int
}

func (w *waiting) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := w.next.RoundTrip(req)
	for n := w.tries; overloaded(resp, err) && n > 0 && req.Body == nil; n-- {
		time.Sleep(time.Second)
		resp, err = w.next.RoundTrip(req) // want `the response of a failed attempt isn't closed`
	}
	return resp, err
}

func overloaded(resp *http.Response, err error) bool {
	return err != nil || resp != nil && resp.StatusCode == http.StatusServiceUnavailable
}

func names(ctx context.Context, db *sql.DB) (list []string, err error) {
	err = again(ctx, func() error {
		list = nil
		rows, err := db.QueryContext(ctx, "SELECT name FROM parcels") // want `the result of a failed attempt isn't closed`
		if err != nil {
			return err
		}
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			list = append(list, name)
		}
		return rows.Close()
	})
	return list, err
}

type vault interface {
	Open(ctx context.Context, name string) (io.ReadCloser, error)
}

func content(ctx context.Context, v vault, name string) (text []byte, err error) {
	for range 3 {
		var r io.ReadCloser
		if r, err = v.Open(ctx, name); err != nil { // want `the result of a failed attempt isn't closed`
			time.Sleep(time.Second)
			continue
		}
		if text, err = io.ReadAll(r); err == nil {
			r.Close()
			return text, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func contentClosed(ctx context.Context, v vault, name string) (text []byte, err error) {
	for range 3 {
		var r io.ReadCloser
		if r, err = v.Open(ctx, name); err != nil {
			time.Sleep(time.Second)
			continue
		}
		text, err = io.ReadAll(r)
		r.Close()
		if err == nil {
			return text, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func rows(ctx context.Context, db *sql.DB) (rows *sql.Rows, err error) {
	for range 3 {
		if rows, err = db.QueryContext(ctx, "SELECT name FROM parcels"); err == nil {
			return rows, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type stubborn struct {
	next  http.RoundTripper
	tries int
}

// again doesn't look at the request: any is repeated.
func (t *stubborn) again(left int, _ *http.Request, resp *http.Response, err error) bool {
	return left > 0 && overloaded(resp, err)
}

func (t *stubborn) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := t.next.RoundTrip(req)
	left := t.tries
	for t.again(left, req, resp, err) {
		fmt.Println("again:", req.Method, req.URL.Path)
		time.Sleep(time.Second)
		resp, err = t.next.RoundTrip(req) // want `the response of a failed attempt isn't closed` `the request's body is read by the first attempt`
		left--
	}
	return resp, err
}
