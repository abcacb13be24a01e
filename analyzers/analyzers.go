// Package analyzers lists the analyzers of retrylint.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/analyzers/retrybudget"
	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/analyzers/retryignore"
)

// All returns every analyzer: the rules, and the hidden one that hands the inventory to the command.
func All() []*analysis.Analyzer {
	return []*analysis.Analyzer{nestedretry.Analyzer, retrybudget.Analyzer, retryclassify.Analyzer, retryignore.Analyzer, inventory.Analyzer}
}
