package retrybudget

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/typename"
)

// checkLimit reports refills that no maximum limits.
func (c *checker) checkLimit(t term) {
	if c.index.Permit(t.counter, t.polarity) || c.isMonotone(t) || c.clampedAtGate(t) || c.index.Expires(t.counter, t.polarity) {
		return
	}
	for _, a := range c.index.Accesses(t.counter) {
		if !a.Refills(t.polarity) || !a.Change.Depends || c.index.Limited(a, t.polarity) || c.takesBack(a, t) {
			continue
		}
		if slices.ContainsFunc(a.Change.Grows, isProgress) || slices.ContainsFunc(a.Change.Shrinks, isProgress) {
			continue
		}
		if t.polarity == budget.Debt && !c.index.TimedRefill(a, t.polarity) {
			continue // what was charged is given back
		}
		c.Report("uncapped", analysis.Diagnostic{
			Pos:     place(a.Instr),
			Message: fmt.Sprintf("nothing limits %s here: a quiet time saves up for a burst of retries of any size", t.counter.Name()),

			SuggestedFixes: c.limiting(a, t),
		})
	}
}

// limiting suggests a maximum for what is left.
func (c *checker) limiting(a budget.Access, t term) []analysis.SuggestedFix {
	if t.polarity == budget.Debt {
		return nil
	}
	return c.capped(a)
}

// isProgress reports whether an amount is what a call that can fail says it has done, such as the bytes that were read: a
// position advances by that, and not a budget.
func isProgress(amount ssa.Value) bool {
	if c, ok := amount.(*ssa.Convert); ok {
		return isProgress(c.X)
	}
	x, ok := amount.(*ssa.Extract)
	if !ok {
		return false
	}
	results := x.Tuple.Type().(*types.Tuple)
	last := results.At(results.Len() - 1)
	return x.Index < results.Len()-1 && typename.IsError(last.Type())
}

// isMonotone reports whether a counter is the base of a ratio: it counts, and its window ends.
func (c *checker) isMonotone(t term) bool {
	for _, g := range c.gates {
		for _, r := range g.Ratios {
			if r.Base == t.counter || r.Used == t.counter {
				return true
			}
		}
	}
	return false
}

// clampedAtGate reports whether the gate limits the counter itself before it compares it.
func (c *checker) clampedAtGate(t term) bool {
	for _, g := range c.gates {
		for _, one := range g.Terms {
			if one.Counter != t.counter {
				continue
			}
			for _, a := range c.index.Effects(one.Read.Parent()) {
				if a.Counter == t.counter && a.Refills(t.polarity) && a.Change.Depends && c.index.Limited(a, t.polarity) {
					return true
				}
			}
		}
	}
	return false
}

// takesBack reports whether a refill undoes the charge that its function made before it refused.
func (c *checker) takesBack(a budget.Access, t term) bool {
	for _, other := range c.index.Own(a.Instr.Parent()) {
		if other.Counter == t.counter && other.Charges(t.polarity) && other.Instr != a.Instr && other.Instr.Block().Dominates(a.Instr.Block()) {
			return true
		}
	}
	return false
}

// place is where an instruction is reported: its own position, or that of its function.
func place(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	if call, ok := instr.(ssa.CallInstruction); ok && call.Pos().IsValid() {
		return call.Pos()
	}
	if decl, ok := instr.Parent().Syntax().(*ast.FuncDecl); ok {
		return decl.Name.Pos()
	}
	return instr.Parent().Pos()
}
