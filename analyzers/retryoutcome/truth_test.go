package retryoutcome_test

import (
	"errors"
	"testing"

	"github.com/retrylint/retrylint/analyzers/retryoutcome/testdata/src/parcels"
)

// TestTruth asks what a caller learns of attempts that all failed: of what is reported, not the cause.
func TestTruth(t *testing.T) {
	parcels.Pause = 0
	closed := errors.New("closed")
	for _, c := range []struct {
		name            string
		hand            func(func() error) error
		succeeds, tells bool
	}{
		{"Silent", parcels.Silent, true, false},
		{"Shadowed", parcels.Shadowed, true, false},
		{"Vague", parcels.Vague, false, false},
		{"Told", parcels.Told, false, true},
	} {
		attempts := 0
		err := c.hand(func() error { attempts++; return closed })
		if attempts != 3 || (err == nil) != c.succeeds || errors.Is(err, closed) != c.tells {
			t.Errorf("%s: %v after %d attempts", c.name, err, attempts)
		}
	}
}
