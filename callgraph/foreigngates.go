package callgraph

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
)

// foreignGates lists the decisions of r by budgets of other packages, of which is known what their functions do.
func (r *Repetition) foreignGates() []Gate {
	if r.Site == nil {
		return nil
	}
	var list []Gate
	for _, d := range r.Site.Decisions() {
		call := budget.CallBehind(d.Branch.Cond)
		if call == nil {
			continue
		}
		if says := r.budgetOf(&call.Call); strings.ContainsRune(says, budget.Refuses) {
			list = append(list, Gate{
				Call: call, Branch: d.Branch, Leaves: d.Leaves,
				Foreign: true, Shared: strings.ContainsRune(says, budget.Shared), foreign: r.foreignKind(call, says),
			})
		}
	}
	return list
}

// foreignKind says what a budget of another package bounds. Where that package only hands out and takes back, whoever uses it
// decides: what its caller gives back after an attempt, however that ends, was lent.
func (r *Repetition) foreignKind(call *ssa.Call, says string) budget.Kind {
	switch {
	case strings.ContainsRune(says, budget.Lends):
		return budget.Concurrency
	case strings.ContainsRune(says, budget.Even) && r.givesBack(call):
		return budget.Concurrency
	case strings.ContainsRune(says, budget.Shared) && !strings.ContainsRune(says, budget.Even):
		return budget.Rate
	}
	return ""
}

// givesBack reports whether the function around a call refills the budget that the call charges, not only after a success.
func (r *Repetition) givesBack(charge *ssa.Call) bool {
	for _, b := range charge.Parent().Blocks {
		if slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			return ok && r.feeds(call.Common(), charge) && !budget.OnSuccess(instr)
		}) {
			return true
		}
	}
	return false
}

// Feeds reports whether a call refills the budget of another package that one of the gates asks. A cap is given back, not refilled.
func (r *Repetition) Feeds(call *ssa.Call, gates []Gate) bool {
	return slices.ContainsFunc(gates, func(g Gate) bool { return g.Foreign && g.foreign != budget.Concurrency && r.feeds(&call.Call, g.Call) })
}

// feeds reports whether a call refills the budget of another package that another call asks.
func (r *Repetition) feeds(call *ssa.CallCommon, asks ssa.CallInstruction) bool {
	fed, asked := budget.Receiver(call), budget.Receiver(asks.Common())
	return fed != nil && asked != nil && types.Identical(asked, fed) && strings.ContainsRune(r.budgetOf(call), budget.Feeds)
}

// budgetOf says what the function of another package that a call runs does to a budget, in the letters of package budget.
func (r *Repetition) budgetOf(call *ssa.CallCommon) string {
	callee := resolve(call.StaticCallee())
	if callee == nil || callee.Pkg == r.pkg.SSA {
		return ""
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok {
		return ""
	}
	if f := r.pkg.imports.Function(obj.Origin()); f != nil {
		return f.Budget
	}
	return ""
}
