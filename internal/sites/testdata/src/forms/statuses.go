package forms

import (
	"context"
	"io"
	"net/http"
	"time"
)

func worthwhile(resp *http.Response) bool {
	if resp == nil {
		return false
	}
	return resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 && resp.StatusCode != http.StatusNotImplemented
}

type patientTransport struct {
	inner   http.RoundTripper
	retries int
	delay   time.Duration
}

// RoundTrip asks whether there is a response to close, which has nothing to do with whether there is another attempt.
func (t *patientTransport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	delay := t.delay
	for i := 0; i <= t.retries; i++ { // site loop retry t.retries + 1
		resp, err = t.inner.RoundTrip(req)
		if i < t.retries && (err != nil || worthwhile(resp)) {
			if resp != nil && resp.Body != nil {
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			if delay > time.Minute {
				delay = time.Minute
			}
			select {
			case <-time.After(delay):
			case <-req.Context().Done():
				return nil, req.Context().Err()
			}
			delay *= 2
			continue
		}
		break
	}
	return resp, err
}

// A flag that a branch sets is how it tells.
func flagged(ctx context.Context, c *http.Client, req *http.Request) (resp *http.Response, err error) {
	for range 4 { // site loop retry 4
		again := false
		if resp, err = c.Do(req); err != nil {
			again = true
		} else if resp.StatusCode >= 500 {
			again = true
			resp.Body.Close()
		}
		if !again {
			break
		}
		pause()
	}
	return resp, err
}

// A job has a status, and is no answer with one.
type job struct {
	Status string
	Phase  phase
}

type phase int

const finished phase = 3

func (j *job) PhaseStatus() phase { return j.Phase }

type jobs interface{ Job(id string) (*job, error) }

func jobByText(j jobs) error {
	for range 60 { // no site
		found, err := j.Job("a")
		if err != nil {
			return err
		}
		if found.Status == "done" {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}

func jobTolerant(j jobs) error {
	for range 60 { // no site
		found, err := j.Job("a")
		if err == nil && found.Status == "done" {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}

func jobByMethod(j jobs) error {
	for range 60 { // no site
		found, err := j.Job("a")
		if err != nil {
			return err
		}
		if found.PhaseStatus() == finished {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}

func isDone(found *job) bool { return found.Status == "done" }

func jobByFunction(j jobs) error {
	for range 60 { // no site
		if found, err := j.Job("a"); err == nil && isDone(found) {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}
