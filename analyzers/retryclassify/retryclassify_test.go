package retryclassify_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retryclassify"
)

func TestClassification(t *testing.T) {
	enable(t, "retryafter")
	analysistest.Run(t, analysistest.TestData(), retryclassify.Analyzer, "targets", "answers", "turned", "ctx", "lasting", "busy", "given")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retryclassify.Analyzer, "compare")
}

// enable enables categories that are opt-in.
func enable(t *testing.T, categories string) {
	if err := retryclassify.Analyzer.Flags.Set("enable", categories); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = retryclassify.Analyzer.Flags.Set("enable", "") })
}
