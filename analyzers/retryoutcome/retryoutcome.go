package retryoutcome

import (
	_ "embed"
	"go/ast"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var page string

// Analyzer reports what a caller doesn't learn of attempts that all have failed.
var Analyzer = rule.New("retryoutcome", page, check)

func check(pass *rule.Pass) {
	for i := range pass.Known.Repetitions {
		place := &pass.Known.Repetitions[i]
		if place.Never != "" {
			never(pass, place)
		}
		if (place.Role != sites.Retry && place.Role != sites.CAS) || place.Count.One() {
			continue
		}
		outcomes(pass, place)
		for _, operation := range place.Operations {
			for _, ending := range pass.Result.Swallowed(operation) {
				tell(pass, "success", ending, "the operation has failed, and returns nil: it is taken for a success, and not repeated")
			}
		}
	}
}

// outcomes reports what comes of attempts that all have failed. Whoever takes the error of a helper or library by a blank means
// it.
func outcomes(pass *rule.Pass, place *callgraph.Repetition) {
	dropped := isDropped(place)
	if !dropped && isUnused(place) {
		return
	}
	for _, ending := range pass.Result.Endings(place) {
		report(pass, place, ending, dropped)
	}
}

// isUnused reports whether a place is a call whose error nobody reads.
func isUnused(place *callgraph.Repetition) bool {
	call, ok := place.Call.(*ssa.Call)
	if !ok {
		return false
	}
	results := call.Call.Signature().Results()
	if results.Len() < 2 {
		return len(*call.Referrers()) == 0
	}
	for _, ref := range *call.Referrers() {
		if x, isExtract := ref.(*ssa.Extract); isExtract && x.Index == results.Len()-1 && len(*x.Referrers()) > 0 {
			return false
		}
	}
	return true
}

// report tells what is wrong with a way out, if something is. An explicit nil in answer to the error of a helper or library, or
// behind a log line, was meant; but not if nobody has looked at the error.
func report(pass *rule.Pass, place *callgraph.Repetition, ending sites.Ending, dropped bool) {
	switch ending.Verdict {
	case sites.Nothing:
		switch {
		case ending.Literal && ending.Told:
		case dropped:
			pass.Report("success", analysis.Diagnostic{
				Pos:     place.Token(place.Call),
				Message: "the error of the last attempt is dropped, and nil is returned: the caller takes it for a success",
			})
		case place.Call == nil || !isNil(ending.Error):
			tell(pass, "success", ending, "the last attempt has failed, and nil is returned as the error: the caller takes it for a success")
		}
	case sites.Idle:
		tell(pass, "success", ending, "the last attempt has failed, and the error of the context is returned, which is nil unless it is done: the caller takes it for a success")
	case sites.Fresh:
		tell(pass, "lost", ending, "the error of the last attempt is lost: what is returned isn't made of it")
	case sites.Missed:
		tell(pass, "lost", ending, "this is never returned: the counter doesn't get as far after the last attempt, whose error is lost")
	}
}

// tell reports an error that is returned, with a fix if the last error is at hand there.
func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

func tell(pass *rule.Pass, category string, ending sites.Ending, message string) {
	d := analysis.Diagnostic{Pos: ending.Return.Pos(), Message: message}
	if e := returned(ending); e != nil {
		d.Pos = e.Pos()
		d.SuggestedFixes = fixes(pass, ending, e)
	}
	pass.Report(category, d)
}

// isDropped reports whether a place is a call whose results nobody takes, not even with a blank.
func isDropped(place *callgraph.Repetition) bool {
	if place.Call == nil || place.Function.Syntax() == nil {
		return false
	}
	found := false
	ast.Inspect(place.Function.Syntax(), func(n ast.Node) bool {
		if stmt, ok := n.(*ast.ExprStmt); ok {
			call, isCall := stmt.X.(*ast.CallExpr)
			found = found || isCall && call.Lparen == place.Call.Pos()
		}
		return !found
	})
	return found
}

// never tells of a setting under which the operation isn't executed.
func never(pass *rule.Pass, place *callgraph.Repetition) {
	pass.Report("neverruns", analysis.Diagnostic{
		Pos:     place.Token(place.Call),
		Message: "the operation is never executed, and no error tells: " + place.Never,
	})
}

// returned finds the error in the return statement of a way out: nil if the statement doesn't spell its results out.
func returned(ending sites.Ending) ast.Expr {
	syntax := ending.Return.Parent().Syntax()
	if syntax == nil {
		return nil
	}
	var found ast.Expr
	ast.Inspect(syntax, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && ret.Return == ending.Return.Pos() && len(ret.Results) > 0 {
			found = ret.Results[len(ret.Results)-1]
		}
		return found == nil
	})
	return found
}
