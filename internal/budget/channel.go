package budget

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A channel of nothing may hold tokens: what is in it are those that are left. Who takes one, and goes without if there is none,
// asks a budget; its capacity is the maximum.

// tokensOf returns the field that holds a channel of tokens, nil if ch is none.
func tokensOf(ch ssa.Value) (field Counter, at *ssa.FieldAddr) {
	load, ok := ch.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil, nil
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	if !ok {
		return nil, nil
	}
	f := fa.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(fa.Field).Origin()
	held, ok := f.Type().Underlying().(*types.Chan)
	if !ok {
		return nil, nil
	}
	st, ok := held.Elem().Underlying().(*types.Struct)
	if !ok || st.NumFields() > 0 {
		return nil, nil
	}
	return f, fa
}

// isChannel reports whether a counter is a channel of tokens.
func isChannel(c Counter) bool {
	_, ok := c.Type().Underlying().(*types.Chan)
	return ok
}

// accessByChannel describes a send to a channel of tokens, or a receive from one.
func accessByChannel(ch ssa.Value, dir types.ChanDir) Access {
	field, at := tokensOf(ch)
	if field == nil {
		return Access{}
	}
	one := []ssa.Value{ssa.NewConst(constant.MakeInt64(1), types.Typ[types.Int])}
	a := Access{Counter: field, Writes: true, Atomic: true, Initial: madeHere(at)}
	if dir == types.SendOnly {
		a.Change = Change{Depends: true, Grows: one, Capped: true}
	} else {
		a.Change = Change{Depends: true, Shrinks: one, Floored: true}
	}
	return a
}

// taken adds to g the tokens that a select takes one of, or puts one in the place of, if the test asks whether it did and nothing
// is done without. What is taken from has to be filled, and what is filled emptied: else the channel only tells that something is
// over.
func (x *Index) taken(g *Gate, test *ssa.BinOp, refusing bool) bool {
	which, ok := test.X.(*ssa.Extract)
	if !ok || which.Index != 0 {
		return false
	}
	sel, ok := which.Tuple.(*ssa.Select)
	if !ok || sel.Blocking || len(sel.States) != 1 || (test.Op == token.EQL) == refusing {
		return ok
	}
	polarity := Balance
	if sel.States[0].Dir == types.SendOnly {
		polarity = Debt // what is in the channel is under way
	}
	field, _ := tokensOf(sel.States[0].Chan)
	for _, a := range x.of[field] {
		if field != nil && len(a.addends(polarity)) > 0 {
			g.Terms = append(g.Terms, Term{Counter: field, Polarity: polarity, Compare: test, Read: sel})
			break
		}
	}
	return true
}
