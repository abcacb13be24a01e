package retrybudget_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/answers"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/atomics"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/bucket"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/credit"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/finagle"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/inflight"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/ratio"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/scopes"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/throttle"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/window"
)

func init() {
	credit.Pause, ratio.Pause, scopes.Pause, bucket.Pause, throttle.Pause = 0, 0, 0, 0, 0
	finagle.Pause, window.Pause, atomics.Pause, inflight.Pause, answers.Pause = 0, 0, 0, 0, 0
}

const requests = 1000

// TestTruth drives budgets of the test data with a thousand requests against something that always fails: what is reported
// admits more retries than its ratio says, what isn't holds it. What a budget admits beside its ratio, once or in each second,
// is part of what is allowed: the tests take less than the seconds that are allowed for.
func TestTruth(t *testing.T) {
	for _, c := range []struct {
		name     string
		drive    func(way string, requests int) int
		way      string
		allowed  int
		reported bool
	}{
		{"credit", credit.Drive, "Once", 100, false},
		{"credit", credit.Drive, "First", 100, false},
		{"credit", credit.Drive, "Each", 100, true},
		{"credit", credit.Drive, "Failed", 100, true},
		{"credit", credit.Drive, "Below", 100, true},
		{"answers", answers.Drive, "Once", 100, false},
		{"answers", answers.Drive, "Each", 100, true},
		{"ratio", ratio.Drive, "Share", 100, false},
		{"ratio", ratio.Drive, "Own", 100, true},
		{"ratio", ratio.Drive, "Attempts", 100, true},
		{"ratio", ratio.Drive, "Serve", 100, true},
		{"window", window.Drive, "Weave", 100 + 30, false},      // three a second, over ten of them
		{"window", window.Drive, "Attempts", 100 + 30, true},    // ...
		{"bucket", bucket.Drive, "Draw", 100, false},            // the capacity: no request succeeds
		{"bucket", bucket.Drive, "Refilled", 100, true},         // ...
		{"throttle", throttle.Drive, "Ring", 50, false},         // down to half of its tokens
		{"throttle", throttle.Drive, "RingEach", 50, true},      // ...
		{"finagle", finagle.Drive, "Open", 200 + 100, false},    // a fifth, and ten a second over ten seconds
		{"finagle", finagle.Drive, "OpenEach", 200 + 100, true}, // ...
		{"finagle", finagle.Drive, "OpenHoard", 200 + 100, true},
		{"scopes", scopes.Drive, "Cut", 20, false},
		{"scopes", scopes.Drive, "Fresh", 20, true},
	} {
		retries := c.drive(c.way, requests)
		t.Logf("%s.%s: %d retries of %d requests, a ratio of %.3f", c.name, c.way, retries, requests, float64(retries)/requests)
		if exceeds := retries > c.allowed; exceeds != c.reported {
			t.Errorf("%s.%s makes %d retries, %d allowed; reported: %v", c.name, c.way, retries, c.allowed, c.reported)
		}
	}
}

// TestCreditIsExact holds the integer credit to its number: each ten of the originals pay for one retry.
func TestCreditIsExact(t *testing.T) {
	if n := credit.Drive("Once", requests); n != 100 {
		t.Errorf("%d originals admit %d retries, want 100", requests, n)
	}
}

// TestRaces drives budgets from several goroutines until one admits too much: what is reported does so sooner or later.
func TestRaces(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("goroutines that don't run at the same time hardly come between two steps")
	}
	const patience = time.Minute
	for way, reported := range map[string]bool{"split": true, "plain": true, "twice": true, "added": false, "swapped": false, "rechecked": false} {
		most, n := 0, 0
		for began := time.Now(); most <= atomics.Size && (reported || n < 200) && time.Since(began) < patience; n++ {
			most = max(most, atomics.Race(way, requests))
		}
		t.Logf("atomics.%s: up to %d retries of %d allowed, after %d rounds", way, most, atomics.Size, n)
		if exceeds := most > atomics.Size; exceeds != reported {
			t.Errorf("atomics.%s admits %d retries, %d allowed; reported: %v", way, most, atomics.Size, reported)
		}
	}
}

// TestCapsAreNoRates shows why a cap of how many retries are under way isn't taken for a budget of a rate: it admits all of them, one
// after the other, and only a few at once.
func TestCapsAreNoRates(t *testing.T) {
	for _, way := range []string{"site", "yard"} {
		if n := inflight.Drive(way, requests); n != 3*requests {
			t.Errorf("%s: %d retries of %d requests, want all %d", way, n, requests, 3*requests)
		}
	}
	const originals = 20
	if n := inflight.AtOnce(originals); n > originals+1 {
		t.Errorf("%d attempts at once of %d originals and one retry", n, originals)
	}
}
