// Package analyzers lists the analyzers of retrylint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/analyzers/retryignore"
	"github.com/retrylint/retrylint/analyzers/retryoutcome"
	"github.com/retrylint/retrylint/analyzers/retryreplay"
)

// All returns every analyzer: the rules, and the hidden one that hands the inventory to the command.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{nestedretry.Analyzer, retryreplay.Analyzer, retryoutcome.Analyzer, retryignore.Analyzer, inventory.Analyzer}
}
