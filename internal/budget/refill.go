package budget

import (
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// Charges reports whether a makes a gate refuse earlier that sees the counter so.
func (a Access) Charges(p Polarity) bool {
	if !a.Writes || a.Initial {
		return false
	}
	if p == Balance {
		return len(a.Change.Shrinks) > 0
	}
	return len(a.Change.Grows) > 0
}

// Refills reports whether a makes a gate admit more that sees the counter so, also by setting the counter anew.
func (a Access) Refills(p Polarity) bool {
	if !a.Writes || a.Initial {
		return false
	}
	if !a.Change.Depends {
		return true
	}
	return len(a.addends(p)) > 0
}

// addends are the amounts by which a refills.
func (a Access) addends(p Polarity) []ssa.Value {
	if p == Balance {
		return a.Change.Grows
	}
	return a.Change.Shrinks
}

// TimedRefill reports whether a refills by an amount that time decides.
func (x *Index) TimedRefill(a Access, p Polarity) bool {
	for _, v := range a.addends(p) {
		if x.Timed(v) {
			return true
		}
	}
	return false
}

// ChargedBy reports whether a call of fn charges a counter.
func (x *Index) ChargedBy(fn *ssa.Function, c Counter, p Polarity) bool {
	for _, a := range x.Effects(fn) {
		if a.Counter == c && a.Charges(p) {
			return true
		}
	}
	return false
}

// RefilledBy reports whether a call of fn refills a counter.
func (x *Index) RefilledBy(fn *ssa.Function, c Counter, p Polarity) bool {
	for _, a := range x.Effects(fn) {
		if a.Counter == c && a.Refills(p) {
			return true
		}
	}
	return false
}

// Gates reports whether fn decides by a counter, whatever the result by which it refuses.
func (x *Index) Gates(fn *ssa.Function, c Counter) bool {
	for _, g := range x.GatesOf(fn) {
		for _, t := range g.Terms {
			if t.Counter == c {
				return true
			}
		}
	}
	return false
}

// GatesOf describes fn as a gate by each result by which it may refuse.
func (x *Index) GatesOf(fn *ssa.Function) []*Gate {
	var list []*Gate
	results := fn.Signature.Results()
	for i := range results.Len() {
		t := results.At(i).Type()
		tries := []Refusal{}
		switch {
		case typename.IsError(t):
			tries = append(tries, Refusal{Result: i, Error: true})
		case isBool(t):
			tries = append(tries, Refusal{Result: i}, Refusal{Result: i, Value: true})
		}
		for _, field := range booleans(t) {
			tries = append(tries, Refusal{Result: i, Field: field}, Refusal{Result: i, Field: field, Value: true})
		}
		for _, r := range tries {
			if g := x.GateOf(fn, r); g != nil {
				list = append(list, g)
			}
		}
	}
	return list
}

// Decides describes fn as a gate that also charges what it looks at; nil if it is none. A boolean may say yes or no to another
// attempt: no is false, unless only the other reading makes a charge of what fn does.
func (x *Index) Decides(fn *ssa.Function) *Gate {
	for _, g := range x.GatesOf(fn) {
		for _, t := range g.Terms {
			if x.ChargedBy(fn, t.Counter, t.Polarity) {
				return g
			}
		}
	}
	return nil
}

// A Permit is a counter of what is under way: what is charged for an attempt is given back after it, however it ends. It caps
// concurrency, and says nothing about how many repetitions there are.
func (x *Index) Permit(c Counter, p Polarity) bool {
	for _, a := range x.of[c] {
		if !a.Writes || a.Initial {
			continue
		}
		if !a.Change.Depends || a.Change.Capped && p == Balance && !isChannel(c) || !oneStep(a.Change) {
			return false
		}
	}
	for _, fn := range x.Functions {
		if x.givesBack(fn, c, p) {
			return true
		}
	}
	return false
}

// Symmetric reports whether a counter goes up and down by the same step, and is never set: it may count what is under way.
func (x *Index) Symmetric(c Counter) bool {
	step := ""
	for _, a := range x.of[c] {
		if !a.Writes || a.Initial {
			continue
		}
		if !a.Change.Depends || a.Change.Capped || !oneStep(a.Change) {
			return false
		}
		n, _ := number(append(append([]ssa.Value{}, a.Change.Grows...), a.Change.Shrinks...)[0])
		size := strings.TrimPrefix(n.ExactString(), "-")
		if step != "" && step != size {
			return false
		}
		step = size
	}
	return step != ""
}

// oneStep reports whether a change adds or subtracts one constant.
func oneStep(c Change) bool {
	all := append(append([]ssa.Value{}, c.Grows...), c.Shrinks...)
	for _, v := range all {
		if _, isConst := number(v); !isConst {
			return false
		}
	}
	return len(all) == 1
}

// givesBack reports whether fn charges a counter and refills it later on a way that isn't a success alone.
func (x *Index) givesBack(fn *ssa.Function, c Counter, p Polarity) bool {
	var charge ssa.Instruction
	for _, b := range fn.DomPreorder() {
		for _, instr := range b.Instrs {
			var callees []*ssa.Function
			call, isCall := instr.(ssa.CallInstruction)
			if isCall {
				callees = x.Callees(call.Common())
			}
			for _, callee := range callees {
				if call.Common().IsInvoke() && (callee.Name() == fn.Name() || x.ChargedBy(callee, c, p) && x.RefilledBy(callee, c, p)) {
					continue // what fn decorates, and not another one that decorates it so
				}
				switch {
				case charge == nil && x.ChargedBy(callee, c, p):
					charge = instr
				case charge != nil && x.RefilledBy(callee, c, p) && !x.ChargedBy(callee, c, p) && !OnSuccess(instr),
					charge != nil && charge != instr && x.RefilledBy(callee, c, p) && callee.Name() != calledName(charge) && !OnSuccess(instr):
					return true
				}
			}
			if a := accessBy(instr); a.Counter == c {
				switch {
				case charge == nil && a.Charges(p):
					charge = instr
				case charge != nil && a.Refills(p) && !OnSuccess(instr) && !x.refusing(instr):
					return true
				}
			}
		}
	}
	return false
}

func calledName(instr ssa.Instruction) string {
	if call, ok := instr.(ssa.CallInstruction); ok {
		if callee := call.Common().StaticCallee(); callee != nil {
			return callee.Name()
		}
	}
	return ""
}

// refusing reports whether instr stands on a way on which its function refuses: it takes a charge back.
func (x *Index) refusing(instr ssa.Instruction) bool {
	for _, b := range []*ssa.BasicBlock{instr.Block()} {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
			c, isConst := returned(ret, Refusal{}).(*ssa.Const)
			return isConst && c.Value != nil && c.Value.Kind() == constant.Bool
		}
	}
	return false
}

// OnSuccess reports whether instr is executed only where an error was tested and is nil.
func OnSuccess(instr ssa.Instruction) bool {
	for _, c := range Controls(instr.Block()) {
		if test, ok := c.Branch.Cond.(*ssa.BinOp); ok && testsError(test) && (test.Op == token.EQL) == c.Outcome {
			return true
		}
	}
	return false
}

func testsError(test *ssa.BinOp) bool {
	return (isNil(test.Y) || isNil(test.X)) && typename.IsError(test.X.Type())
}

// A Control is a branch that decides whether a block is executed, with the outcome after which it is.
type Control struct {
	Branch  *ssa.If
	Outcome bool
}

// Controls lists the branches of which one side leads to b and the other doesn't.
func Controls(b *ssa.BasicBlock) []Control {
	var list []Control
	for d := b.Idom(); d != nil; d = d.Idom() {
		branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for side, succ := range d.Succs {
			if len(succ.Preds) == 1 && succ.Dominates(b) {
				list = append(list, Control{branch, side == 0})
			}
		}
	}
	return list
}

// Expires reports whether what is left is set back to nothing somewhere: then a quiet time saves up nothing.
func (x *Index) Expires(c Counter, p Polarity) bool {
	if p != Balance {
		return false
	}
	for _, a := range x.of[c] {
		if n, ok := number(written(a.Instr)); ok && a.Writes && !a.Initial && !a.Change.Depends && constant.Sign(n) == 0 {
			return true
		}
	}
	return false
}

// Limited reports whether a refill can't make a counter larger (or, as a debt, smaller) than some limit: by how the value is
// computed, by a test before that leaves small steps only, or by an assignment after it.
func (x *Index) Limited(a Access, p Polarity) bool {
	if p == Balance && a.Change.Capped || p == Debt && a.Change.Floored {
		return true
	}
	return x.fillsUp(a, p) || x.guarded(a, p) || x.clampedAfter(a)
}

// fillsUp reports whether the amount is limited to what is missing: the difference of a limit and the counter.
func (x *Index) fillsUp(a Access, p Polarity) bool {
	for _, v := range a.addends(p) {
		if !missing(v, a.Counter, 0) {
			return false
		}
	}
	return len(a.addends(p)) > 0
}

func missing(v ssa.Value, c Counter, depth int) bool {
	if depth > 4 {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return v.Op == token.SUB && accessOf(v.Y) == c
	case *ssa.Convert:
		return missing(v.X, c, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if missing(e, c, depth+1) {
				return true
			}
		}
	case *ssa.Call:
		for _, a := range v.Call.Args {
			if missing(a, c, depth+1) {
				return true
			}
		}
	}
	return false
}

// guarded reports whether a comparison of the counter with a limit decides about the refill, and its amount is fixed.
func (x *Index) guarded(a Access, p Polarity) bool {
	for _, v := range a.addends(p) {
		if x.Timed(v) || !steady(x, v) {
			return false
		}
	}
	for _, c := range Controls(a.Instr.Block()) {
		if test, ok := c.Branch.Cond.(*ssa.BinOp); ok && (isOrder(test.Op) || test.Op == token.EQL || test.Op == token.NEQ) && x.about(test, a) {
			return true
		}
	}
	return false
}

// steady reports whether v is a constant, a parameter, or a number that never changes.
func steady(x *Index, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Parameter:
		return true
	case *ssa.Convert:
		return steady(x, v.X)
	}
	c := accessOf(v)
	return c != nil && !x.Mutable(c)
}

// about reports whether a comparison looks at the counter that a writes, or at the value that it gives it.
func (x *Index) about(test *ssa.BinOp, a Access) bool {
	l := &leaves{index: x, found: map[Counter]leaf{}}
	l.visit(test.X, Balance, 0)
	l.visit(test.Y, Balance, 0)
	if _, ok := l.found[a.Counter]; ok {
		return true
	}
	v := written(a.Instr)
	return v != nil && (test.X == v || test.Y == v) || a.Value != nil && (test.X == a.Value || test.Y == a.Value)
}

// clampedAfter reports whether the function of a sets the counter to a limit where a comparison says that it is beyond, or
// calls a function that does.
func (x *Index) clampedAfter(a Access) bool {
	fn := a.Instr.Parent()
	for _, w := range x.Effects(fn) {
		if w.Counter == a.Counter && w.Writes && w.Instr != a.Instr && x.clamps(w) {
			return true
		}
	}
	return false
}

// clamps reports whether a write sets a counter where a comparison of it says that it is beyond a limit.
func (x *Index) clamps(w Access) bool {
	if w.Change.Capped {
		return true
	}
	if w.Change.Depends && !w.Swaps {
		return false
	}
	for _, c := range Controls(w.Instr.Block()) {
		if test, ok := c.Branch.Cond.(*ssa.BinOp); ok && isOrder(test.Op) && x.about(test, w) {
			return true
		}
	}
	return false
}
