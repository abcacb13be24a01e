package retrybackoff_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retrybackoff"
)

func TestWaits(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrybackoff.Analyzer, "lastwait", "growth", "jitter", "pause", "resets", "policies")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retrybackoff.Analyzer, "fixes", "randomized")
}
