package retrybudget

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// checkOrder reports budgets that are charged before it is known whether the failure may be repeated and whether there is time
// left: they pay for retries that are never made.
func (c *checker) checkOrder(r *callgraph.Repetition, gates []callgraph.Gate) {
	for _, fn := range c.predicates(r) {
		c.checkPredicate(fn)
	}
	if r.Site == nil {
		return
	}
	for _, g := range gates {
		if g.Branch == nil || g.Call == nil || r.Caps(g) || !c.spends(g) {
			continue
		}
		if what := c.decidedLater(r, g); what != "" {
			c.Report("order", analysis.Diagnostic{
				Pos:     r.Token(g.Call),
				Message: fmt.Sprintf("the budget is charged before %s: it pays for retries that are never made", what),
			})
		}
	}
}

// spends reports whether the call of a gate charges it.
func (c *checker) spends(g callgraph.Gate) bool {
	if g.State == nil {
		return true // a limiter, or a budget of another package
	}
	for _, callee := range c.index.Callees(g.Call.Common()) {
		for _, t := range g.State.Terms {
			if c.index.ChargedBy(callee, t.Counter, t.Polarity) {
				return true
			}
		}
	}
	return false
}

// decidedLater says what decides whether there is another attempt between the charge and the next wait or attempt.
func (c *checker) decidedLater(r *callgraph.Repetition, g callgraph.Gate) string {
	admitted := 0
	if g.Leaves {
		admitted = 1
	}
	decisions := r.Site.Decisions()
	seen := map[*ssa.BasicBlock]bool{g.Branch.Block(): true}
	work := []*ssa.BasicBlock{g.Branch.Block().Succs[admitted]}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || !r.Site.Executes(b.Instrs[0]) {
			continue
		}
		seen[b] = true
		if slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool { return ends(r, instr) }) {
			continue
		}
		for _, d := range decisions {
			if d.Branch.Block() != b || d.Branch == g.Branch {
				continue
			}
			switch q := r.Site.Inquire(d.Branch.Cond); {
			case q.Kind:
				return "the failure is classified"
			case q.Context:
				return "the deadline is checked"
			}
		}
		work = append(work, b.Succs...)
	}
	return ""
}

// ends reports whether instr begins what the budget pays for: the wait, or the next attempt.
func ends(r *callgraph.Repetition, instr ssa.Instruction) bool {
	if call, ok := instr.(*ssa.Call); ok && slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return typename.IsError(a.Type()) }) {
		return slices.Contains(r.Site.Waiting, instr) // a question about the failure
	}
	return slices.Contains(r.Site.Waiting, instr) || r.Site.Repeated[instr]
}

// predicates lists the functions that r asks whether there is another attempt, because of an error.
func (c *checker) predicates(r *callgraph.Repetition) []*ssa.Function {
	list := r.Classifiers()
	if r.Site == nil {
		return list
	}
	for _, d := range r.Site.Decisions() {
		if call := budget.CallBehind(d.Branch.Cond); call != nil {
			for _, callee := range c.index.Callees(&call.Call) {
				if slices.ContainsFunc(callee.Params, func(p *ssa.Parameter) bool { return typename.IsError(p.Type()) }) {
					list = append(list, callee)
				}
			}
		}
	}
	return list
}

// checkPredicate reports a budget that such a function charges before it looks at the error or the deadline.
func (c *checker) checkPredicate(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		call := budget.CallBehind(branch.Cond)
		if call == nil || !c.decides(call) {
			continue
		}
		if what := askedLater(branch); what != "" {
			c.Report("order", analysis.Diagnostic{
				Pos:     place(call),
				Message: fmt.Sprintf("the budget is charged before %s: it pays for retries that are never made", what),
			})
		}
	}
}

// decides reports whether a call charges a budget and refuses.
func (c *checker) decides(call *ssa.Call) bool {
	if catalog.Counts(callgraph.CalleeName(&call.Call)) == "admit" {
		return true
	}
	return slices.ContainsFunc(c.index.Callees(&call.Call), func(fn *ssa.Function) bool { return c.index.Decides(fn) != nil })
}

// askedLater says what a function asks on the ways on from a branch, when it returns or branches again.
func askedLater(branch *ssa.If) string {
	var none *sites.Site
	seen := map[*ssa.BasicBlock]bool{branch.Block(): true}
	work := append([]*ssa.BasicBlock{}, branch.Block().Succs...)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !isBool(call.Type()) {
				continue
			}
			switch q := none.Inquire(call); {
			case q.Kind || q.Ended:
				return "the failure is classified"
			case q.Context:
				return "the deadline is checked"
			}
		}
		work = append(work, b.Succs...)
	}
	return ""
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}
