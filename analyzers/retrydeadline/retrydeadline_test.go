package retrydeadline_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retrydeadline"
)

func TestFindings(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrydeadline.Analyzer, "sleep", "done", "cancel", "nocontext", "detached", "overrun")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retrydeadline.Analyzer, "fix")
}
