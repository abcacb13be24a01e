package sites

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// inputs tells what of an operation's arguments changes from one execution to the next.
type inputs struct {
	// carried are phis of the region's head, parameters of a recursion and variables written in the region, which the
	// arguments depend on.
	carried []ssa.Value
	// item is set if an argument is an element of a list, map, channel or iterator that the region walks through.
	item bool
	// indexed is set if an argument is picked by the region's counter from a list: servers[i].
	indexed bool
	// derived is set if an argument is computed from an integer that changes: a port, a name, a size. The attempt number
	// itself, handed on as it is, is none.
	derived bool
}

// inputsOf follows the arguments of operation backwards through the region.
func inputsOf(r *region, operation ssa.CallInstruction, m *memory) inputs {
	in := &inputs{}
	seen := map[ssa.Value]bool{}
	direct := map[ssa.Value]bool{}
	for _, a := range operation.Common().Args {
		direct[a] = isUnitCounter(a)
	}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		if v == nil || seen[v] || isContext(v.Type()) || isDuration(v.Type()) {
			return
		}
		seen[v] = true
		if r.carried(v) {
			in.carried = append(in.carried, v)
			in.derived = in.derived || isInteger(v.Type()) && !direct[v]
			return
		}
		instr, ok := v.(ssa.Instruction)
		if !ok || !r.blocks[instr.Block()] {
			in.memory(r, v, m, visit)
			fillers(r, v, operation, visit)
			return
		}
		if v == operation.Value() {
			return
		}
		switch v := v.(type) {
		case *ssa.Next:
			in.item = true
		case *ssa.UnOp:
			if v.Op == token.ARROW {
				in.item = true
			}
			in.memory(r, v.X, m, visit)
		case *ssa.Alloc:
			in.memory(r, v, m, visit)
			for _, element := range elements(v) {
				visit(element)
			}
			fillers(r, v, operation, visit)
		case *ssa.MakeMap:
			for _, ref := range *v.Referrers() {
				if update, isUpdate := ref.(*ssa.MapUpdate); isUpdate {
					visit(update.Value)
				}
			}
		case *ssa.IndexAddr:
			in.index(r, v.Index)
			if goesRound(v.Index) {
				visit(v.X)
				return
			}
		case *ssa.Index:
			in.index(r, v.Index)
		case *ssa.Lookup:
			in.index(r, v.Index)
		case *ssa.Select:
			in.item = true
		}
		for _, op := range instr.Operands(nil) {
			visit(*op)
		}
	}
	for _, a := range operation.Common().Args {
		visit(a)
	}
	visit(operation.Common().Value)
	return *in
}

// fillers visits what other calls of the region are given that fill in a variable at v, before operation: what they fetch is
// an input of it, and another one each time if they ask for something else each time.
func fillers(r *region, v ssa.Value, operation ssa.CallInstruction, visit func(ssa.Value)) {
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return
	}
	refs := *alloc.Referrers()
	for _, ref := range *alloc.Referrers() {
		if mi, isInterface := ref.(*ssa.MakeInterface); isInterface {
			refs = append(refs[:len(refs):len(refs)], *mi.Referrers()...)
		}
	}
	for _, ref := range refs {
		call, isCall := ref.(*ssa.Call)
		if !isCall || ssa.CallInstruction(call) == operation || !r.blocks[call.Block()] || !before(call, operation) {
			continue
		}
		for _, a := range call.Call.Args {
			visit(a)
		}
	}
}

// isUnitCounter reports whether v counts up or down by one, or is a parameter that may.
func isUnitCounter(v ssa.Value) bool {
	phi, ok := v.(*ssa.Phi)
	if !ok {
		_, isParameter := v.(*ssa.Parameter)
		return isParameter
	}
	for _, e := range phi.Edges {
		step, isStep := e.(*ssa.BinOp)
		if !isStep || !isInteger(step.Type()) {
			continue
		}
		c, isConst := step.Y.(*ssa.Const)
		if step.Op != token.ADD && step.Op != token.SUB || !isConst || c.Int64() != 1 && c.Int64() != -1 {
			return false
		}
	}
	return true
}

// memory follows a variable that the region writes: its values are inputs too.
func (in *inputs) memory(r *region, addr ssa.Value, m *memory, visit func(ssa.Value)) {
	cell := m.cell(addr)
	if !m.written(r, cell) {
		return
	}
	if alloc, ok := cell.(*ssa.Alloc); !ok || !r.blocks[alloc.Block()] {
		in.carried = append(in.carried, cell)
		return
	}
	for _, s := range m.stores[cell] {
		visit(s.Val)
	}
}

// index notes an element that is picked by the region's own counter. An index taken modulo something isn't: the list goes
// round, and the count has its own bound.
func (in *inputs) index(r *region, index ssa.Value) {
	for {
		switch v := index.(type) {
		case *ssa.Convert:
			index = v.X
			continue
		case *ssa.BinOp:
			if v.Op == token.ADD || v.Op == token.SUB {
				index = v.X
				continue
			}
		}
		break
	}
	if r.carried(index) {
		in.indexed = true
	}
}

// goesRound reports whether an index is taken modulo something: the same elements come again.
func goesRound(index ssa.Value) bool {
	if c, ok := index.(*ssa.Convert); ok {
		index = c.X
	}
	b, ok := index.(*ssa.BinOp)
	return ok && b.Op == token.REM
}

// mayVary reports whether a change of v alone leaves the operation the same: attempt numbers, delays, contexts, errors.
func mayVary(v ssa.Value) bool {
	t := v.Type()
	if p, ok := t.Underlying().(*types.Pointer); ok && !isCarriedPointer(v) {
		t = p.Elem()
	}
	return isInteger(t) || isBoolean(t) || isDuration(t) || typename.IsError(t) || isContext(t) || isFloat(t) || isNamed(t, "time", "Time")
}

// isCarriedPointer tells a pointer that is itself an input from the address of a variable.
func isCarriedPointer(v ssa.Value) bool {
	switch v.(type) {
	case *ssa.Phi, *ssa.Parameter:
		return true
	}
	return false
}

func isFloat(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// dependsOn reports whether v is computed from a result of call.
func dependsOn(v ssa.Value, call ssa.Value, r *region, m *memory) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value, depth int) bool
	visit = func(v ssa.Value, depth int) bool {
		if v == nil || seen[v] || depth > 30 {
			return false
		}
		if v == call {
			return true
		}
		seen[v] = true
		instr, ok := v.(ssa.Instruction)
		if !ok || !r.blocks[instr.Block()] {
			return false
		}
		if other, isCall := v.(*ssa.Call); isCall && outcomeOf(other) == byError && !passesError(other) {
			return false // has an outcome of its own
		}
		if u, isLoad := v.(*ssa.UnOp); isLoad && u.Op == token.MUL {
			for _, s := range m.stores[m.cell(u.X)] {
				if visit(s.Val, depth+1) {
					return true
				}
			}
		}
		for _, op := range instr.Operands(nil) {
			if visit(*op, depth+1) {
				return true
			}
		}
		return false
	}
	return visit(v, 0)
}
