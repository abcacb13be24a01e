package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// What lies below a site ends its repetitions if the error that it gives up with is one that the site doesn't repeat. Both
// ends are described where they stand: a hop knows after which errors its site makes another attempt (Repeats), and a path
// which errors come out of it once its first hop has given up (Fails). At each function on the way out, these become what
// that function makes of them; where they arrive at a site, they are what the site sees (Sees). A path whose operation isn't
// known yet speaks of fault.Tail. Where either end isn't known, the sites multiply.

// Sentinel describes the error that a package variable holds.
func (p *Package) Sentinel(g *ssa.Global) fault.Error {
	if e, ok := p.sentinels[g]; ok {
		return e
	}
	p.sentinels[g] = fault.Anything // while it is looked at
	e := p.sentinel(g)
	p.sentinels[g] = e
	return e
}

func (p *Package) sentinel(g *ssa.Global) fault.Error {
	plain := fault.Sentinel(pathOf(g.Pkg.Pkg.Path()) + "." + g.Name())
	if g.Pkg != p.SSA {
		obj, ok := g.Object().(*types.Var)
		if !ok {
			return fault.Anything
		}
		if e := p.imports.Fault(obj); e != "" {
			return e
		}
		return plain
	}
	var stored ssa.Value
	for _, instr := range p.global[g] {
		s, ok := instr.(*ssa.Store)
		if !ok || s.Addr != ssa.Value(g) {
			continue
		}
		if stored != nil {
			return fault.Anything
		}
		stored = s.Val
	}
	if stored == nil {
		return fault.Anything
	}
	return p.holding(plain, stored)
}

// holding describes a package variable by the value that it is made to hold: that of another variable, or a new error.
func (p *Package) holding(plain fault.Error, v ssa.Value) fault.Error {
	list := sites.FaultOf(v, p).Errors()
	switch e := list[0]; {
	case len(list) > 1 || e == fault.Anything:
		return plain
	case e == newError:
		return plain.Text()
	case e.Variable() != "":
		return e
	default:
		return plain.Wrapping(e)
	}
}

const newError fault.Error = "*errors.errorString"

// Failures describes what a call returns if it fails.
func (p *Package) Failures(call *ssa.Call) fault.Set {
	common := &call.Call
	if common.IsInvoke() {
		return ""
	}
	if callee := resolve(common.StaticCallee()); callee != nil {
		return p.failuresOf(callee).With(func(part string) fault.Set { return p.resultOf(part, common) })
	}
	if param, ok := common.Value.(*ssa.Parameter); ok {
		return fault.Of(fault.Result(indexOf(param)))
	}
	return ""
}

func indexOf(param *ssa.Parameter) int { return int(parameter(param).N) }

// resultOf describes the result of calling the argument of a call that a part names.
func (p *Package) resultOf(part string, call *ssa.CallCommon) fault.Set {
	i, ok := fault.Parameter(part)
	if !ok || i >= len(call.Args) {
		return ""
	}
	switch arg := call.Args[i].(type) {
	case *ssa.Parameter:
		return fault.Of(fault.Result(indexOf(arg)))
	case *ssa.Function:
		return closedSet(p.failuresOf(arg))
	case *ssa.MakeClosure:
		return closedSet(p.failuresOf(arg.Fn.(*ssa.Function)))
	}
	return ""
}

// closedSet leaves out what a function value returns of what its own arguments return.
func closedSet(s fault.Set) fault.Set { return s.With(func(string) fault.Set { return "" }) }

// failuresOf describes the errors that a function of any package returns, in terms of what its parameters return.
func (p *Package) failuresOf(fn *ssa.Function) fault.Set {
	fn = resolve(fn)
	if fn.Pkg != p.SSA && fn.Parent() == nil {
		if obj, ok := fn.Object().(*types.Func); ok && !wellKnownFunction(fn) {
			if f := p.imports.Function(obj.Origin()); f != nil {
				return f.Fails
			}
		}
		return ""
	}
	if s, ok := p.failures[fn]; ok {
		return s
	}
	p.failures[fn] = "" // while it is looked at
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxFailing || !hasError(fn) {
		return ""
	}
	s := sites.FailuresOf(fn, p)
	p.failures[fn] = s
	return s
}

// maxFailing is the number of blocks beyond which a function's errors aren't looked for.
const maxFailing = 200

func wellKnownFunction(fn *ssa.Function) bool {
	return fn.Pkg != nil && wellKnown(fn.Pkg.Pkg.Path())
}

func hasError(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	return results.Len() > 0 && typename.IsError(results.At(results.Len()-1).Type())
}

// answersAgain reports whether fn returns a boolean beside its error.
func answersAgain(fn *ssa.Function) bool {
	return isAnswer(fn.Signature.Results())
}

func isAnswer(results *types.Tuple) bool {
	return results.Len() == 2 && isBool(results.At(0).Type()) && typename.IsError(results.At(1).Type())
}

// failuresWhen describes the errors that fn returns if a site that executes it makes another attempt.
func (p *Package) failuresWhen(fn *ssa.Function, repeats string) fault.Set {
	if booleanWord(repeats) == "" || !answersAgain(fn) || len(fn.Blocks) == 0 || len(fn.Blocks) > maxFailing {
		return p.failuresOf(fn)
	}
	return sites.FailuresWhen(fn, repeats == "true", p)
}

func (p *Package) failuresNamed(id, repeats string) fault.Set {
	if fn := p.byID[id]; fn != nil {
		return p.failuresWhen(fn, repeats)
	}
	f := p.named(id)
	switch {
	case f == nil:
		return ""
	case repeats == "true":
		return f.FailsAgain
	case repeats == "false":
		return f.FailsDone
	}
	return f.Fails
}

// Cases tells what a function of another package answers about an error.
func (p *Package) Cases(fn *ssa.Function) fault.Cases {
	fn = resolve(fn)
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Pkg == p.SSA {
		return nil
	}
	if f := p.imports.Function(obj.Origin()); f != nil {
		return f.Cases
	}
	return nil
}

// casesNamed tells what the classifier with the given identity answers about an error.
func (p *Package) casesNamed(id string) fault.Cases {
	if fn := p.byID[id]; fn != nil {
		return sites.CasesOf(fn, p)
	}
	if f := p.named(id); f != nil {
		return f.Cases
	}
	return nil
}

// statesNamed lists the errors by which the function with the given identity tells a state.
func (p *Package) statesNamed(id string) []string {
	if fn := p.byID[id]; fn != nil {
		return p.statesOf(fn)
	}
	if f := p.named(id); f != nil {
		return f.States
	}
	return nil
}

// outward describes what the function of a call returns after the call failed with given.
func (p *Package) outward(call *Call, given fault.Set, repeats, library string) fault.Set {
	c, ok := call.instr.(*ssa.Call)
	if !ok || !hasError(call.fn) || len(call.fn.Blocks) > maxFailing {
		return ""
	}
	return sites.FailuresAfter(call.fn, c, given, p, func(ret sites.Return) bool {
		return repeats == "" || p.repeatsOn(ret, repeats, library)
	})
}

// giveUp notes on hops, the sites around a call, what they see of an inner path.
func (p *Package) giveUp(hops []Hop, call *Call, inner fault.Set) fault.Set {
	c, ok := call.instr.(*ssa.Call)
	if !ok || len(hops) == 0 {
		return ""
	}
	last := len(hops) - 1
	hops[last].Sees, hops[last].Repeats = inner, call.around[last].RepeatsOn(c, p)
	if last > 0 {
		return "" // what a loop around a loop sees isn't followed
	}
	return call.around[0].GivesUpWith(c, inner, p)
}

func (p *Package) failuresOfCall(call *Call) fault.Set {
	if c, ok := call.instr.(*ssa.Call); ok {
		return p.Failures(c)
	}
	return ""
}
