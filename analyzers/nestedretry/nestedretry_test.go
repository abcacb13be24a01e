package nestedretry_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/nestedretry"
)

func TestChains(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nestedretry.Analyzer, "same", "cross", "clients", "flags", "values")
}
