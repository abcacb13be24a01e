package sites

import (
	"cmp"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// newWalker prepares a walk through r in which operation has the given outcome.
func newWalker(r *region, operation ssa.CallInstruction, o outcome, m *memory, values Evaluator) *walker {
	w := &walker{region: r, operation: operation, outcome: o, memory: m, values: values}
	w.relevant = relevant(r, m)
	return w
}

// trace makes w tell errors apart; the operation fails with given.
func (w *walker) trace(given fault.Set) {
	w.traces, w.given = true, given
	w.markErrors(w.region)
}

// markErrors makes all errors of r part of the state.
func (w *walker) markErrors(r *region) {
	for b := range r.blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Phi:
				w.relevant[instr] = w.relevant[instr] || typename.IsError(instr.Type())
			case *ssa.Store:
				c := w.memory.cell(instr.Addr)
				w.relevant[c] = w.relevant[c] || typename.IsError(instr.Val.Type())
			}
		}
	}
}

// relevant returns the phis and variables that can decide a branch of the region.
func relevant(r *region, m *memory) map[ssa.Value]bool {
	seen, decide := map[ssa.Value]bool{}, map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if v == nil || seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Phi:
			if beginsAnew(r, v) {
				return
			}
			decide[v] = true
			for _, e := range v.Edges {
				visit(e)
			}
			return
		case *ssa.Parameter:
			decide[v] = true
			return
		case *ssa.UnOp:
			c := m.cell(v.X)
			decide[c] = true
			for _, s := range m.stores[c] {
				visit(s.Val)
			}
		}
		if instr, ok := v.(ssa.Instruction); ok {
			for _, op := range instr.Operands(nil) {
				visit(*op)
			}
		}
	}
	for _, b := range r.inOrder() {
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok {
			visit(branch.Cond)
		}
	}
	return decide
}

// markReturned makes the phis and variables that decide what is returned part of the state.
func (w *walker) markReturned(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			for _, v := range ret.Results {
				w.mark(v)
			}
		}
	}
}

// beginsAnew reports whether phi counts the rounds of a loop inside of r that begins anew each time. Such counters decide
// nothing about r, but make for endlessly many states.
func beginsAnew(r *region, phi *ssa.Phi) bool {
	b := phi.Block()
	if b == r.head || !r.blocks[b] || !isInteger(phi.Type()) {
		return false
	}
	isHead := false
	for i, pred := range b.Preds {
		if b.Dominates(pred) {
			isHead = true
		} else if _, isConst := phi.Edges[i].(*ssa.Const); !isConst {
			return false
		}
	}
	return isHead
}

// begin returns the states in which the region is entered from outside.
func (w *walker) begin() []state {
	e := env{}
	for _, c := range byName(w.relevant) {
		if _, isPhi := c.(*ssa.Phi); isPhi {
			continue
		}
		if f := w.initial(c); f.known() {
			e[c] = f
		}
	}
	if w.region.recursive != nil {
		return []state{{block: w.region.head, env: e}}
	}
	return []state{w.enterFirst(e)}
}

// byName lists values in a fixed order: unknown integers are numbered as they are met, and their numbers matter.
func byName(set map[ssa.Value]bool) []ssa.Value {
	return slices.SortedFunc(maps.Keys(set), func(a, b ssa.Value) int {
		if c := cmp.Compare(a.Name(), b.Name()); c != 0 {
			return c
		}
		return cmp.Compare(a.String(), b.String())
	})
}

// enterFirst returns the state at the head when the region begins. Where several ways lead there, the evaluator says what a
// phi is: a number, or one that a condition decides.
func (w *walker) enterFirst(e env) state {
	var outside []*ssa.BasicBlock
	for _, pred := range w.region.head.Preds {
		if !w.region.blocks[pred] {
			outside = append(outside, pred)
		}
	}
	switch len(outside) {
	case 0:
		return state{block: w.region.head, env: e}
	case 1:
		return w.enter(outside[0], w.region.head, e)
	}
	next := state{block: w.region.head, env: e}
	for _, instr := range w.region.head.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if f := w.first(phi, e); w.relevant[phi] && f.kind != nothing {
			next.env = next.env.with(phi, f)
		}
	}
	return next
}

// first is what is known of a phi at the head when the region begins from one of several blocks.
func (w *walker) first(phi *ssa.Phi, e env) fact {
	if isInteger(phi.Type()) && (w.durations || !isDuration(phi.Type())) {
		return w.number(w.values.Initial(phi))
	}
	known, seen := fact{}, false
	for i, pred := range phi.Block().Preds {
		if w.region.blocks[pred] {
			continue
		}
		f := w.fact(phi.Edges[i], e)
		if seen && !f.is(known) {
			return fact{}
		}
		known, seen = f, true
	}
	return known
}

// initial is what is known of a variable or parameter when the region begins.
func (w *walker) initial(c ssa.Value) fact {
	if p, ok := c.(*ssa.Parameter); ok && isInteger(p.Type()) {
		if w.region.recursive == nil || w.policy && measuresTime(p) {
			return fact{} // a loop doesn't change it
		}
		return w.leaf(p)
	}
	if v := w.memory.initial(w.region, c); v != nil {
		return w.fact(v, nil)
	}
	if _, isAlloc := c.(*ssa.Alloc); isAlloc || !w.memory.written(w.region, c) || w.memory.replaced(w.region, c) {
		return fact{}
	}
	if load := w.memory.loadOf(c); load != nil {
		return w.leaf(load)
	}
	return fact{}
}

// successors returns the states that may follow the end of s's block, and whether control may leave the region there.
func (w *walker) successors(s state, e env) (next []state, leaves bool) {
	succs := s.block.Succs
	if len(succs) == 0 || w.memory.last[s.block] {
		return nil, true
	}
	if branch, ok := s.block.Instrs[len(s.block.Instrs)-1].(*ssa.If); ok {
		if f := w.fact(branch.Cond, e); f.kind == boolean {
			w.exits = w.exits || f.moving && !w.region.blocks[succs[f.n]]
			succs = succs[1-f.n : 2-f.n]
		}
	}
	for _, succ := range succs {
		if !w.region.blocks[succ] {
			leaves = true
			continue
		}
		next = append(next, w.enter(s.block, succ, w.refine(s.block, succ, e)))
	}
	return next, leaves
}

// refine adds what taking the branch from b to succ tells: a phi or variable that was tested against nil.
func (w *walker) refine(b, succ *ssa.BasicBlock, e env) env {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return e
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !isNilConst(test.Y) && !isNilConst(test.X) {
		return e
	}
	subject := test.X
	if isNilConst(test.X) {
		subject = test.Y
	}
	phi, ok := subject.(*ssa.Phi)
	if !ok || !w.relevant[phi] {
		return e
	}
	if (test.Op.String() == "==") == (succ == b.Succs[0]) {
		return e.with(phi, fact{kind: isNil})
	}
	return e.with(phi, fact{kind: notNil, fault: e[phi].fault})
}

func isNilConst(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// mark makes the phis and variables that v is made of part of the state.
func (w *walker) mark(v ssa.Value) {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if seen[v] {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.Phi:
			w.relevant[v] = true
			for _, e := range v.Edges {
				visit(e)
			}
		case *ssa.UnOp:
			w.relevant[w.memory.cell(v.X)] = true
		}
	}
	visit(v)
}

// restart returns the state in which a recursive call begins the region again.
func (w *walker) restart(call *ssa.Call, e env) state {
	next := make(env, len(e))
	for k, x := range e {
		if _, isPhi := k.(*ssa.Phi); !isPhi {
			next[k] = x
		}
	}
	for i, p := range w.region.function.Params {
		if !w.relevant[p] {
			continue
		}
		if f := w.fact(call.Call.Args[i], e); f.known() {
			next[p] = f
		} else {
			delete(next, p)
		}
	}
	return state{block: w.region.head, env: next}
}
