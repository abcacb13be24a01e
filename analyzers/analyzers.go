// Package analyzers lists the analyzers of retrylint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/analyzers/retrybackoff"
	"github.com/retrylint/retrylint/analyzers/retrybound"
	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/analyzers/retrydeadline"
	"github.com/retrylint/retrylint/analyzers/retryidempotency"
	"github.com/retrylint/retrylint/analyzers/retryignore"
	"github.com/retrylint/retrylint/analyzers/retryoutcome"
	"github.com/retrylint/retrylint/analyzers/retryreplay"
)

// All returns every analyzer: the rules, and the hidden one that hands the inventory to the command.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		nestedretry.Analyzer,
		retrydeadline.Analyzer,
		retrybound.Analyzer,
		retrybackoff.Analyzer,
		retryidempotency.Analyzer,
		retryreplay.Analyzer,
		retryoutcome.Analyzer,
		retryclassify.Analyzer,
		retryignore.Analyzer,
		inventory.Analyzer,
	}
}
