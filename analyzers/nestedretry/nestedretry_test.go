package nestedretry_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/internal/config"
)

func TestChains(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), nestedretry.Analyzer, "same", "cross", "clients", "flags", "settings", "environment", "cluster", "values", "giveup", "states", "pace/client", "policies", "accepted/ledger", "accepted/wholefile", "accepted/post")
}

// TestOwn has helpers and clients that only the configuration tells about.
func TestOwn(t *testing.T) {
	defer config.Use(&config.Config{
		Helpers: []config.Helper{{
			Function:  "own/retry.Do",
			Operation: 1,
			Attempts:  config.Attempts{Argument: 2, Retries: true},
		}},
		Clients: []config.Client{{Type: "*own/api.Client", Methods: []string{"Get"}, Attempts: config.Attempts{Number: 5}}},
	})()
	analysistest.Run(t, analysistest.TestData(), nestedretry.Analyzer, "own/use")
}
