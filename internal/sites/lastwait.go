package sites

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// WaitsAfterLast returns the waits between attempts that also come after the last one, when no other can follow. The region is
// executed as for counting the attempts: a wait in a state from which the operation isn't reached any more is in vain. A wait
// that a different last attempt follows isn't.
func (s *Site) WaitsAfterLast(values Evaluator) []ssa.Instruction {
	if !s.Waits || s.Unlimited || !s.counted() {
		return nil
	}
	g := s.statesOf(values, nil)
	if g == nil || g.cut {
		return nil
	}
	var list []ssa.Instruction
	for _, instr := range s.Waiting {
		if s.Holds(instr) && g.inVain(instr) && !g.mayKnow(instr) {
			list = append(list, instr)
		}
	}
	return list
}

// inVain reports whether instr waits in a state after the last attempt.
func (g *stateGraph) inVain(instr ssa.Instruction) bool {
	index := indexOf(instr)
	for _, n := range g.nodes {
		if n.block == instr.Block() && n.from <= index && n.cameFrom(index) && !n.comesBack(index) {
			return !g.attemptsOutside(n)
		}
	}
	return false
}

// attemptsOutside reports whether something else is attempted once the region is left, on a way from n: a call that can fail.
func (g *stateGraph) attemptsOutside(n *stateNode) bool {
	seen := map[*ssa.BasicBlock]bool{}
	visited := map[*stateNode]bool{}
	var outside func(b *ssa.BasicBlock) bool
	outside = func(b *ssa.BasicBlock) bool {
		if seen[b] || g.region.blocks[b] || b.Dominates(g.region.head) {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(b.Instrs, g.isAttempt) || slices.ContainsFunc(b.Succs, outside)
	}
	var inside func(n *stateNode) bool
	inside = func(n *stateNode) bool {
		if visited[n] {
			return false
		}
		visited[n] = true
		return slices.ContainsFunc(n.leaves, outside) || slices.ContainsFunc(n.next, inside)
	}
	return inside(n)
}

// isAttempt reports whether instr calls something that can fail, other than to tell of failures.
func (g *stateGraph) isAttempt(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok || isMaker(call) || passesError(call) || g.values.Local(call) || g.values.Waits(call) {
		return false
	}
	return outcomeOf(call) == byError && !asksOfContext(call)
}

func asksOfContext(call *ssa.Call) bool {
	return call.Call.IsInvoke() && isContext(call.Call.Value.Type())
}

// mayKnow reports whether something that isn't looked into, and learns the number of the attempt, decides whether instr is
// reached, or whether it waits at all: that may be done with the last attempt in mind.
func (g *stateGraph) mayKnow(instr ssa.Instruction) bool {
	for b := instr.Block(); b != nil && g.region.blocks[b]; b = b.Idom() {
		d := b.Idom()
		if d == nil || !g.region.blocks[d] {
			break
		}
		if branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok && asksByNumber(branch.Cond, g.region, 0) {
			return true
		}
	}
	call, ok := instr.(*ssa.Call)
	return ok && choosesToWait(call, g.region)
}

// asksByNumber reports whether cond is made of the answer of a call that is given an integer that changes in the region.
func asksByNumber(v ssa.Value, r *region, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		callee := v.Call.StaticCallee()
		if callee != nil && callee.Blocks != nil {
			return false // executed
		}
		return slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { return changingNumber(a, r) })
	case *ssa.UnOp:
		return asksByNumber(v.X, r, depth+1)
	case *ssa.BinOp:
		return asksByNumber(v.X, r, depth+1) || asksByNumber(v.Y, r, depth+1)
	case *ssa.Extract:
		return asksByNumber(v.Tuple, r, depth+1)
	}
	return false
}

func changingNumber(v ssa.Value, r *region) bool {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
			continue
		case *ssa.BinOp:
			if _, isConst := x.Y.(*ssa.Const); isConst {
				v = x.X
				continue
			}
		}
		break
	}
	instr, ok := v.(ssa.Instruction)
	return ok && isInteger(v.Type()) && !isDuration(v.Type()) && r.blocks[instr.Block()]
}

// choosesToWait reports whether the function that call calls may return without a wait, and learns the number of the attempt:
// as an argument, or by what it is a method of.
func choosesToWait(call *ssa.Call, r *region) bool {
	if isSleep(&call.Call) {
		return false
	}
	informed := slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return changingNumber(a, r) || remembersNumber(a.Type()) })
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Blocks == nil {
		return informed || call.Call.IsInvoke() && calleeName(&call.Call) != "Sleep"
	}
	if !informed {
		return false
	}
	for _, b := range callee.Blocks {
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && comparesNumbers(branch.Cond) {
			return true
		}
	}
	return false
}

// isSleep reports whether a call is given nothing but a duration and, at most, a context.
func isSleep(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		if !isDuration(a.Type()) && !isContext(a.Type()) {
			return false
		}
	}
	return len(call.Args) > 0
}

// remembersNumber reports whether t is a pointer to a struct with an integer that may count.
func remembersNumber(t types.Type) bool {
	ptr, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return types.IsInterface(t) && !isContext(t) && !typename.IsError(t)
	}
	st, ok := ptr.Elem().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if isInteger(f.Type()) && !isDuration(f.Type()) {
			return true
		}
	}
	return false
}

func comparesNumbers(cond ssa.Value) bool {
	test, ok := strip(cond).(*ssa.BinOp)
	return ok && isInteger(test.X.Type()) && !isDuration(test.X.Type())
}
