package retryreplay_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/retrylint/retrylint/analyzers/retryreplay/testdata/src/mended"
	"github.com/retrylint/retrylint/analyzers/retryreplay/testdata/src/parcels"
)

// TestMended makes sure that the package that is executed is what the fixes make of the other one.
func TestMended(t *testing.T) {
	golden, err := os.ReadFile("testdata/src/parcels/parcels.go.golden")
	if err != nil {
		t.Fatal(err)
	}
	executed, err := os.ReadFile("testdata/src/mended/mended.go")
	if err != nil {
		t.Fatal(err)
	}
	if strings.ReplaceAll(string(golden), "ackage parcels", "ackage mended") != string(executed) {
		t.Error("testdata/src/mended isn't what the fixes make of testdata/src/parcels")
	}
}

// A depot fails twice before it works, and keeps what it was sent.
type depot struct {
	*httptest.Server
	received []string
	failed   chan bool
}

func newDepot(t *testing.T) *depot {
	d := &depot{failed: make(chan bool, 3)}
	d.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		d.received = append(d.received, string(body))
		if len(d.received) < 3 {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			d.failed <- true
			return
		}
		_ = json.NewEncoder(w).Encode("done")
	}))
	t.Cleanup(d.Close)
	return d
}

// TestBodies shows what the attempts after the first send.
func TestBodies(t *testing.T) {
	parcels.Pause, mended.Pause = 0, 0
	for name, c := range map[string]struct {
		send     func(*http.Client, string, string) error
		received []string
	}{
		"Loop":            {parcels.Loop, []string{"books", "", ""}},
		"Loop, mended":    {mended.Loop, []string{"books", "books", "books"}},
		"Literal":         {parcels.Literal, []string{"books", "", ""}},
		"Literal, mended": {mended.Literal, []string{"books", "books", "books"}},
	} {
		d := newDepot(t)
		if err := c.send(d.Client(), d.URL, "books"); err != nil || !slices.Equal(d.received, c.received) {
			t.Errorf("%s: received %q, error %v", name, d.received, err)
		}
	}
}

// TestOpenResponses gives the client one connection. A response that stays open holds it, and the second attempt waits for ever.
func TestOpenResponses(t *testing.T) {
	parcels.Pause, mended.Pause = 0, 0
	get := func(d *depot, get func(*http.Client, string, any) error) <-chan error {
		d.Client().Transport.(*http.Transport).MaxConnsPerHost = 1
		done := make(chan error, 1)
		go func() { done <- get(d.Client(), d.URL, new(string)) }()
		return done
	}
	if err := <-get(newDepot(t), mended.Open); err != nil {
		t.Errorf("mended: %v", err)
	}
	d := newDepot(t)
	done := get(d, parcels.Open)
	<-d.failed
	select {
	case err := <-done:
		t.Errorf("the second attempt found a connection: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
}

// TestState reads three weights, of which the last is missing at the first attempt.
func TestState(t *testing.T) {
	parcels.Pause = 0
	for name, c := range map[string]struct {
		sum  func(func(func(int)) error) (int, error)
		want int
	}{"Sum": {parcels.Sum, 10}, "SumOfLast": {parcels.SumOfLast, 6}} {
		attempts := 0
		total, err := c.sum(func(each func(int)) error {
			if attempts++; attempts == 1 {
				each(1)
				each(3)
				return io.ErrUnexpectedEOF
			}
			each(1)
			each(2)
			each(3)
			return nil
		})
		if err != nil || total != c.want {
			t.Errorf("%s: %d, %v", name, total, err)
		}
	}
}
