package retrybudget

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/typename"
)

// foreignGates lists the decisions of r by budgets of other packages, of which is known what their functions do.
func foreignGates(r *callgraph.Repetition) []siteGate {
	if r.Site == nil {
		return nil
	}
	var list []siteGate
	for _, d := range r.Site.Decisions() {
		if call := callBehind(d.Branch.Cond, 0); call != nil && says(r, call, budget.Refuses) {
			list = append(list, siteGate{call: call, branch: d.Branch, leaves: d.Leaves, shared: says(r, call, budget.Shared), foreign: true})
		}
	}
	return list
}

func says(r *callgraph.Repetition, call *ssa.Call, letter rune) bool {
	return strings.ContainsRune(r.BudgetOf(&call.Call), letter)
}

// callBehind returns the call whose result a condition is about.
func callBehind(v ssa.Value, depth int) *ssa.Call {
	if depth > 6 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Call:
		return v
	case *ssa.Extract:
		return callBehind(v.Tuple, depth+1)
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return callBehind(v.X, depth+1)
		}
	case *ssa.BinOp:
		if typename.IsError(v.X.Type()) && isNil(v.Y) {
			return callBehind(v.X, depth+1)
		}
	}
	return nil
}

// budgetType is the type of the budget that a method is called on, nil if it is no method.
func budgetType(call *ssa.CallCommon) types.Type {
	if call.Signature().Recv() == nil || len(call.Args) == 0 {
		return nil
	}
	return call.Args[0].Type()
}

// feedsForeign reports whether a call refills the budget of another package that one of the gates asks.
func feedsForeign(r *callgraph.Repetition, call *ssa.Call, gates []siteGate) bool {
	fed := budgetType(&call.Call)
	if fed == nil || !says(r, call, budget.Feeds) {
		return false
	}
	for _, g := range gates {
		if !g.foreign {
			continue
		}
		if asked := budgetType(g.call.Common()); asked != nil && types.Identical(asked, fed) {
			return true
		}
	}
	return false
}
