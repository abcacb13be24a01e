package retrybudget

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
)

// checkOrder reports budgets that are charged before it is known whether the failure may be repeated and whether there is time
// left: they pay for retries that are never made.
func (c *checker) checkOrder(r *callgraph.Repetition, gates []siteGate) {
	if r.Site == nil {
		return
	}
	for _, g := range gates {
		if g.branch == nil || g.call == nil || !c.spends(g) {
			continue
		}
		if what := c.decidedLater(r, g); what != "" {
			c.Report("order", analysis.Diagnostic{
				Pos:     r.Token(g.call),
				Message: fmt.Sprintf("the budget is charged before %s: it pays for retries that are never made", what),
			})
		}
	}
}

// spends reports whether the call of a gate charges it.
func (c *checker) spends(g siteGate) bool {
	if g.gate == nil {
		return true // a limiter
	}
	for _, callee := range c.index.Callees(g.call.Common()) {
		for _, t := range g.gate.Terms {
			if c.index.ChargedBy(callee, t.Counter, t.Polarity) {
				return true
			}
		}
	}
	return false
}

// decidedLater says what decides whether there is another attempt between the charge and the next wait or attempt.
func (c *checker) decidedLater(r *callgraph.Repetition, g siteGate) string {
	admitted := 0
	if g.leaves {
		admitted = 1
	}
	decisions := r.Site.Decisions()
	seen := map[*ssa.BasicBlock]bool{g.branch.Block(): true}
	work := []*ssa.BasicBlock{g.branch.Block().Succs[admitted]}
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
			if d.Branch.Block() != b || d.Branch == g.branch {
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
	return slices.Contains(r.Site.Waiting, instr) || r.Site.Repeated[instr]
}
