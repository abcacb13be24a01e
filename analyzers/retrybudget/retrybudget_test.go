package retrybudget_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retrybudget"
)

func TestBudgets(t *testing.T) {
	enable(t, "attemptsonly")
	analysistest.Run(t, analysistest.TestData(), retrybudget.Analyzer,
		"credit", "ratio", "window", "bucket", "throttle", "finagle", "reader", "inflight", "atomics", "scopes", "orders", "limiters", "retries", "shop", "tokens", "answers")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retrybudget.Analyzer, "fixes")
}

// enable enables categories that are opt-in.
func enable(t *testing.T, categories string) {
	if err := retrybudget.Analyzer.Flags.Set("enable", categories); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = retrybudget.Analyzer.Flags.Set("enable", "") })
}
