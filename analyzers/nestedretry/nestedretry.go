package nestedretry

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
)

//go:embed doc.go
var source string

// Analyzer reports retries that compose multiplicatively.
var Analyzer = rule.New("nestedretry", source, check)

func check(pass *rule.Pass) {
	for _, chain := range pass.Known.Chains {
		pass.Report("amplification", diagnostic(chain, pass.Result.Module))
	}
}

func diagnostic(chain callgraph.Chain, module string) analysis.Diagnostic {
	d := analysis.Diagnostic{Pos: chain.Pos, Message: chain.Message(module)}
	for _, link := range chain.Links {
		pos := link.Pos
		if !pos.IsValid() {
			pos = chain.Pos // in another package: the message tells where
		}
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, Message: link.Step(module)})
	}
	return d
}
