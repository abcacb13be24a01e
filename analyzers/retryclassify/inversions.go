package retryclassify

import (
	"fmt"
	"go/token"
	"regexp"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// checkInversions reports tests whose sides are exchanged, and loops that a success doesn't end.
func checkInversions(pass *rule.Pass, r *callgraph.Repetition) {
	for step := range r.Attempt() {
		if branch, ok := step.Instr.(*ssa.If); ok {
			checkIgnored(pass, branch)
		}
	}
	if r.Site == nil {
		return
	}
	checkPredicates(pass, r)
	if r.Site.AfterSuccess {
		pass.Report("wrongcheck", analysis.Diagnostic{
			Pos:     place(r),
			Message: fmt.Sprintf("a success doesn't end the attempts: %s is called again after it", callgraph.CalleeLabel(r.Site.Operation.Common())),
		})
	}
}

// checkIgnored reports a branch that is taken for all errors but the one that was to be ignored, and says that there is none.
func checkIgnored(pass *rule.Pass, branch *ssa.If) {
	test, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !isNil(test.Y) {
		return
	}
	call, ok := test.X.(*ssa.Call)
	if !ok || !filters(call) {
		return
	}
	failing := branch.Block().Succs[0]
	if test.Op == token.EQL {
		failing = branch.Block().Succs[1]
	}
	ret, ok := failing.Instrs[len(failing.Instrs)-1].(*ssa.Return)
	if !ok || len(failing.Preds) != 1 || len(ret.Results) == 0 || len(failing.Instrs) > 4 {
		return
	}
	last := ret.Results[len(ret.Results)-1]
	if !typename.IsError(last.Type()) || !isNil(last) {
		return
	}
	pass.Report("wrongcheck", analysis.Diagnostic{
		Pos: call.Pos(),
		Message: fmt.Sprintf("%s is inverted here: every failure but the ignored one counts as a success, and that one is returned",
			callgraph.CalleeLabel(&call.Call)),
	})
}

// filters reports whether call returns nil for one kind of the error that it is given, and the error itself for others.
func filters(call *ssa.Call) bool {
	if catalog.Ignores(callgraph.CalleeName(&call.Call)) {
		return true
	}
	fn := call.Call.StaticCallee()
	if fn == nil || len(fn.Blocks) == 0 || len(fn.Params) != 1 || fn.Signature.Results().Len() != 1 || !typename.IsError(fn.Params[0].Type()) {
		return false
	}
	ignored, handed := false, false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		switch {
		case !ok:
		case isNil(ret.Results[0]):
			ignored = true
		case ret.Results[0] == ssa.Value(fn.Params[0]):
			handed = true
		default:
			return false
		}
	}
	return ignored && handed
}

// repeatable is what functions are called that tell whether another attempt may help. A name can't be checked; it is taken at
// its word where the loop gives up after yes and goes round after no.
var repeatable = regexp.MustCompile(`(?i)^(is|may|can|should|might)?_?(retr(y|ya|ia)ble(err(or)?)?|transient(err(or)?)?|temporary(err(or)?)?|retry)$`)

func checkPredicates(pass *rule.Pass, r *callgraph.Repetition) {
	for _, d := range r.Site.Decisions() {
		cond, leavesOn := sites.Unnegated(d.Branch.Cond, d.Leaves)
		call, ok := cond.(*ssa.Call)
		if !ok || !leavesOn || !asksAboutError(&call.Call) || decidesElsewhere(r, d.Branch) {
			continue
		}
		passing := passingSentinel(&call.Call)
		switch {
		case passing != "":
			pass.Report("wrongcheck", analysis.Diagnostic{
				Pos:     r.Token(call),
				Message: fmt.Sprintf("this test is inverted: the attempts end if the error is %s, and go on if it is another one", passing),
			})
		case repeatable.MatchString(lastName(&call.Call)):
			pass.Report("wrongcheck", analysis.Diagnostic{
				Pos:     r.Token(call),
				Message: fmt.Sprintf("this test is inverted: the attempts end if %s says yes, and go on if it says no", callgraph.CalleeLabel(&call.Call)),
			})
		}
	}
}

// passingSentinel names the error that errors.Is is asked for, if it is called one that another attempt may cure; "" otherwise.
func passingSentinel(call *ssa.CallCommon) string {
	if callgraph.CalleeName(call) != "errors.Is" {
		return ""
	}
	load, ok := call.Args[1].(*ssa.UnOp)
	if !ok {
		return ""
	}
	g, ok := load.X.(*ssa.Global)
	if !ok || !passing.MatchString(g.Name()) {
		return ""
	}
	return g.Name()
}

// passing is what errors are called that another attempt may cure.
var passing = regexp.MustCompile(`(?i)^err(or)?_?(is)?(retr(y|ya|ia)ble|retry|transient|temporary|temporarilyunavailable|tryagain|trylater)$`)

func asksAboutError(call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return len(call.Args) == 0 && call.Method.Name() != "Error"
	}
	for _, a := range call.Args {
		if typename.IsError(a.Type()) {
			return true
		}
	}
	return false
}

func lastName(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.Name()
	}
	if callee := call.StaticCallee(); callee != nil {
		return callee.Name()
	}
	return ""
}

// decidesElsewhere reports whether another decision about which error it is leaves the loop as well: then this one picks out a
// kind of its own.
func decidesElsewhere(r *callgraph.Repetition, here *ssa.If) bool {
	for _, d := range r.Site.Decisions() {
		if d.Branch != here && r.Site.Inquire(d.Branch.Cond).Kind {
			return true
		}
	}
	return false
}
