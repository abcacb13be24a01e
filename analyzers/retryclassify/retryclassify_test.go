package retryclassify_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retryclassify"
)

func TestClassification(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retryclassify.Analyzer, "targets", "answers", "turned", "ctx", "lasting", "busy", "given")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retryclassify.Analyzer, "compare")
}
