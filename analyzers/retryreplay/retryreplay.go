package retryreplay

import (
	_ "embed"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var page string

// Analyzer reports what one attempt leaves behind for the next.
var Analyzer = rule.New("retryreplay", page, check)

func check(pass *rule.Pass) {
	for i := range pass.Known.Repetitions {
		place := &pass.Known.Repetitions[i]
		if (place.Role != sites.Retry && place.Role != sites.CAS) || place.Count.One() {
			continue
		}
		a := newAttempt(pass, place)
		a.bodies()
		a.responses()
		a.accumulators()
		a.writers()
		a.transactions()
	}
}

func (a *attempt) report(category string, pos token.Pos, message string, fixes ...analysis.SuggestedFix) {
	a.pass.Report(category, analysis.Diagnostic{Pos: pos, Message: message, SuggestedFixes: fixes})
}
