package callgraph

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// What an attempt executes is known within the package: the calls of a loop that are repeated, the functions that a helper or
// library is given, and what these call in their turn.

// A Step is an instruction that an attempt executes.
type Step struct {
	Instr ssa.Instruction
	// Calls lead there from the code that is repeated itself, outermost first.
	Calls []ssa.CallInstruction
}

// maxCalls is how far an attempt is followed into functions of the package.
const maxCalls = 6

// Attempt yields what an attempt executes in this package, whichever branch is taken: the instructions of the repeated
// region or of the operations, and those of the functions and literals of this package that are called there, in the order
// of the source. What is started in a goroutine of its own is part of it. A function that is called in several places is
// visited once for each.
func (r *Repetition) Attempt() iter.Seq[Step] {
	return r.attempt(func(call ssa.CallInstruction) []*ssa.Function {
		if fn := resolve(call.Common().StaticCallee()); fn != nil && fn.Blocks != nil {
			return []*ssa.Function{fn}
		}
		return nil
	})
}

// attempt yields what an attempt executes, where called tells which functions of this package a call runs.
func (r *Repetition) attempt(called func(ssa.CallInstruction) []*ssa.Function) iter.Seq[Step] {
	return func(yield func(Step) bool) {
		v := &visitor{yield: yield, called: called}
		if r.Site != nil {
			v.region(r)
			return
		}
		for _, fn := range r.Operations {
			if !v.function(fn, nil) {
				return
			}
		}
	}
}

// Repeats reports whether instr stands in the code of r that is repeated itself, or in a literal within.
func (r *Repetition) Repeats(instr ssa.Instruction) bool {
	if r.Site != nil && r.Site.Executes(instr) {
		return true
	}
	for fn := instr.Parent(); fn != nil; fn = fn.Parent() {
		if slices.Contains(r.Operations, fn) {
			return true
		}
		if r.Site != nil && fn.Parent() == r.Function && r.madeInside(fn) {
			return true
		}
	}
	return false
}

// madeInside reports whether a literal is made in the repeated region.
func (r *Repetition) madeInside(literal *ssa.Function) bool {
	for _, ref := range *literal.Referrers() {
		if mc, ok := ref.(*ssa.MakeClosure); ok && r.Site.Holds(mc) {
			return true
		}
	}
	return false
}

type visitor struct {
	yield  func(Step) bool
	called func(ssa.CallInstruction) []*ssa.Function
	calls  []ssa.CallInstruction
}

func (v *visitor) region(r *Repetition) {
	for _, b := range r.Function.Blocks {
		for _, instr := range b.Instrs {
			if r.Site.Executes(instr) && !v.step(instr) {
				return
			}
		}
	}
}

// function visits what fn does, if it isn't being visited already.
func (v *visitor) function(fn *ssa.Function, call ssa.CallInstruction) bool {
	if call != nil {
		if len(v.calls) == maxCalls || fn == call.Parent() || slices.ContainsFunc(v.calls, func(c ssa.CallInstruction) bool { return c.Parent() == fn }) {
			return true
		}
		v.calls = append(v.calls, call)
		defer func() { v.calls = v.calls[:len(v.calls)-1] }()
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if !v.step(instr) {
				return false
			}
		}
	}
	return true
}

func (v *visitor) step(instr ssa.Instruction) bool {
	if !v.yield(Step{Instr: instr, Calls: slices.Clone(v.calls)}) {
		return false
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return true
	}
	for _, fn := range v.called(call) {
		if !v.function(fn, call) {
			return false
		}
	}
	return true
}

// Given returns what v is where the calls to s begin, as far as it is handed down: the argument for a parameter, the variable
// that a literal has captured. From which call on it is so is told by the number of calls that are left.
func (s Step) Given(v ssa.Value) (ssa.Value, int) {
	for depth := len(s.Calls); depth > 0; depth-- {
		common := s.Calls[depth-1].Common()
		given := handedDown(v, common)
		if given == nil {
			return v, depth
		}
		v = given
	}
	return v, 0
}

// handedDown returns what the function that common calls knows as v: nil if v is its own.
func handedDown(v ssa.Value, common *ssa.CallCommon) ssa.Value {
	switch v := v.(type) {
	case *ssa.Parameter:
		i := slices.Index(v.Parent().Params, v)
		if common.IsInvoke() {
			if i == 0 {
				return common.Value
			}
			i--
		}
		if i < len(common.Args) && len(common.Args) == parameters(v.Parent(), common) {
			return common.Args[i]
		}
	case *ssa.FreeVar:
		if mc, ok := common.Value.(*ssa.MakeClosure); ok {
			return mc.Bindings[slices.Index(v.Parent().FreeVars, v)]
		}
	}
	return nil
}

// parameters is how many arguments a call needs to run fn. It has fewer where fn is a method whose receiver is bound.
func parameters(fn *ssa.Function, common *ssa.CallCommon) int {
	if common.IsInvoke() {
		return len(fn.Params) - 1
	}
	return len(fn.Params)
}

// operations returns the functions of this package that a call is given to execute again: the function argument of a
// library's site, or what a helper executes inside of its sites.
func (p *Package) operations(call ssa.CallInstruction) []*ssa.Function {
	var list []*ssa.Function
	for _, t := range p.repeatedBy(call) {
		list = p.functionsIn(t, list)
	}
	return list
}

// repeatedBy describes the function values that a call executes again.
func (p *Package) repeatedBy(call ssa.CallInstruction) []value.Term {
	common := call.Common()
	if k := p.lookup(common); k != nil {
		if k.row.Site == nil {
			return nil
		}
		if op := p.operation(k.row.Site, k, common); op != nil && op.Method == "" {
			return []value.Term{op.Callee}
		}
		return nil
	}
	callee := resolve(common.StaticCallee())
	if callee == nil {
		return nil
	}
	frame := p.frame(p.arguments(common), p.captured(common))
	var terms []value.Term
	for _, path := range p.Paths(p.identify(callee)) {
		if len(path.Hops) > 0 && path.Tail != nil && path.Tail.Method == "" {
			terms = append(terms, frame.Substitute(path.Tail.Callee))
			terms = append(terms, handedOn(path.Tail, frame)...)
		}
	}
	return terms
}

// handedOn describes the functions that a helper hands on to what it repeats, which may execute them: a pacer that lets an invoker
// make the call.
func handedOn(t *Tail, frame value.Frame) []value.Term {
	var terms []value.Term
	for _, a := range t.Args {
		if f := frame.Substitute(a); isOpen(a) && f.Kind == value.Func {
			terms = append(terms, f)
		}
	}
	return terms
}

// functionsIn adds the functions of this package that t may be.
func (p *Package) functionsIn(t value.Term, list []*ssa.Function) []*ssa.Function {
	switch t.Kind {
	case value.Func:
		if fn := p.byID[t.Name]; fn != nil && !slices.Contains(list, fn) {
			list = append(list, fn)
		}
	case value.Either:
		for _, a := range t.Args {
			list = p.functionsIn(a, list)
		}
	case value.Cond:
		for _, a := range t.Args[1:] {
			list = p.functionsIn(a, list)
		}
	}
	return list
}
