package retryclassify

import (
	_ "embed"
	"go/token"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports failures that a repetition can't cure.
var Analyzer = rule.New("retryclassify", source, check)

func check(pass *rule.Pass) {
	for i := range pass.Known.Repetitions {
		r := &pass.Known.Repetitions[i]
		if r.Function == nil || r.Hop.Kind == "client" {
			continue
		}
		if r.Role == sites.Poll {
			checkResults(pass, r)
		}
		if r.Role != sites.Retry && r.Role != sites.CAS {
			continue
		}
		checkQuestions(pass, r)
		checkResults(pass, r)
		checkInversions(pass, r)
		if r.Role != sites.Retry || r.Count.One() {
			continue
		}
		checkContext(pass, r)
		checkPermanent(pass, r)
		checkRetryAfter(pass, r)
	}
}

// place is the most specific place of a repetition: the operation of a loop, or the name of what a call calls.
func place(r *callgraph.Repetition) token.Pos {
	if r.Site != nil && r.Site.Operation != nil {
		return r.Token(r.Site.Operation)
	}
	return r.Pos
}
