package overrun

import (
	"context"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v4"
)

// The loop stops by its own clock, and one attempt may take all of that time.
func ownClock(ctx context.Context, t tide) (err error) {
	start := time.Now()
	for time.Since(start) < 10*time.Second { // want `the time limit of 10s leaves room for one try of up to 10s`
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

func ownDeadline(ctx context.Context, t tide) (err error) {
	deadline := time.Now().Add(patience)
	for {
		reading, done := context.WithTimeout(ctx, 30*time.Second)
		err = t.Height(reading)
		done()
		if err == nil || time.Now().After(deadline) { // want `the time limit of 20s leaves room for one try of up to 30s`
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func ownClockWithRoom(ctx context.Context, t tide) (err error) {
	start := time.Now()
	for time.Since(start) < time.Minute {
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// The clock is asked after some failures only: others go on for longer.
func clockSometimes(ctx context.Context, t tide, hasty func(error) bool) (err error) {
	start := time.Now()
	for {
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
		if hasty(err) && time.Since(start) > 10*time.Second {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func ownClockUnknown(ctx context.Context, t tide, limit time.Duration) (err error) {
	start := time.Now()
	for time.Since(start) < limit {
		reading, done := context.WithTimeout(ctx, 10*time.Second)
		err = t.Height(reading)
		done()
		if err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

// The library gives up after as long as one attempt may take.
func elapsed(ctx context.Context, t tide) error {
	policy := backoff.NewExponentialBackOff()
	policy.MaxElapsedTime = 5 * time.Second
	return backoff.Retry(func() error { // want `the time limit of 5s leaves room for one try of up to 5s`
		reading, done := context.WithTimeout(ctx, 5*time.Second)
		defer done()
		return t.Height(reading)
	}, backoff.WithContext(policy, ctx))
}

func elapsedField(ctx context.Context, t tide) error {
	policy := backoff.NewExponentialBackOff()
	policy.MaxElapsedTime = 3 * time.Second
	return backoff.Retry(func() error { // want `the time limit of 3s leaves room for one try of up to 5s`
		return read(ctx, t)
	}, backoff.WithContext(policy, ctx))
}

func elapsedWithRoom(ctx context.Context, t tide) error {
	policy := backoff.NewExponentialBackOff()
	policy.MaxElapsedTime = time.Minute
	return backoff.Retry(func() error { return read(ctx, t) }, backoff.WithContext(policy, ctx))
}

// The client's Timeout is for the whole request, that is, for all attempts of its transport.
type patient struct{ next http.RoundTripper }

func (p *patient) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for n := range 5 {
		if n > 0 {
			select {
			case <-req.Context().Done():
				return nil, req.Context().Err()
			case <-time.After(time.Second << n):
			}
		}
		if resp, err = p.next.RoundTrip(req); err == nil {
			return resp, nil
		}
	}
	return nil, err
}

func newClient() *http.Client {
	return &http.Client{
		Timeout:   10 * time.Second, // want `the client's Timeout of 10s, which is for all tries together, leaves room for 3 of 5 tries and waits of at least 30s`
		Transport: &patient{http.DefaultTransport},
	}
}

// A function makes the transport.
type stubborn struct{ next http.RoundTripper }

func newStubborn(next http.RoundTripper) http.RoundTripper { return &stubborn{next} }

func (s *stubborn) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for n := 1; ; n++ {
		if resp, err = s.next.RoundTrip(req); err == nil || n == 4 {
			return resp, err
		}
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(5 * time.Second):
		}
	}
}

func newStubbornClient() *http.Client {
	client := &http.Client{Timeout: 12 * time.Second} // want `the client's Timeout of 12s, which is for all tries together, leaves room for 3 of 4 tries and waits of at least 15s`
	client.Transport = newStubborn(http.DefaultTransport)
	return client
}

// One of the clients has all the time in the world.
type leisurely struct{ next http.RoundTripper }

func (l leisurely) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for n := 1; n <= 3; n++ {
		if resp, err = l.next.RoundTrip(req); err == nil || n == 3 {
			break
		}
		select {
		case <-req.Context().Done():
			return nil, req.Context().Err()
		case <-time.After(10 * time.Second):
		}
	}
	return resp, err
}

func newClients() []*http.Client {
	return []*http.Client{
		{Timeout: 10 * time.Second, Transport: leisurely{http.DefaultTransport}},
		{Transport: leisurely{http.DefaultTransport}},
	}
}

// The default client is a variable of another package.
type hurried struct{ next http.RoundTripper }

func (h *hurried) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for n := 1; ; n++ {
		if resp, err = h.next.RoundTrip(req); err == nil || n == 3 {
			return resp, err
		}
		time.Sleep(40 * time.Millisecond)
	}
}

var client http.Client

func init() { client.Transport = &hurried{http.DefaultTransport} }

// A server's handler has its time, and what it does for the request, too.
type harbour struct{ tide tide }

func (h *harbour) show(w http.ResponseWriter, r *http.Request) {
	if err := within(r.Context(), h.tide); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func (h *harbour) guess(w http.ResponseWriter, r *http.Request) {
	if err := h.ask(r); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func (h *harbour) ask(r *http.Request) (err error) {
	for range 4 {
		reading, done := context.WithTimeout(r.Context(), 2*time.Second)
		err = h.tide.Height(reading)
		done()
		if err == nil {
			return nil
		}
	}
	return err
}

func (h *harbour) routes(mux *http.ServeMux) {
	mux.Handle("/show", http.TimeoutHandler(http.HandlerFunc(h.show), 5*time.Second, "slow"))   // want `the handler's time of 5s leaves room for 1 of 3 tries of up to 10s`
	mux.Handle("/guess", http.TimeoutHandler(http.HandlerFunc(h.guess), 5*time.Second, "slow")) // want `the handler's time of 5s leaves room for 3 of 4 tries of up to 2s`
	mux.Handle("/calm", http.TimeoutHandler(calm{h}, time.Minute, "slow"))
	mux.Handle("/hasty", http.TimeoutHandler(hasty{h}, 3*time.Second, "slow")) // want `the handler's time of 3s leaves room for 1 of 2 tries of up to 3s`
}

type calm struct{ *harbour }

func (c calm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for range 2 {
		reading, done := context.WithTimeout(r.Context(), 3*time.Second)
		err := c.tide.Height(reading)
		done()
		if err == nil {
			return
		}
	}
	w.WriteHeader(http.StatusBadGateway)
}

type hasty struct{ *harbour }

func (h hasty) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for range 2 {
		reading, done := context.WithTimeout(r.Context(), 3*time.Second)
		err := h.tide.Height(reading)
		done()
		if err == nil {
			return
		}
	}
	w.WriteHeader(http.StatusBadGateway)
}
