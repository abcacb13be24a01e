package forms

import (
	"net/http"
	"time"
)

type transport struct {
	inner http.RoundTripper
	max   uint
	count int
}

func isRetriable(r *http.Response) bool { return r.StatusCode >= 500 }

// byClassifier asks a function of the response, whose name tells that it looks for a failure.
func (t *transport) byClassifier(req *http.Request) (resp *http.Response, err error) {
	for i := 0; i <= int(t.max); i++ { // site loop retry t.max + 1
		resp, err = t.inner.RoundTrip(req)
		if i < int(t.max) && (err != nil || isRetriable(resp)) {
			time.Sleep(time.Second)
			continue
		}
		break
	}
	return resp, err
}

func shouldRetry(left int, response *http.Response, err error) bool {
	if left <= 0 {
		return false
	}
	return err != nil || response.StatusCode == 503
}

// byCondition has its counter in the classifier, and its first attempt before the loop.
func (t *transport) byCondition(r *http.Request) (*http.Response, error) {
	resp, err := t.inner.RoundTrip(r)
	left := t.count
	for shouldRetry(left, resp, err) { // site loop retry t.count + 1
		time.Sleep(time.Second)
		resp, err = t.inner.RoundTrip(r)
		left--
	}
	return resp, err
}

// suffixed asks for another name each time, made by adding to a string.
func suffixed(r interface{ Get(string) error }, name string) (err error) {
	for range 3 { // no site
		if err = r.Get(name); err == nil {
			return nil
		}
		name += "x"
		time.Sleep(time.Second)
	}
	return err
}

// cursorPages walks through pages by a cursor that each page gives, and asks for the same page again after a failure.
func cursorPages(read func(after int64) (rows []int64, last int64, err error)) {
	after := int64(0)
	for { // site loop retry unlimited
		rows, last, err := read(after)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if len(rows) == 0 {
			break
		}
		after = last
	}
}
