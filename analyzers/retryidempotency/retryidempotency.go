package retryidempotency

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports writes that a retry can execute twice.
var Analyzer = requiring(rule.New("retryidempotency", source, check), Effects)

func requiring(a, required *analysis.Analyzer) *analysis.Analyzer {
	a.Requires = append(a.Requires, required)
	return a
}

func check(pass *rule.Pass) {
	elsewhere := pass.ResultOf[Effects].(*foreign)
	if elsewhere.failed != "" {
		panic(elsewhere.failed)
	}
	for i := range pass.Known.Repetitions {
		r := &pass.Known.Repetitions[i]
		if r.Count.One() && !layered(r) || r.Function == nil || r.Hop.Foreign {
			continue
		}
		a := newAttempt(beneath(r), elsewhere)
		keyed := false
		switch r.Role {
		case sites.Retry, sites.Poll: // what is asked for by a write is no poll
			keyed = newKeys(pass, a)
		}
		if r.Role == sites.Retry && !keyed { // a key that comes to nothing is one fault
			noKeys(pass, a)
		}
	}
	for i := range pass.Known.Transactions {
		closureEffects(pass, &pass.Known.Transactions[i])
	}
}

// layered reports whether the call of a client goes through a layer that repeats, though the client itself doesn't.
func layered(r *callgraph.Repetition) bool { return len(repeatingLayers(r)) > 0 }

// repeatingLayers lists the layers around and below a client's call that make more than one attempt.
func repeatingLayers(r *callgraph.Repetition) []callgraph.Link {
	var list []callgraph.Link
	for _, links := range [][]callgraph.Link{r.Around, r.Below} {
		for _, link := range links {
			if !link.Count.One() {
				list = append(list, link)
			}
		}
	}
	return list
}

// beneath gives the call of a client that repeats what it executes of this package: the transports below the repeating layer.
func beneath(r *callgraph.Repetition) *callgraph.Repetition {
	if r.Hop.Kind != "client" || r.Call == nil || len(r.Operations) > 0 {
		return r
	}
	client := *r
	client.Operations = r.Beneath()
	return &client
}
