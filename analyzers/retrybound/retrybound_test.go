package retrybound_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retrybound"
)

func TestBounds(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrybound.Analyzer, "endless", "counters", "policies")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retrybound.Analyzer, "moves")
}
