// Package budget recognises state that gates whether a repetition may happen: token buckets, windows of two counters, allowances
// that are renewed. It goes by what the code does with a number that outlives the call, and not by names. A number is read
// by a gate, a function or branch that refuses; what makes the gate refuse earlier is a charge, what makes it admit more is a
// refill. Which of two directions is which follows from the comparison that refuses.
package budget

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
)

// A Counter is a number that outlives a call: a field of a struct, an array or map of numbers in one, or a package variable.
type Counter = *types.Var

// An Access reads or writes a counter.
type Access struct {
	Instr   ssa.Instruction
	Counter Counter
	// Value is what a read yields; an atomic addition reads, too.
	Value ssa.Value
	// Writes is set for writes, which Change describes. Initial ones fill a struct that the function has just made.
	Writes, Initial bool
	Change          Change
	// Atomic tells an access through an atomic operation, Swaps one that compares and swaps.
	Atomic, Swaps bool
}

// A Change says how a write changes a counter.
type Change struct {
	// Depends is set if the new value is made of the old one: of what is added to it, and subtracted from it.
	Depends        bool
	Grows, Shrinks []ssa.Value
	// Decays is set if the old value is divided, or multiplied by a share.
	Decays bool
	// Capped and Floored tell that the new value has a maximum or minimum.
	Capped, Floored bool
}

// CounterOf returns the counter at an address, nil if it is none.
func CounterOf(addr ssa.Value) Counter {
	for range 6 {
		switch a := addr.(type) {
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.UnOp: // a slice, map or pointer that a field holds
			addr = a.X
		case *ssa.Slice:
			addr = a.X
		case *ssa.FieldAddr:
			field := a.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(a.Field).Origin()
			if countable(field.Type()) {
				return field
			}
			return nil
		case *ssa.Global:
			if v, ok := a.Object().(*types.Var); ok && countable(v.Type()) {
				return v
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// countable reports whether values of t are numbers, atomic ones, or hold many of them.
func countable(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Array:
		return countable(u.Elem())
	case *types.Slice:
		return countable(u.Elem())
	case *types.Map:
		return countable(u.Elem())
	case *types.Pointer:
		return catalog.AtomicType(typeName(u.Elem()))
	case *types.Basic:
		return u.Info()&types.IsNumeric != 0 && typeName(t) != "time.Duration"
	}
	return catalog.AtomicType(typeName(t))
}

func typeName(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// word is what a call does to a counter, a lock or the like.
func word(call *ssa.CallCommon) string {
	callee := call.StaticCallee()
	if callee == nil {
		return ""
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok {
		return ""
	}
	return catalog.Counts(obj.FullName())
}

// accessesIn lists what fn itself does to counters.
func accessesIn(fn *ssa.Function) []Access {
	var list []Access
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if a := accessBy(instr); a.Counter != nil {
				a.Instr = instr
				list = append(list, a)
			}
		}
	}
	return list
}

func accessBy(instr ssa.Instruction) Access {
	switch instr := instr.(type) {
	case *ssa.Store:
		if c := CounterOf(instr.Addr); c != nil {
			return Access{Counter: c, Writes: true, Initial: madeHere(instr.Addr), Change: changeOf(c, instr.Val)}
		}
	case *ssa.MapUpdate:
		if c := CounterOf(instr.Map); c != nil {
			return Access{Counter: c, Writes: true, Change: changeOf(c, instr.Value)}
		}
	case *ssa.UnOp:
		if instr.Op == token.ARROW {
			return accessByChannel(instr.X, types.RecvOnly)
		}
		if c := CounterOf(instr.X); c != nil && instr.Op == token.MUL && (isNumber(instr.Type()) || isArray(instr.Type())) {
			return Access{Counter: c, Value: instr}
		}
	case *ssa.Lookup:
		if c := CounterOf(instr.X); c != nil {
			return Access{Counter: c, Value: instr}
		}
	case *ssa.Call:
		return accessByCall(instr)
	case *ssa.Select:
		for _, s := range instr.States {
			if a := accessByChannel(s.Chan, s.Dir); a.Counter != nil {
				return a
			}
		}
	case *ssa.Send:
		return accessByChannel(instr.Chan, types.SendOnly)
	}
	return Access{}
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// isArray is true of numbers that are read all at once, as a loop over an array does.
func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

func accessByCall(call *ssa.Call) Access {
	args := call.Call.Args
	if len(args) == 0 {
		return Access{}
	}
	a := Access{Counter: CounterOf(args[0]), Value: call, Writes: true, Atomic: true, Initial: madeHere(args[0])}
	one := ssa.NewConst(constant.MakeInt64(1), types.Typ[types.Int])
	switch word(&call.Call) {
	case "load":
		a.Writes = false
	case "store", "swap":
		a.Change = changeOf(a.Counter, args[1])
	case "add":
		a.Change = Change{Depends: true}.add(args[1], false)
	case "subtract":
		a.Change = Change{Depends: true}.add(args[1], true)
	case "increment":
		a.Change = Change{Depends: true, Grows: []ssa.Value{one}}
	case "decrement":
		a.Change = Change{Depends: true, Shrinks: []ssa.Value{one}}
	case "compare-and-swap":
		a.Swaps, a.Value = true, nil
		a.Change = changeOf(a.Counter, args[2])
	default:
		return Access{}
	}
	return a
}

// madeHere reports whether an address lies in a struct that the function itself has made.
func madeHere(addr ssa.Value) bool {
	for range 6 {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.Alloc:
			return true
		default:
			return false
		}
	}
	return false
}

// changeOf describes the value v that c is given by how it is made of c.
func changeOf(c Counter, v ssa.Value) Change {
	d := &derivation{counter: c, seen: map[ssa.Value]bool{}}
	return d.of(v, 0)
}

type derivation struct {
	counter Counter
	seen    map[ssa.Value]bool
}

func (d *derivation) of(v ssa.Value, depth int) Change {
	if c := accessOf(v); c == d.counter && c != nil {
		return Change{Depends: true}
	}
	if depth > 10 || d.seen[v] {
		return Change{}
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return d.binary(v, depth)
	case *ssa.Convert:
		return d.of(v.X, depth+1)
	case *ssa.ChangeType:
		return d.of(v.X, depth+1)
	case *ssa.Phi:
		d.seen[v] = true
		return d.merged(v, depth)
	case *ssa.Call:
		return d.called(v, depth)
	}
	return Change{}
}

// accessOf returns the counter that v is read from, nil if it is none.
func accessOf(v ssa.Value) Counter {
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return nil
	}
	a := accessBy(instr)
	if a.Value != v {
		return nil
	}
	return a.Counter
}

func (d *derivation) binary(v *ssa.BinOp, depth int) Change {
	x, y := d.of(v.X, depth+1), d.of(v.Y, depth+1)
	switch {
	case x.Depends && (v.Op == token.ADD || v.Op == token.SUB):
		return x.add(v.Y, v.Op == token.SUB)
	case y.Depends && v.Op == token.ADD:
		return y.add(v.X, false)
	case x.Depends && (v.Op == token.QUO || v.Op == token.MUL || v.Op == token.SHR):
		x.Decays = true
		return x
	}
	return Change{}
}

// add is c with something more added or subtracted.
func (c Change) add(v ssa.Value, subtracted bool) Change {
	if negative(v) {
		subtracted = !subtracted
	}
	if subtracted {
		c.Shrinks = append(c.Shrinks, v)
	} else {
		c.Grows = append(c.Grows, v)
	}
	return c
}

func negative(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return v.Value != nil && (v.Value.Kind() == constant.Int || v.Value.Kind() == constant.Float) && constant.Sign(v.Value) < 0
	case *ssa.UnOp:
		return v.Op == token.SUB
	case *ssa.Convert:
		return negative(v.X)
	}
	return false
}

// merged describes a value that is one of several. Where one of them isn't made of the counter, it is the limit of the others.
func (d *derivation) merged(v *ssa.Phi, depth int) Change {
	var all Change
	limit := false
	for _, e := range v.Edges {
		if e == ssa.Value(v) {
			continue
		}
		x := d.of(e, depth+1)
		if !x.Depends {
			limit = true
			continue
		}
		all.Depends = true
		all.Grows, all.Shrinks = append(all.Grows, x.Grows...), append(all.Shrinks, x.Shrinks...)
		all.Capped, all.Floored, all.Decays = all.Capped || x.Capped, all.Floored || x.Floored, all.Decays || x.Decays
	}
	if all.Depends && limit {
		all.Capped, all.Floored = all.Capped || len(all.Grows) > 0, all.Floored || len(all.Shrinks) > 0
	}
	return all
}

func (d *derivation) called(v *ssa.Call, depth int) Change {
	name := word(&v.Call)
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		name = b.Name()
	}
	callee := v.Call.StaticCallee()
	limits := callee != nil && len(callee.Blocks) > 0 && compares(callee)
	for _, a := range v.Call.Args {
		x := d.of(a, depth+1)
		switch {
		case !x.Depends:
		case name == "min" || name == "smaller":
			x.Capped = true
			return x
		case name == "max" || name == "larger":
			x.Floored = true
			return x
		case limits:
			x.Capped, x.Floored = true, true
			return x
		default:
			return Change{Depends: true}
		}
	}
	return Change{}
}

// compares reports whether fn, of this package, compares numbers: then it limits what it is given.
func compares(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.BinOp:
				if isOrder(instr.Op) {
					return true
				}
			case *ssa.Call:
				if b, ok := instr.Call.Value.(*ssa.Builtin); ok && (b.Name() == "min" || b.Name() == "max") {
					return true
				}
			}
		}
	}
	return false
}

func isOrder(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}
