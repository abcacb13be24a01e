package sites

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// A function that calls itself after a failure, or two that call each other, repeat an operation as a loop does. Find recognises
// those that count by themselves; here are the ones that don't end, or whose counter is set back on the way round.

// A Circle is a way through functions of a package that leads from an operation that has failed back to it, without an end.
type Circle struct {
	// Function is the one that holds the operation, and Closing the call in it that leads round.
	Function *ssa.Function
	Closing  *ssa.Call
	// Reset is the assignment that sets the counter back in each round, and Into the call of the function that it stands in.
	// Unchanged is the counter that is handed on as it is, or
	// begins anew. Without both there is nothing at all that ends the attempts.
	Reset     *ssa.Store
	Into      *ssa.Call
	Unchanged *ssa.Parameter
}

const (
	maxCircle       = 3  // functions
	maxCircleBlocks = 60 // of each
)

// Circles finds the circles in functions.
func Circles(functions []*ssa.Function, values Evaluator) []Circle {
	var list []Circle
	for _, fn := range functions {
		if len(fn.Blocks) == 0 || len(fn.Blocks) > maxCircleBlocks {
			continue
		}
		for _, way := range waysRound(fn) {
			c := &circle{way: way, values: values}
			if found := c.judge(); found != nil {
				list = append(list, *found)
			}
		}
	}
	return list
}

// waysRound lists the sequences of calls that lead from fn back to it.
func waysRound(fn *ssa.Function) [][]*ssa.Call {
	var list [][]*ssa.Call
	var follow func(at *ssa.Function, way []*ssa.Call)
	follow = func(at *ssa.Function, way []*ssa.Call) {
		for _, b := range at.Blocks {
			for _, instr := range b.Instrs {
				call, ok := instr.(*ssa.Call)
				if !ok {
					continue
				}
				callee := call.Call.StaticCallee()
				switch {
				case callee == fn:
					list = append(list, append(slices.Clone(way), call))
				case callee != nil && callee.Pkg == fn.Pkg && len(callee.Blocks) > 0 && len(callee.Blocks) <= maxCircleBlocks && len(way)+1 < maxCircle &&
					callee != at && !slices.ContainsFunc(way, func(c *ssa.Call) bool { return c.Call.StaticCallee() == callee }):
					follow(callee, append(slices.Clone(way), call))
				}
			}
		}
	}
	follow(fn, nil)
	return list
}

// circle is a way round that may be one.
type circle struct {
	way    []*ssa.Call
	values Evaluator
}

func (c *circle) first() *ssa.Call { return c.way[0] }

func (c *circle) judge() *Circle {
	fn := c.first().Parent()
	operation := c.failsInto()
	if operation == nil || !c.waits() {
		return nil
	}
	found := &Circle{Function: fn, Closing: c.first()}
	if found.Reset = c.reset(); found.Reset != nil {
		found.Into = c.into(found.Reset.Parent())
		return found
	}
	if len(c.way) > 1 {
		return nil
	}
	return c.alone(operation, found)
}

// failsInto returns the operation whose failure, and not its success, leads to the first call of the way.
func (c *circle) failsInto() *ssa.Call {
	target := c.first()
	fn := target.Parent()
	r, m := wholeRegion(fn), memoryOf(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || slices.Contains(c.way, call) || outcomeOf(call) != byError || isMaker(call) || passesError(call) ||
				c.values.Local(call) || c.values.Waits(call) || call.Call.StaticCallee() == fn {
				continue
			}
			reached := func(o outcome) bool {
				x := &explorer{walker: newWalker(r, call, o, m, c.values), seen: map[string]bool{}, asks: map[ssa.Value]bool{}}
				hit, _ := x.reaches(state{block: call.Block(), from: indexOf(call) + 1, env: env{}}, target, false, 0)
				return hit
			}
			if reached(failed) && !reached(succeeded) {
				return call
			}
		}
	}
	return nil
}

// waits reports whether some function of the way lets time pass.
func (c *circle) waits() bool {
	return slices.ContainsFunc(c.way, func(call *ssa.Call) bool {
		return slices.ContainsFunc(call.Parent().Blocks, func(b *ssa.BasicBlock) bool {
			return slices.ContainsFunc(b.Instrs, c.values.Waits)
		})
	})
}

// reset returns the assignment of a constant to a field that the way also counts with, if each round executes it.
func (c *circle) reset() *ssa.Store {
	for _, call := range c.way {
		for _, b := range call.Parent().Blocks {
			for _, instr := range b.Instrs {
				s, ok := instr.(*ssa.Store)
				if !ok || !isInteger(s.Val.Type()) || !before(s, call) {
					continue
				}
				if _, isConst := s.Val.(*ssa.Const); isConst && sharedField(s.Addr) && c.counts(s.Addr) {
					return s
				}
			}
		}
	}
	return nil
}

// into returns the call of fn on the way.
func (c *circle) into(fn *ssa.Function) *ssa.Call {
	for _, call := range c.way {
		if call.Call.StaticCallee() == fn {
			return call
		}
	}
	return nil
}

// sharedField reports whether addr is a field of what the receiver points to, or a package variable.
func sharedField(addr ssa.Value) bool {
	switch v := addr.(type) {
	case *ssa.Global:
		return true
	case *ssa.FieldAddr:
		p, ok := v.X.(*ssa.Parameter)
		return ok && p.Parent().Signature.Recv() != nil && p.Parent().Params[0] == p
	}
	return false
}

// counts reports whether the way increments the variable at addr, and compares it.
func (c *circle) counts(addr ssa.Value) bool {
	increments, compares := false, false
	for _, call := range c.way {
		for _, b := range call.Parent().Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					increments = increments || sameField(instr.Addr, addr) && isIncrement(instr.Val, func(x ssa.Value) bool { return readsField(x, addr) })
				case *ssa.If:
					test, ok := strip(instr.Cond).(*ssa.BinOp)
					compares = compares || ok && (readsField(test.X, addr) || readsField(test.Y, addr))
				}
			}
		}
	}
	return increments && compares
}

func readsField(v, addr ssa.Value) bool {
	if sum, ok := v.(*ssa.BinOp); ok {
		v = sum.X
	}
	load, ok := unconverted(v).(*ssa.UnOp)
	return ok && sameField(load.X, addr)
}

func sameField(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	y, okToo := b.(*ssa.FieldAddr)
	if !ok || !okToo {
		return a == b
	}
	return x.Field == y.Field && types.Identical(x.X.Type(), y.X.Type()) && sharedField(a) && sharedField(b)
}

// alone judges a function that calls itself.
func (c *circle) alone(operation *ssa.Call, found *Circle) *Circle {
	fn := found.Function
	r := wholeFunction(fn)
	if r == nil || len(r.recursive) > 1 {
		return nil
	}
	s := &Site{Kind: Recursion, Role: Retry, Function: fn, Operation: operation, region: r, Unlimited: true, Repeated: map[ssa.Instruction]bool{operation: true}}
	g := s.statesOf(c.values, nil)
	if g == nil || g.cut || s.endsWithContext(c.values) {
		return nil
	}
	for _, branch := range c.exits() {
		switch p := c.number(branch.Cond); {
		case p != nil && c.advances(p):
			return nil // it counts
		case p != nil:
			found.Unchanged = p
		case c.handsOn(branch.Cond) || g.mayBound(branch.Cond):
			return nil
		}
	}
	return found
}

// exits lists the branches that decide whether the function calls itself.
func (c *circle) exits() []*ssa.If {
	target := c.first().Block()
	var list []*ssa.If
	for _, b := range target.Parent().Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if ok && LeadsTo(b.Succs[0], target) != LeadsTo(b.Succs[1], target) {
			list = append(list, branch)
		}
	}
	return list
}

// LeadsTo reports whether control may come from one block to another.
func LeadsTo(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(b.Succs, visit)
	}
	return visit(from)
}

// number returns the integer parameter that cond compares.
func (c *circle) number(cond ssa.Value) *ssa.Parameter {
	test, ok := strip(cond).(*ssa.BinOp)
	if !ok || !isInteger(test.X.Type()) {
		return nil
	}
	for _, side := range []ssa.Value{test.X, test.Y} {
		if p, isParameter := unconverted(side).(*ssa.Parameter); isParameter {
			return p
		}
	}
	return nil
}

// advances reports whether the function hands another value of p on, and not the same, or a constant.
func (c *circle) advances(p *ssa.Parameter) bool {
	arg := c.first().Call.Args[slices.Index(p.Parent().Params, p)]
	_, isConst := arg.(*ssa.Const)
	return arg != ssa.Value(p) && !isConst
}

// handsOn reports whether cond is made of a parameter that is another one in the next round.
func (c *circle) handsOn(cond ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		if p, ok := v.(*ssa.Parameter); ok {
			arg := c.first().Call.Args[slices.Index(p.Parent().Params, p)]
			return arg != v && !typename.IsError(p.Type())
		}
		instr, ok := v.(ssa.Instruction)
		if !ok {
			return false
		}
		return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return visit(*op) })
	}
	return visit(cond)
}
