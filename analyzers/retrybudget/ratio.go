package retrybudget

import (
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/sites"
)

// checkRatio reports gates that admit a share of a base, and count what they admit to the base as well: each repetition makes
// room for others.
func (c *checker) checkRatio(g *budget.Gate) {
	for _, ratio := range g.Ratios {
		if inFlight(c.index, ratio.Base) {
			continue // both count what is under way, which ends
		}
		for _, used := range c.index.Own(g.Function) {
			if used.Counter != ratio.Used || len(used.Change.Grows) == 0 {
				continue
			}
			for _, base := range c.index.Own(g.Function) {
				if base.Counter == ratio.Base && len(base.Change.Grows) > 0 && together(used.Instr, base.Instr) {
					c.Report("feedback", analysis.Diagnostic{
						Pos: place(base.Instr),
						Message: fmt.Sprintf("%s, of which %s may be a share, also counts what is admitted as a retry: retries make room for retries",
							ratio.Base.Name(), ratio.Used.Name()),
					})
				}
			}
		}
	}
}

// inFlight reports whether a counter goes down again when something ends.
func inFlight(x *budget.Index, counter budget.Counter) bool {
	for _, a := range x.Accesses(counter) {
		if a.Writes && !a.Initial && len(a.Change.Shrinks) > 0 {
			return true
		}
	}
	return false
}

// together reports whether some way through a function executes both instructions.
func together(a, b ssa.Instruction) bool {
	return a.Block() == b.Block() || sites.LeadsTo(a.Block(), b.Block()) || sites.LeadsTo(b.Block(), a.Block())
}
