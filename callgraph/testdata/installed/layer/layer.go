// Package layer makes layers of handlers and transports.
package layer

import (
	"net/http"
	"time"
)

type Handler interface {
	Do(request string) (string, error)
}

type HandlerFunc func(request string) (string, error)

func (f HandlerFunc) Do(request string) (string, error) { return f(request) }

type Middleware func(next Handler) Handler

type retry struct {
	next Handler
	most int
}

func (r retry) Do(request string) (answer string, err error) {
	for range r.most {
		if answer, err = r.next.Do(request); err == nil {
			return answer, nil
		}
		time.Sleep(time.Second)
	}
	return "", err
}

// Retrying makes handlers that repeat.
func Retrying(most int) Middleware {
	return func(next Handler) Handler { return retry{next: next, most: most} }
}

type logged struct{ next Handler }

func (l logged) Do(request string) (string, error) {
	println(request)
	return l.next.Do(request)
}

// A Stage is put around a handler.
type Stage interface{ Wrap(next Handler) Handler }

type StageFunc func(next Handler) Handler

func (f StageFunc) Wrap(next Handler) Handler { return f(next) }

// Staged makes a stage that repeats.
func Staged(most int) Stage {
	return StageFunc(func(next Handler) Handler { return retry{next: next, most: most} })
}

// Logging makes handlers that write down what they do.
func Logging() Middleware {
	return func(next Handler) Handler { return logged{next} }
}

// Twice makes handlers that are functions.
func Twice() Middleware {
	return func(next Handler) Handler {
		return HandlerFunc(func(request string) (answer string, err error) {
			for range 2 {
				if answer, err = next.Do(request); err == nil {
					return answer, nil
				}
				time.Sleep(time.Second)
			}
			return "", err
		})
	}
}

// Config is that of a client, which calls Wrap with its transport.
type Config struct {
	Wrap func(http.RoundTripper) http.RoundTripper
}

type patient struct {
	below http.RoundTripper
	more  int
}

func (p *patient) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := p.below.RoundTrip(req)
	for left := p.more; left > 0 && err != nil; left-- {
		time.Sleep(time.Second)
		resp, err = p.below.RoundTrip(req)
	}
	return resp, err
}

// AddPatience puts retries around the transport of a client.
func AddPatience(config *Config, more int) *Config {
	wrap := config.Wrap
	config.Wrap = func(rt http.RoundTripper) http.RoundTripper {
		if wrap != nil {
			rt = wrap(rt)
		}
		return &patient{below: rt, more: more}
	}
	return config
}
