// Package analyzers lists the analyzers of retrylint.
package analyzers

import (
	"slices"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/analyzers/retrybackoff"
	"github.com/retrylint/retrylint/analyzers/retrybound"
	"github.com/retrylint/retrylint/analyzers/retrybudget"
	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/analyzers/retrydeadline"
	"github.com/retrylint/retrylint/analyzers/retryidempotency"
	"github.com/retrylint/retrylint/analyzers/retryignore"
	"github.com/retrylint/retrylint/analyzers/retryoutcome"
	"github.com/retrylint/retrylint/analyzers/retryreplay"
)

// All returns every analyzer: the hidden one that hands the inventory to the command, and the rules.
//
// Each requires the one before. They ask about the same data, some of which is found out when it is asked for, and the order in
// which that happens must not hang on how goroutines are scheduled. What importers learn comes before all of them.
func All() []*analysis.Analyzer { return slices.Clone(all()) }

var all = sync.OnceValue(func() []*analysis.Analyzer {
	list := []*analysis.Analyzer{
		inventory.Analyzer,
		nestedretry.Analyzer,
		retrydeadline.Analyzer,
		retrybound.Analyzer,
		retrybackoff.Analyzer,
		retryidempotency.Analyzer,
		retryreplay.Analyzer,
		retryoutcome.Analyzer,
		retrybudget.Analyzer,
		retryclassify.Analyzer,
		retryignore.Analyzer,
	}
	inventory.Analyzer.Requires = append(inventory.Analyzer.Requires, retryidempotency.Effects)
	for i, a := range list[1:] {
		a.Requires = append(a.Requires, list[i])
	}
	return list
})
