package calibration

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
)

// brake is the call that a dependency doesn't fail any more, so that a loop without limit ends too. It lies above every
// number that is measured here.
const brake = 60

var errFailed = errors.New("the dependency failed")

// A dependency fails whatever is asked of it, up to the brake, and counts how often it's asked.
type dependency struct {
	calls atomic.Int64
	url   string // if it's a server
}

// ask is one request or call.
func (d *dependency) ask() error {
	if d.calls.Add(1) >= brake {
		return nil
	}
	return errFailed
}

// A place starts a dependency somewhere.
type place func(t *testing.T) *dependency

// inProcess is where the operation is a function.
func inProcess(*testing.T) *dependency { return new(dependency) }

// behindHTTP is a server on loopback that answers with status, and in the end with 200.
func behindHTTP(status int, header http.Header) place {
	return serve(func(w http.ResponseWriter) {
		for name, values := range header {
			w.Header()[name] = values
		}
		w.WriteHeader(status)
	})
}

// hangingUp is a server on loopback that closes the connection without an answer.
func hangingUp(t *testing.T) *dependency {
	return serve(func(http.ResponseWriter) { panic(http.ErrAbortHandler) })(t)
}

// serve returns a server that fails as told. It runs outside of the bubble that its clients live in, and closes each
// connection, since a goroutine that waits for the network inside would hold the bubble's clock.
func serve(failure func(http.ResponseWriter)) place {
	return func(t *testing.T) *dependency {
		d := new(dependency)
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Date"] = nil // the bubble has another date, and some clients compare
			w.Header().Set("Content-Type", "application/json")
			if d.ask() != nil {
				failure(w)
			}
			w.Write([]byte("{}"))
		}))
		server.Config.SetKeepAlivesEnabled(false)
		server.Start()
		t.Cleanup(server.Close)
		d.url = server.URL
		return d
	}
}
