// Package replay sends parcels to a depot.
package replay

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

type depot interface {
	Store(ctx context.Context, name string, content io.Reader) error
	StoreAt(ctx context.Context, name string, content io.ReadSeeker) error
	Read(ctx context.Context, name string) (string, error)
}

type shipper struct {
	d      depot
	client *http.Client
	base   string
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

func (s *shipper) loop(ctx context.Context, name string, content io.Reader) error {
	var err error
	for range 3 {
		if err = s.d.Store(ctx, name, content); err == nil { // want `content, which the first attempt reads to its end`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *shipper) helper(ctx context.Context, name string, content io.Reader) error {
	return again(ctx, func() error {
		return s.d.Store(ctx, name, content) // want `content, which the first attempt reads to its end`
	})
}

func (s *shipper) below(ctx context.Context, name string, content io.Reader) error {
	return again(ctx, func() error {
		return s.store(ctx, name, content) // want `content, which the first attempt reads to its end`
	})
}

func (s *shipper) store(ctx context.Context, name string, r io.Reader) error {
	return s.d.Store(ctx, strings.ToLower(name), io.LimitReader(r, 1<<20))
}

func (s *shipper) made(ctx context.Context, name string, content []byte) error {
	body := bytes.NewReader(content)
	return again(ctx, func() error {
		return s.d.Store(ctx, name, body) // want `the first attempt reads to its end`
	})
}

func (s *shipper) madeInside(ctx context.Context, name string, content []byte) error {
	return again(ctx, func() error {
		return s.d.Store(ctx, name, bytes.NewReader(content))
	})
}

func (s *shipper) sought(ctx context.Context, name string, f *os.File) error {
	return again(ctx, func() error {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return s.d.Store(ctx, name, f)
	})
}

func (s *shipper) reset(ctx context.Context, name string, content []byte) error {
	r := bytes.NewReader(nil)
	return again(ctx, func() error {
		r.Reset(content)
		return s.d.Store(ctx, name, r)
	})
}

// seeker hands on something that the depot can rewind itself.
func (s *shipper) seeker(ctx context.Context, name string, f *os.File) error {
	return again(ctx, func() error { return s.d.StoreAt(ctx, name, f) })
}

func (s *shipper) buffered(ctx context.Context, name string, content io.Reader) error {
	all, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	return again(ctx, func() error { return s.d.Store(ctx, name, bytes.NewReader(all)) })
}

// readInside reads the content in each attempt.
func (s *shipper) readInside(ctx context.Context, name string, content io.Reader) error {
	return again(ctx, func() error {
		all, err := io.ReadAll(content) // want `content, which the first attempt reads to its end`
		if err != nil {
			return err
		}
		return s.d.Store(ctx, name, bytes.NewReader(all))
	})
}

// reads asks the depot for something: its method is called Read, and reads no reader.
func (s *shipper) reads(ctx context.Context, name string) (text string, err error) {
	for range 3 {
		if text, err = s.d.Read(ctx, name); err == nil {
			return text, nil
		}
		time.Sleep(time.Second)
	}
	return "", err
}

type opened func() (io.ReadCloser, error)

func (s *shipper) reopened(ctx context.Context, name string, open opened) error {
	return again(ctx, func() error {
		r, err := open()
		if err != nil {
			return err
		}
		defer r.Close()
		return s.d.Store(ctx, name, r)
	})
}

type input struct {
	Key  string
	Body io.Reader
}

type bucket interface {
	Put(ctx context.Context, in *input) error
}

func putInput(ctx context.Context, b bucket, key string, r io.Reader) error {
	return again(ctx, func() error {
		return b.Put(ctx, &input{Key: key, Body: r}) // want `r, which the first attempt reads to its end`
	})
}

func (s *shipper) post(ctx context.Context, path string, p any) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, s.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	return again(ctx, func() error {
		resp, err := s.client.Do(req) // want `the request's body is read by the first attempt`
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode >= 500 {
			return errors.New(resp.Status)
		}
		return nil
	})
}

func (s *shipper) postRenewed(ctx context.Context, path string, text []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, s.base+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	return again(ctx, func() error {
		if req.Body, err = req.GetBody(); err != nil {
			return err
		}
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

func (s *shipper) get(ctx context.Context, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	if err != nil {
		return err
	}
	return again(ctx, func() error {
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

func (s *shipper) send(ctx context.Context, path string, body io.Reader) error {
	return again(ctx, func() error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, s.base+path, body) // want `body, which the first attempt reads to its end`
		if err != nil {
			return err
		}
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

// list is only called without a body.
func (s *shipper) list(ctx context.Context) error { return s.call(ctx, "/list", nil) }

func (s *shipper) call(ctx context.Context, path string, body io.Reader) error {
	return again(ctx, func() error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, body)
		if err != nil {
			return err
		}
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
}

type repeating struct{ next http.RoundTripper }

func (t *repeating) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		if resp, err = t.next.RoundTrip(req.Clone(req.Context())); err == nil { // want `the request's body is read by the first attempt`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type reading struct{ next http.RoundTripper }

func (t *reading) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for range 3 {
		resp, err = t.next.RoundTrip(req)
		if err == nil || !idempotent(req) {
			return resp, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func idempotent(req *http.Request) bool { return req.Method == http.MethodGet }

type renewing struct{ next http.RoundTripper }

func (t *renewing) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	var text []byte
	if req.Body != nil {
		if text, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	for range 3 {
		one := req.Clone(req.Context())
		one.Body = io.NopCloser(bytes.NewReader(text))
		if resp, err = t.next.RoundTrip(one); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type bufferingOnce struct{ next http.RoundTripper }

func (t *bufferingOnce) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	if req.Body != nil {
		text, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.Body = io.NopCloser(bytes.NewReader(text))
	}
	for range 3 {
		if resp, err = t.next.RoundTrip(req); err == nil { // want `the request's body is read by the first attempt`
			return resp, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func putMade(ctx context.Context, b bucket, key string, r io.Reader) error {
	in := &input{Key: key, Body: r}
	return again(ctx, func() error {
		return b.Put(ctx, in) // want `r, which the first attempt reads to its end`
	})
}

func putFilled(ctx context.Context, b bucket, key string, content []byte) error {
	in := &input{Key: key}
	return again(ctx, func() error {
		in.Body = bytes.NewReader(content)
		return b.Put(ctx, in)
	})
}

// proxy hands the body of what it was asked on.
func (s *shipper) proxy(w http.ResponseWriter, r *http.Request) {
	err := again(r.Context(), func() error {
		req, err := http.NewRequestWithContext(r.Context(), r.Method, s.base+r.URL.Path, r.Body) // want `r.Body, which the first attempt reads to its end`
		if err != nil {
			return err
		}
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		return resp.Body.Close()
	})
	if err != nil {
		http.Error(w, "depot doesn't answer", http.StatusBadGateway)
	}
}

func (s *shipper) recursive(ctx context.Context, name string, content io.Reader, tries int) error {
	err := s.d.Store(ctx, name, content) // want `content, which the first attempt reads to its end`
	if err != nil && tries > 0 {
		time.Sleep(time.Second)
		return s.recursive(ctx, name, content, tries-1)
	}
	return err
}

// ask reads the answers of one connection.
func ask(ctx context.Context, conn net.Conn, d depot) error {
	return again(ctx, func() error {
		if _, err := io.WriteString(conn, "more"); err != nil {
			return err
		}
		return d.Store(ctx, "answer", conn)
	})
}

// key reads randomness, which doesn't end.
func key(ctx context.Context, random io.Reader, d depot) error {
	return again(ctx, func() error {
		n, err := rand.Int(random, big.NewInt(100))
		if err != nil {
			return err
		}
		return d.Store(ctx, n.String(), strings.NewReader("key"))
	})
}

func toBegin(r io.Reader) error {
	_, err := r.(io.Seeker).Seek(0, io.SeekStart)
	return err
}

func (s *shipper) rewoundBelow(ctx context.Context, name string, content io.Reader) error {
	return again(ctx, func() error {
		if err := toBegin(content); err != nil {
			return err
		}
		return s.d.Store(ctx, name, content)
	})
}

func each(names []string, do func(string) error) error

func (s *shipper) one(name string) error {
	return s.d.Store(context.Background(), name, strings.NewReader(name))
}

// methodValue hands on a method with its receiver.
func (s *shipper) methodValue(ctx context.Context, names []string) error {
	return again(ctx, func() error { return each(names, s.one) })
}

// Nothing is there to be used up.
func (s *shipper) nothing(ctx context.Context, name string) error {
	none, empty := strings.NewReader(""), bytes.NewReader(nil)
	return again(ctx, func() error {
		if err := s.d.Store(ctx, name, none); err != nil {
			return err
		}
		return s.d.Store(ctx, name+".sum", empty)
	})
}
