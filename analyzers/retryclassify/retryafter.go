package retryclassify

import (
	"go/constant"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
)

// checkRetryAfter reports a loop or operation that looks for 429 itself, with the answer at hand, where nothing in the package
// reads how long the server asks to wait.
func checkRetryAfter(pass *rule.Pass, r *callgraph.Repetition) {
	if readsRetryAfter(r.Function.Pkg) {
		return
	}
	for step := range r.Attempt() {
		if test, status := statusOf(step.Instr); test != nil && status == 429 && len(step.Calls) == 0 {
			pass.Report("retryafter", analysis.Diagnostic{
				Pos:     test.Pos(),
				Message: "429 is repeated without a look at the Retry-After that comes with it",
			})
			return
		}
	}
}

func readsRetryAfter(pkg *ssa.Package) bool {
	for _, fn := range callgraph.FunctionsOf(pkg) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				for _, op := range instr.Operands(nil) {
					if c, ok := (*op).(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String &&
						strings.EqualFold(constant.StringVal(c.Value), "Retry-After") {
						return true
					}
				}
			}
		}
	}
	return false
}
