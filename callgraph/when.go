package callgraph

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// A call may be reached only if a parameter is given: if backup != nil { return fetch(backup) }. Whoever gives nil goes another
// way. The branches that decide so travel with the paths below the call, as conditions in terms of the parameters, until a
// caller's argument decides them: then the path is none of that caller's, or the condition is gone.

// conditions returns the conditions on parameters of its function under which instr is reached. What is left out may hold or
// not.
func (p *Package) conditions(instr ssa.Instruction) []value.Term {
	var list []value.Term
	b := instr.Block()
	for d := b.Idom(); d != nil && len(list) < maxConditions; b, d = d, d.Idom() {
		branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 || !asksParameter(branch.Cond) {
			continue
		}
		t := p.Term(branch.Cond)
		if !t.Open() {
			continue // a parameter whose fields the function sets isn't nil, as terms have it, in any place
		}
		if b == d.Succs[1] {
			t = value.Operation("!", t)
		}
		list = append(list, t)
	}
	return list
}

const maxConditions = 3

// asksParameter reports whether v is a boolean parameter, or the comparison of a parameter with nil.
func asksParameter(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return true
	case *ssa.UnOp:
		return v.Op == token.NOT && asksParameter(v.X)
	case *ssa.BinOp:
		return (v.Op == token.EQL || v.Op == token.NEQ) && (isParameter(v.X) && isNil(v.Y) || isNil(v.X) && isParameter(v.Y))
	}
	return false
}

func isParameter(v ssa.Value) bool {
	_, ok := v.(*ssa.Parameter)
	return ok
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// within returns the conditions in the terms of a caller, as far as they are still open there. ok is false if one doesn't hold.
func within(conditions []value.Term, frame value.Frame) (open []value.Term, ok bool) {
	for _, t := range conditions {
		t = frame.Substitute(t)
		if holds, known := t.IsBool(); known && !holds {
			return nil, false
		}
		if t.Open() && t.Size() <= maxCondition {
			open = append(open, t)
		}
	}
	return open, true
}

// maxCondition is the size beyond which a condition isn't carried along.
const maxCondition = 8

// under returns path with more conditions.
func (path Path) under(conditions []value.Term) Path {
	path.When = slices.Clone(path.When)
	for _, t := range conditions {
		if len(path.When) < maxConditions && !includes(path.When, t) {
			path.When = append(path.When, t)
		}
	}
	return path
}

// both returns the conditions of two paths that are taken for one.
func both(a, b []value.Term) []value.Term {
	return slices.DeleteFunc(slices.Clone(a), func(t value.Term) bool { return !includes(b, t) })
}

func includes(list []value.Term, t value.Term) bool {
	return slices.ContainsFunc(list, func(u value.Term) bool { return value.Equal(t, u) })
}
