package callgraph

import (
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/value"
)

// AttemptThroughValues is like Attempt, and goes on through methods of interface values and through function values as far as
// the package shows which ones they are: the transport below a client, a field that holds a function.
func (r *Repetition) AttemptThroughValues() iter.Seq[Step] { return r.attempt(r.pkg.called) }

// Called lists the functions of this package that a call may run, as far as it shows them.
func (r *Repetition) Called(call ssa.CallInstruction) []*ssa.Function { return r.pkg.called(call) }

// CalledNames lists the full names of the functions that a call may run, of any package, as far as they are known.
func (r *Repetition) CalledNames(call ssa.CallInstruction) []string {
	common := call.Common()
	if common.IsInvoke() {
		return []string{common.Method.FullName()}
	}
	if fn := resolve(common.StaticCallee()); fn != nil {
		return []string{idOf(fn)}
	}
	return functionNames(r.pkg.close(r.pkg.Term(common.Value)), nil)
}

// called lists the functions of this package that a call may run.
func (p *Package) called(call ssa.CallInstruction) []*ssa.Function {
	common := call.Common()
	if given := runOnce(common); given != nil {
		return p.functionsIn(p.close(p.Term(given)), nil)
	}
	if fn := resolve(common.StaticCallee()); fn != nil {
		if fn.Blocks == nil {
			return nil
		}
		return []*ssa.Function{fn}
	}
	if _, isBuiltin := common.Value.(*ssa.Builtin); isBuiltin {
		return nil
	}
	held := p.close(p.Term(common.Value))
	if !common.IsInvoke() {
		return p.functionsIn(held, nil)
	}
	var list []*ssa.Function
	for _, receiver := range valuesIn(held) {
		if m := p.methodObject(receiver, common.Method.Name()); m != nil {
			if fn := p.byID[m.Origin().FullName()]; fn != nil && fn.Blocks != nil {
				list = append(list, fn)
			}
		}
	}
	return list
}

// valuesIn lists what a value may be.
func valuesIn(t value.Term) []value.Term {
	switch t.Kind {
	case value.Either, value.Global:
		return t.Args
	case value.Cond:
		return t.Args[1:]
	}
	return []value.Term{t}
}

// functionNames adds the names of the functions that t may be.
func functionNames(t value.Term, list []string) []string {
	if t.Kind == value.Func {
		return append(list, t.Name)
	}
	for _, a := range valuesIn(t) {
		if a.Kind == value.Func {
			list = append(list, a.Name)
		}
	}
	return list
}

// runOnce returns the function value that a call runs within a transaction, once, if that is what it does.
func runOnce(common *ssa.CallCommon) ssa.Value {
	if given, again := TransactionOf(common); !again {
		return given
	}
	return nil
}

// TransactionOf returns the function value that a call runs within a transaction, and whether the callee runs it again when
// the transaction conflicts; nil if the call does no such thing.
func TransactionOf(common *ssa.CallCommon) (given ssa.Value, again bool) {
	name, first := "", 0
	switch fn := resolve(common.StaticCallee()); {
	case common.IsInvoke():
		name = common.Method.FullName()
	case fn == nil:
		return nil, false
	default:
		name = idOf(fn)
		if fn.Signature.Recv() != nil {
			first = 1
		}
	}
	i, again := catalog.RunsInTransaction(name)
	if i < 0 || first+i >= len(common.Args) {
		return nil, false
	}
	return common.Args[first+i], again
}

// Beneath lists the RoundTrip methods of this package's transports that lie below the layer of a client that repeats, and so are
// executed by each attempt. Where a client is only made, nothing is.
func (r *Repetition) Beneath() []*ssa.Function {
	if k := r.pkg.lookup(r.Call.Common()); k == nil || k.row.Site == nil {
		return nil
	}
	var policies []string
	if !r.Count.One() {
		policies = append(policies, r.Hop.Policy)
	}
	for _, link := range r.Below {
		if !link.Count.One() {
			policies = append(policies, link.Policy)
		}
	}
	var list []*ssa.Function
	r.Settings().Any(func(t value.Term) bool {
		if t.Kind == value.Record && slices.Contains(policies, t.Name) {
			list = r.pkg.transportsIn(t, list)
		}
		return false
	})
	return list
}

// transportsIn adds the transports of this package that are parts of t.
func (p *Package) transportsIn(t value.Term, list []*ssa.Function) []*ssa.Function {
	for _, part := range t.Args {
		if part.Kind == value.Record {
			if m := p.methodObject(part, "RoundTrip"); m != nil {
				if fn := p.byID[m.Origin().FullName()]; fn != nil && !slices.Contains(list, fn) {
					list = append(list, fn)
				}
			}
		}
		list = p.transportsIn(part, list)
	}
	return list
}
