package driver

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// TestProgress has a run wait for the second of two packages.
func TestProgress(t *testing.T) {
	var log strings.Builder
	named := func(path string) *Package {
		return &Package{ImportPath: path, Match: []string{"./..."}, GoFiles: []string{"a.go"}}
	}
	r := &run{Request: Request{Log: &log, Progress: time.Millisecond}, job: job{asked: []string{"./..."}}, named: 2}
	r.packages = map[string]*Package{"m/a": named("m/a"), "m/b": named("m/b")}
	r.out.units, r.out.deps = make(map[string]Unit), make(map[string]Unit)
	v := &vetting{units: make(chan map[string]map[string]json.RawMessage)}
	go func() {
		v.units <- map[string]map[string]json.RawMessage{"m/a": nil}
		time.Sleep(200 * time.Millisecond)
		close(v.units)
	}()
	if err := r.take(v); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(log.String(), "retrylint: 1 of 2 packages analysed") {
		t.Errorf("it says %q", log.String())
	}
}
