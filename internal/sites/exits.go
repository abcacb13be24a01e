package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// An edge leads from one block to the next.
type edge struct{ from, to *ssa.BasicBlock }

// exitsOf returns the edges by which control leaves r after the operation has failed, if it fails each time. Counters are
// executed, so that an exit that no counter can reach is none: the loop whose last attempt returns from within.
func exitsOf(r *region, operation ssa.CallInstruction, m *memory, values Evaluator) map[edge]bool {
	var x *exits
	c := &counter{walk: func(unknown []value.Term, trial []int64, _ bool) (int, []value.Term) {
		w := newWalker(r, operation, failed, m, values)
		w.unknown, w.trial = unknown, trial
		x = &exits{walker: w, seen: map[string]bool{}, found: map[edge]bool{}}
		for _, s := range w.begin() {
			x.follow(s, false)
		}
		return len(x.seen), w.unknown
	}}
	c.settle()
	return x.found
}

type exits struct {
	*walker
	seen  map[string]bool
	found map[edge]bool
}

func (x *exits) follow(s state, executed bool) {
	key := x.key(s)
	if executed {
		key += "!"
	}
	if x.steps++; x.seen[key] || x.steps > maxSteps/10 || x.memory.exhausted() {
		return
	}
	x.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = x.store(instr, e)
		case *ssa.Call:
			executed = executed || ssa.CallInstruction(instr) == x.operation
		}
	}
	next, _ := x.successors(s, e)
	for _, n := range next {
		x.follow(n, executed)
	}
	for _, succ := range x.taken(s.block, e) {
		if executed && !x.region.blocks[succ] {
			x.found[edge{s.block, succ}] = true
		}
	}
}

// taken lists the blocks that may follow b.
func (x *exits) taken(b *ssa.BasicBlock, e env) []*ssa.BasicBlock {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return b.Succs
	}
	if f := x.fact(branch.Cond, e); f.kind == boolean {
		return b.Succs[1-f.n : 2-f.n]
	}
	return b.Succs
}
