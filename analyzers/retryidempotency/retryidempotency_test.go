package retryidempotency_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retryidempotency"
	"github.com/retrylint/retrylint/internal/config"
)

func TestWrites(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retryidempotency.Analyzer, "newkey", "transport", "nokey", "closure", "clients", "across/desk", "levels/halls", "levels/box")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retryidempotency.Analyzer, "fixes")
}

// TestOwn has writes and a name of keys that only the configuration tells about.
func TestOwn(t *testing.T) {
	defer config.Use(&config.Config{
		Writes: []config.Write{
			{Function: "(own/ledger.Ledger).Book", Key: new(2)},
			{Function: "(*own/ledger.Client).Transfer", Key: new(2)},
			{Function: "own/ledger.Send"},
		},
		Keys: []string{"X-Shop-Order"},
	})()
	analysistest.Run(t, analysistest.TestData(), retryidempotency.Analyzer, "own/books")
}

// TestEffects checks what importers learn.
func TestEffects(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retryidempotency.Effects, "across/ids", "across/ledger", "levels/tickets")
}
