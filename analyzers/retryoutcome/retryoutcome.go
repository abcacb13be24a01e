package retryoutcome

import (
	_ "embed"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports what a caller doesn't learn of attempts that all have failed.
var Analyzer = rule.New("retryoutcome", source, check)

func check(pass *rule.Pass) {
	for i := range pass.Known.Repetitions {
		place := &pass.Known.Repetitions[i]
		if (place.Role != sites.Retry && place.Role != sites.CAS) || place.Count.One() {
			continue
		}
		for _, ending := range pass.Result.Endings(place) {
			report(pass, place, ending)
		}
	}
}

// report tells what is wrong with a way out, if something is.
func report(pass *rule.Pass, place *callgraph.Repetition, ending sites.Ending) {
	pos := returned(pass, ending)
	switch {
	case ending.Verdict == sites.Nothing && !(ending.Literal && ending.Told):
		pass.Report("success", analysis.Diagnostic{Pos: pos, Message: "the last attempt has failed, and nil is returned as the error: the caller takes it for a success"})
	case ending.Verdict == sites.Idle:
		pass.Report("success", analysis.Diagnostic{Pos: pos, Message: "the last attempt has failed, and the error of the context is returned, which is nil unless it is done: the caller takes it for a success"})
	case ending.Verdict == sites.Fresh:
		pass.Report("lost", analysis.Diagnostic{Pos: pos, Message: "the error of the last attempt is lost: what is returned isn't made of it"})
	}
}

// returned finds the error in the return statement of a way out.
func returned(pass *rule.Pass, ending sites.Ending) token.Pos {
	pos := ending.Return.Pos()
	syntax := ending.Return.Parent().Syntax()
	if syntax == nil {
		return pos
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && ret.Return == pos && len(ret.Results) > 0 {
			pos = ret.Results[len(ret.Results)-1].Pos()
			return false
		}
		return true
	})
	return pos
}
