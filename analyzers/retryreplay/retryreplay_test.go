package retryreplay_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retryreplay"
)

func TestReplay(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retryreplay.Analyzer, "replay")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retryreplay.Analyzer, "fixes", "parcels")
}
