package retrybudget_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retrybudget"
)

func TestBudgets(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrybudget.Analyzer,
		"credit", "ratio", "window", "bucket", "throttle", "finagle", "reader", "inflight", "atomics", "scopes", "orders", "limiters", "retries", "shop", "tokens")
}
