package nestedretry

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/page"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/directive"
)

//go:embed doc.go
var source string

// Analyzer reports retries that compose multiplicatively.
var Analyzer = &analysis.Analyzer{
	Name:     "nestedretry",
	Doc:      page.Doc(source, "nestedretry"),
	URL:      page.URL("nestedretry"),
	Requires: []*analysis.Analyzer{callgraph.Analyzer},
	Run:      run,
}

const category = "amplification"

func run(pass *analysis.Pass) (any, error) {
	result := pass.ResultOf[callgraph.Analyzer].(*callgraph.Result)
	known := result.Known()
	if known.Panic != "" && !directive.Deferred { // the command learns it from the inventory
		pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Category: "internal", Message: "retrylint could not analyse this package: " + known.Panic})
		return nil, nil
	}
	if known.Panic != "" || len(known.Chains) == 0 {
		return nil, nil
	}
	ignored := directive.Of(pass)
	for _, chain := range known.Chains {
		if !ignored.Suppressed(chain.Pos, "nestedretry", category) {
			pass.Report(diagnostic(chain, result.Module))
		}
	}
	return nil, nil
}

func diagnostic(chain callgraph.Chain, module string) analysis.Diagnostic {
	d := analysis.Diagnostic{Pos: chain.Pos, Category: "nestedretry." + category, Message: chain.Message(module)}
	for _, link := range chain.Links {
		pos := link.Pos
		if !pos.IsValid() {
			pos = chain.Pos // in another package: the message tells where
		}
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: pos, Message: link.Step(module)})
	}
	return d
}
