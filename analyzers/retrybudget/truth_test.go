package retrybudget_test

import (
	"testing"

	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/credit"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/ratio"
	"github.com/retrylint/retrylint/analyzers/retrybudget/testdata/src/scopes"
)

// TestTruth drives budgets of the test data with a thousand requests against something that always fails: what is reported
// admits more retries than its ratio says, what isn't holds it.
func TestTruth(t *testing.T) {
	credit.Pause, ratio.Pause, scopes.Pause = 0, 0, 0
	const requests = 1000
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
		{"ratio", ratio.Drive, "Share", 100, false},
		{"ratio", ratio.Drive, "Own", 100, true},
		{"ratio", ratio.Drive, "Attempts", 100, true},
		{"scopes", scopes.Drive, "Cut", 20, false},
		{"scopes", scopes.Drive, "Fresh", 20, true},
	} {
		retries := c.drive(c.way, requests)
		t.Logf("%s.%s: %d retries of %d requests", c.name, c.way, retries, requests)
		if exceeds := retries > c.allowed; exceeds != c.reported {
			t.Errorf("%s.%s makes %d retries, %d allowed; reported: %v", c.name, c.way, retries, c.allowed, c.reported)
		}
	}
}
