package retryoutcome_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retryoutcome"
)

func TestOutcome(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retryoutcome.Analyzer, "outcome", "closures", "never", "parcels")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retryoutcome.Analyzer, "fixes")
}
