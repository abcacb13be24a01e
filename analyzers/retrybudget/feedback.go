package retrybudget

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/typename"
)

// checkFeedback reports refills of the budget of r that each attempt makes, whatever comes of it, or each one that fails.
func (c *checker) checkFeedback(r *callgraph.Repetition, gates []callgraph.Gate) {
	c.checkForeignFeedback(r, gates)
	terms := map[budget.Counter]budget.Polarity{}
	for _, g := range gates {
		if g.State == nil {
			continue
		}
		for _, t := range g.State.Terms {
			if !c.index.Permit(t.Counter, t.Polarity) && !inFlight(c.index, t.Counter) || t.Polarity == budget.Balance && !c.index.Permit(t.Counter, t.Polarity) {
				terms[t.Counter] = t.Polarity
			}
		}
	}
	if len(terms) == 0 {
		return
	}
	for step := range r.Attempt() {
		for _, a := range c.index.Own(step.Instr.Parent()) {
			p, ok := terms[a.Counter]
			if !ok || a.Instr != step.Instr || !a.Refills(p) || c.index.TimedRefill(a, p) || c.withinGate(step, a.Counter) || restarts(r, step) {
				continue
			}
			if c.eachTime(r, step) {
				c.reportFeedback(r, step, a)
			}
		}
	}
}

// checkForeignFeedback does the same for budgets of other packages.
func (c *checker) checkForeignFeedback(r *callgraph.Repetition, gates []callgraph.Gate) {
	if !slices.ContainsFunc(gates, func(g callgraph.Gate) bool { return g.Foreign }) {
		return
	}
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || !r.Feeds(call, gates) || !c.eachTime(r, step) {
			continue
		}
		d := analysis.Diagnostic{Pos: r.Token(call), Message: "each attempt feeds the budget that admits it, also one that fails"}
		if len(step.Calls) > 0 {
			d.Pos = r.Token(step.Calls[0])
			d.Related = []analysis.RelatedInformation{{Pos: r.Token(call), Message: "this is the refill"}}
		}
		c.Report("feedback", d)
	}
}

func (c *checker) reportFeedback(r *callgraph.Repetition, step callgraph.Step, a budget.Access) {
	d := analysis.Diagnostic{
		Pos:     place(a.Instr),
		Message: fmt.Sprintf("each attempt feeds the budget that admits it, also one that fails: %s grows with the retries", a.Counter.Name()),
	}
	if p := c.polarityOf(a.Counter); p == budget.Debt {
		d.Message = fmt.Sprintf("each attempt feeds the budget that admits it, also one that fails: %s is taken back", a.Counter.Name())
	}
	if len(step.Calls) > 0 {
		d.Pos = r.Token(step.Calls[0])
		d.Related = []analysis.RelatedInformation{{Pos: place(a.Instr), Message: "this is the refill"}}
	}
	d.SuggestedFixes = c.once(r, step)
	c.Report("feedback", d)
}

// restarts reports whether a loop sets a counter to a constant by itself: then it counts the loop's own attempts, which don't end
// any more, and is no budget that others share.
func restarts(r *callgraph.Repetition, step callgraph.Step) bool {
	store, ok := step.Instr.(*ssa.Store)
	if !ok || r.Site == nil || len(step.Calls) > 0 {
		return false
	}
	_, isConst := store.Val.(*ssa.Const)
	return isConst
}

func (c *checker) polarityOf(counter budget.Counter) budget.Polarity {
	for _, t := range c.terms {
		if t.counter == counter {
			return t.polarity
		}
	}
	return budget.Balance
}

// withinGate reports whether step is part of a function that decides by the counter: what that refills follows a law of its own.
func (c *checker) withinGate(step callgraph.Step, counter budget.Counter) bool {
	for _, call := range step.Calls {
		for _, callee := range c.index.Callees(call.Common()) {
			if c.index.Gates(callee, counter) {
				return true
			}
		}
	}
	return false
}

// eachTime reports whether every attempt of r executes step, or every one that fails and is followed by another.
func (c *checker) eachTime(r *callgraph.Repetition, step callgraph.Step) bool {
	at := step.Instr
	for depth := len(step.Calls); depth >= 0; depth-- {
		top := depth == 0
		for _, control := range budget.Controls(at.Block()) {
			if top && r.Site != nil && !r.Site.Executes(control.Branch) {
				continue
			}
			if !c.always(r, control, top) && !hasBudget(control, at) {
				return false
			}
		}
		if !top {
			at = step.Calls[depth-1]
		}
	}
	return true
}

// always reports whether a branch lets a failed attempt pass: it asks whether there is an error, it limits the counter, or its
// other side leaves the loop, or is for the first attempt.
func (c *checker) always(r *callgraph.Repetition, control budget.Control, top bool) bool {
	test, isTest := control.Branch.Cond.(*ssa.BinOp)
	if isTest && typename.IsError(test.X.Type()) && (isNil(test.X) || isNil(test.Y)) {
		if failed := (test.Op == token.NEQ) == control.Outcome; failed || !top || !besideAttempt(r, test.X) {
			return failed
		}
	}
	if top && r.Site != nil {
		for _, d := range r.Site.Decisions() {
			if d.Branch == control.Branch && d.Leaves != control.Outcome {
				return true
			}
		}
		return isTest && laterRounds(test, control.Outcome)
	}
	return isTest && c.comparesCounter(test)
}

// besideAttempt reports whether an error is that of a call that isn't repeated, such as ctx.Err().
func besideAttempt(r *callgraph.Repetition, v ssa.Value) bool {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	return ok && r.Site != nil && !r.Site.Repeated[call]
}

// hasBudget reports whether a branch leads to at if there is a budget at all: a nil one is switched off.
func hasBudget(control budget.Control, at ssa.Instruction) bool {
	test, ok := control.Branch.Cond.(*ssa.BinOp)
	if !ok || !isNil(test.Y) || (test.Op == token.NEQ) != control.Outcome || test.Op != token.NEQ && test.Op != token.EQL {
		return false
	}
	if receiver, isParam := test.X.(*ssa.Parameter); isParam {
		return receiver.Parent().Signature.Recv() != nil && receiver == receiver.Parent().Params[0]
	}
	call, ok := at.(ssa.CallInstruction)
	if !ok {
		return false
	}
	fed := call.Common().Value
	if !call.Common().IsInvoke() {
		if len(call.Common().Args) == 0 {
			return false
		}
		fed = call.Common().Args[0]
	}
	return sameVariable(test.X, fed, 0)
}

// sameVariable reports whether two values are read from the same variable, or from the same field of one.
func sameVariable(a, b ssa.Value, depth int) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *ssa.UnOp:
		b, ok := b.(*ssa.UnOp)
		return ok && depth < 6 && a.Op == token.MUL && b.Op == token.MUL && sameVariable(a.X, b.X, depth+1)
	case *ssa.FieldAddr:
		b, ok := b.(*ssa.FieldAddr)
		return ok && depth < 6 && a.Field == b.Field && sameVariable(a.X, b.X, depth+1)
	}
	return false
}

// laterRounds reports whether a test has this outcome in all rounds but the first.
func laterRounds(test *ssa.BinOp, outcome bool) bool {
	if _, isPhi := test.X.(*ssa.Phi); !isPhi {
		return false
	}
	n, ok := test.Y.(*ssa.Const)
	if !ok || n.Value == nil {
		return false
	}
	switch test.Op {
	case token.GTR, token.NEQ, token.GEQ:
		return outcome
	case token.EQL, token.LEQ, token.LSS:
		return !outcome
	}
	return false
}

func isNil(v ssa.Value) bool {
	k, ok := v.(*ssa.Const)
	return ok && k.Value == nil
}

// comparesCounter reports whether a test looks at a counter of a budget.
func (c *checker) comparesCounter(test *ssa.BinOp) bool {
	for _, t := range c.terms {
		for _, a := range c.index.Accesses(t.counter) {
			if a.Value != nil && (test.X == a.Value || test.Y == a.Value) {
				return true
			}
		}
	}
	return false
}
