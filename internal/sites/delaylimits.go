package sites

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// A value is limited by conditions that hold where it is used: in if delay < most { delay *= 2 }, what is doubled is less
// than most.

// limitAt returns the limit that the conditions around block at put on v.
func (d *delayed) limitAt(v ssa.Value, f *frame, at *ssa.BasicBlock) limit {
	best := boundless
	for b := at; b != nil; b = b.Idom() {
		above := b.Idom()
		if above == nil || len(b.Preds) != 1 || b.Preds[0] != above {
			continue
		}
		best = best.and(d.limitOnEdge(v, above, b, f))
	}
	return best
}

// limitOnEdge returns the limit that the branch from one block to another puts on v.
func (d *delayed) limitOnEdge(v ssa.Value, from, to *ssa.BasicBlock, f *frame) limit {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return boundless
	}
	return d.limitBy(v, branch.Cond, to == from.Succs[0], f, 0)
}

// limitBy returns the limit that cond puts on v, when it comes out as says.
func (d *delayed) limitBy(v, cond ssa.Value, says bool, f *frame, depth int) limit {
	cond, says = Unnegated(cond, says)
	test, ok := cond.(*ssa.BinOp)
	if !ok || depth > 3 {
		return boundless
	}
	op, other := test.Op, test.Y
	switch {
	case d.sameNumber(test.X, v):
	case d.sameNumber(test.Y, v):
		op, other = mirrored(op), test.X
	default:
		return boundless
	}
	if !says {
		op = negated(op)
	}
	switch op {
	case token.LSS, token.LEQ, token.EQL:
		if x := d.unlimited(other, f); !x.upper.endless() {
			return x.upper
		}
	}
	return boundless
}

func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

func negated(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GEQ
	case token.LEQ:
		return token.GTR
	case token.GTR:
		return token.LEQ
	case token.GEQ:
		return token.LSS
	case token.EQL:
		return token.NEQ
	case token.NEQ:
		return token.EQL
	}
	return op
}

// sameNumber reports whether two values are one number, conversions aside, or read from one variable.
func (d *delayed) sameNumber(a, b ssa.Value) bool {
	a, b = unconverted(a), unconverted(b)
	if a == b {
		return true
	}
	x, ok := a.(*ssa.UnOp)
	y, okToo := b.(*ssa.UnOp)
	return ok && okToo && x.Op == token.MUL && y.Op == token.MUL && pathOf(x.X, 0) == pathOf(y.X, 0)
}

func unconverted(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.Convert:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		default:
			return v
		}
	}
}
