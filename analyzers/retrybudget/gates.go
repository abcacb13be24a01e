package retrybudget

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// A siteGate is a decision of a repetition, by a budget, whether there is another attempt.
type siteGate struct {
	// gate is nil for a library's limiter.
	gate *budget.Gate
	// call asks; nil for a branch that compares the counter itself.
	call ssa.CallInstruction
	// branch ends the repetitions on its side leaves; nil for what an attempt asks.
	branch *ssa.If
	leaves bool
	// literal is set for what a function asks that a helper or library is given.
	literal bool
	// foreign is set for a budget of another package; shared, if that is made for many callers.
	foreign, shared bool
}

// gatesOf lists the budgets that r asks: in branches that leave it, and in functions that its attempts begin with.
func gatesOf(x *budget.Index, r *callgraph.Repetition) []siteGate {
	var list []siteGate
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
				list = append(list, siteGate{gate: g, call: call})
			}
		}
	}
	for _, fn := range append(r.Classifiers(), r.Operations...) {
		list = append(list, askedIn(x, fn)...)
	}
	return list
}

// askedIn lists the budgets that a function asks which a helper or library is given.
func askedIn(x *budget.Index, fn *ssa.Function) []siteGate {
	g := x.Decides(fn)
	var list []siteGate
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			if catalog.Counts(callgraph.CalleeName(&call.Call)) == "admit" {
				list = append(list, siteGate{call: call, literal: true})
			}
			for _, callee := range x.Callees(&call.Call) {
				if inner := x.Decides(callee); inner != nil && g != nil {
					list = append(list, siteGate{gate: inner, call: call, literal: true})
				}
			}
		}
	}
	if len(list) == 0 && g != nil {
		list = append(list, siteGate{gate: g})
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
func decided(x *budget.Index, branch *ssa.If, leaves bool) []siteGate {
	var list []siteGate
	if g := x.GateAt(branch, leaves); g != nil && charged(x, g) {
		list = append(list, siteGate{gate: g, call: asked(x, branch.Cond), branch: branch, leaves: leaves})
	}
	if call := limiterAsked(branch.Cond, leaves); call != nil {
		list = append(list, siteGate{call: call, branch: branch, leaves: leaves})
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

// asked returns the call whose result a condition is about, nil if it compares the counter itself.
func asked(x *budget.Index, cond ssa.Value) ssa.CallInstruction { return askedWithin(x, cond, 0) }

func askedWithin(x *budget.Index, cond ssa.Value, depth int) ssa.CallInstruction {
	if depth > 6 {
		return nil
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		return askedWithin(x, v.X, depth+1)
	case *ssa.Extract:
		return askedWithin(x, v.Tuple, depth+1)
	case *ssa.BinOp:
		for _, side := range []ssa.Value{v.X, v.Y} {
			if call := askedWithin(x, side, depth+1); call != nil && typename.IsError(side.Type()) {
				return call
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if call := askedWithin(x, e, depth+1); call != nil {
				return call
			}
		}
	case *ssa.Call:
		for _, callee := range x.Callees(&v.Call) {
			if len(x.GatesOf(callee)) > 0 {
				return v
			}
		}
	}
	return nil
}

// limiterAsked returns the call of a library's limiter whose refusal leaves the loop.
func limiterAsked(cond ssa.Value, leaves bool) *ssa.Call {
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			break
		}
		cond, leaves = not.X, !leaves
	}
	call, ok := cond.(*ssa.Call)
	if !ok || leaves || catalog.Counts(callgraph.CalleeName(&call.Call)) != "admit" {
		return nil
	}
	return call
}
