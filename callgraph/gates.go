package callgraph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Gate is a decision of a repetition, by a budget, whether there is another attempt.
type Gate struct {
	// State says which counters decide; nil for a library's limiter and for budgets of other packages.
	State *budget.Gate
	// Call asks; nil for a branch that compares the counter itself.
	Call ssa.CallInstruction
	// Branch ends the repetitions on its side Leaves; nil for what an attempt asks.
	Branch *ssa.If
	Leaves bool
	// Literal is set for what a function asks that a helper or library is given.
	Literal bool
	// Foreign is set for a budget of another package; Shared, if that is made for many callers.
	Foreign, Shared bool

	foreign budget.Kind // what a budget of another package, or a library's, bounds
}

// Gates lists the budgets that r asks: in branches that leave it, and in functions that its attempts begin with.
func (r *Repetition) Gates() []Gate {
	return append(r.ownGates(), r.foreignGates()...)
}

func (r *Repetition) ownGates() []Gate {
	x := r.pkg.counters()
	var list []Gate
	if r.Site != nil {
		for _, d := range r.Site.Decisions() {
			list = append(list, decided(x, d.Branch, d.Leaves)...)
		}
	}
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		for _, callee := range x.Callees(&call.Call) {
			if g := refusesByError(x, callee); g != nil {
				list = append(list, Gate{State: g, Call: call})
			}
		}
	}
	for _, fn := range append(r.Classifiers(), r.Operations...) {
		list = append(list, askedIn(x, fn)...)
	}
	return list
}

// askedIn lists the budgets that a function asks which a helper or library is given.
func askedIn(x *budget.Index, fn *ssa.Function) []Gate {
	g := x.Decides(fn)
	var list []Gate
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if kind := admits(call); kind != "" {
				list = append(list, Gate{Call: call, Literal: true, foreign: kind})
			}
			for _, callee := range x.Callees(&call.Call) {
				if inner := x.Decides(callee); inner != nil && g != nil {
					list = append(list, Gate{State: inner, Call: call, Literal: true})
				}
			}
		}
	}
	if len(list) == 0 && g != nil {
		list = append(list, Gate{State: g})
	}
	return list
}

// refusesByError describes a function of the attempt that fails when a budget is used up.
func refusesByError(x *budget.Index, fn *ssa.Function) *budget.Gate {
	results := fn.Signature.Results()
	last := results.Len() - 1
	if last < 0 || !typename.IsError(results.At(last).Type()) {
		return nil
	}
	g := x.GateOf(fn, budget.Refusal{Result: last, Error: true})
	if g == nil {
		return nil
	}
	for _, t := range g.Terms {
		if x.ChargedBy(fn, t.Counter, t.Polarity) {
			return g
		}
	}
	return nil
}

// decided lists the budgets that a branch asks.
func decided(x *budget.Index, branch *ssa.If, leaves bool) []Gate {
	var list []Gate
	if g := x.GateAt(branch, leaves); g != nil && charged(x, g) {
		list = append(list, Gate{State: g, Call: x.Asked(branch.Cond), Branch: branch, Leaves: leaves})
	}
	if call, kind := libraryAsked(branch.Cond, leaves); kind != "" {
		list = append(list, Gate{Call: call, Branch: branch, Leaves: leaves, foreign: kind})
	}
	return list
}

// charged reports whether anything charges a counter of a gate.
func charged(x *budget.Index, g *budget.Gate) bool {
	for _, t := range g.Terms {
		for _, a := range x.Accesses(t.Counter) {
			if a.Charges(t.Polarity) {
				return true
			}
		}
	}
	return false
}

// libraryAsked returns the call of a library's limiter or semaphore whose refusal leaves the loop, and what that bounds.
func libraryAsked(cond ssa.Value, leaves bool) (*ssa.Call, budget.Kind) {
	cond, leaves = sites.Unnegated(cond, leaves)
	call, ok := cond.(*ssa.Call)
	if !ok || leaves {
		return nil, ""
	}
	return call, admits(call)
}

// admits says what a call bounds that asks a library whether something may happen now; "" if it asks no such thing.
func admits(call *ssa.Call) budget.Kind {
	switch catalog.Counts(CalleeName(&call.Call)) {
	case "admit":
		return budget.Rate
	case "permit":
		return budget.Concurrency
	}
	return ""
}

// Caps reports whether g only bounds how many repetitions there are at once.
func (r *Repetition) Caps(g Gate) bool {
	if g.State == nil {
		return g.foreign == budget.Concurrency
	}
	return r.pkg.counters().Caps(g.State)
}
