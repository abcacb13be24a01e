package retrybudget

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
)

// checkScope reports budgets that are made for each call, so that each call has an allowance of its own.
func (c *checker) checkScope(r *callgraph.Repetition, gates []callgraph.Gate) {
	for _, g := range gates {
		if g.Call == nil || g.Branch == nil && !g.Literal || len(g.Call.Common().Args) == 0 || r.Caps(g) || !c.meantForMany(g) {
			continue
		}
		s := &scopeSearch{checker: c, inside: r}
		if g.Foreign {
			s.budget = budget.Receiver(g.Call.Common())
		}
		if made := s.made(g.Call.Common().Args[0], nil, 0); made != nil {
			c.Report("scope", analysis.Diagnostic{
				Pos:     place(made),
				Message: fmt.Sprintf("this budget is made for each call of %s: every call has an allowance of its own, and together they have no bound", nameOf(made.Parent())),
			})
		}
	}
}

func nameOf(fn *ssa.Function) string {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Name()
}

// meantForMany reports whether a budget is made to be shared: a limiter is, and what has a lock and is refilled. A counter of
// attempts that an object keeps is not.
func (c *checker) meantForMany(g callgraph.Gate) bool {
	if g.State == nil {
		return !g.Foreign || g.Shared
	}
	return slices.ContainsFunc(g.State.Terms, c.index.MadeForMany)
}

// scopeSearch follows a budget back to where it is made.
type scopeSearch struct {
	*checker
	inside *callgraph.Repetition
	budget types.Type // that is looked for, if it is of another package
}

const maxScope = 8

// made returns what makes the budget v, or the one in the fields of v, if that happens anew for each call; nil if it comes
// from something that lives longer, or if it isn't known.
func (s *scopeSearch) made(v ssa.Value, fields []int, depth int) ssa.Instruction {
	if depth > maxScope {
		return nil
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return s.made(v.X, fields, depth+1)
	case *ssa.FieldAddr:
		return s.made(v.X, append([]int{v.Field}, fields...), depth+1)
	case *ssa.Alloc:
		return s.allocated(v, fields, depth)
	case *ssa.Call:
		return s.constructed(v, fields, depth)
	case *ssa.Extract:
		return s.made(v.Tuple, fields, depth+1)
	case *ssa.ChangeType:
		return s.made(v.X, fields, depth+1)
	case *ssa.Phi:
		var found ssa.Instruction
		for _, e := range v.Edges {
			if found = s.made(e, fields, depth+2); found == nil {
				return nil
			}
		}
		return found
	case *ssa.Parameter:
		return s.passed(v, fields, depth)
	case *ssa.FreeVar:
		return s.captured(v, fields, depth)
	}
	return nil
}

// allocated follows a struct or variable that a function makes: what is stored in it, or itself.
func (s *scopeSearch) allocated(v *ssa.Alloc, fields []int, depth int) ssa.Instruction {
	var stored []ssa.Value
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == ssa.Value(v) {
				stored = append(stored, ref.Val)
			} else {
				if escapes(ref.Addr) {
					return nil
				}
			}
		case *ssa.FieldAddr:
			if len(fields) == 0 || ref.Field != fields[0] {
				continue
			}
			for _, use := range *ref.Referrers() {
				if store, ok := use.(*ssa.Store); ok && store.Addr == ssa.Value(ref) {
					return s.made(store.Val, fields[1:], depth+1)
				}
			}
		case *ssa.MapUpdate:
			return nil
		}
	}
	if len(stored) == 1 {
		return s.made(stored[0], fields, depth+1)
	}
	if len(stored) > 1 || len(fields) > 0 && !inline(v, fields) {
		return nil
	}
	return s.perCall(v)
}

// escapes reports whether what is stored at an address outlives the function.
func escapes(addr ssa.Value) bool {
	switch a := addr.(type) {
	case *ssa.Global:
		return true
	case *ssa.FieldAddr:
		return escapes(a.X)
	case *ssa.IndexAddr:
		return escapes(a.X)
	case *ssa.Alloc:
		return false
	}
	return true
}

// inline reports whether the fields lead to a struct that is part of the variable, and not behind a pointer.
func inline(v *ssa.Alloc, fields []int) bool {
	t := v.Type().Underlying().(*types.Pointer).Elem()
	for _, i := range fields {
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		t = st.Field(i).Type()
	}
	_, isPointer := t.Underlying().(*types.Pointer)
	return !isPointer
}

// constructed follows what a function returns: a limiter of a library, or what is made in this package.
func (s *scopeSearch) constructed(v *ssa.Call, fields []int, depth int) ssa.Instruction {
	if catalog.Counts(callgraph.CalleeName(&v.Call)) == "limiter" {
		if stays(v) {
			return nil
		}
		return s.perCall(v)
	}
	callee := v.Call.StaticCallee()
	if callee == nil || stays(v) {
		return nil
	}
	if len(callee.Blocks) == 0 {
		if len(fields) == 0 && s.budget != nil && callee.Signature.Recv() == nil && types.Identical(v.Type(), s.budget) {
			return s.perCall(v) // a constructor of the package that the budget is of
		}
		return nil
	}
	inner := &scopeSearch{checker: s.checker, budget: s.budget}
	for _, b := range callee.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 || isNil(ret.Results[0]) {
			continue
		}
		if p, isParam := ret.Results[0].(*ssa.Parameter); isParam {
			return s.made(v.Call.Args[indexOf(p)], fields, depth+1)
		}
		if made := inner.fresh(ret.Results[0], fields, depth+1); !made {
			return nil
		}
	}
	return s.perCall(v)
}

func indexOf(p *ssa.Parameter) int {
	for i, q := range p.Parent().Params {
		if p == q {
			return i
		}
	}
	return 0
}

// fresh reports whether a function returns a budget that it has just made.
func (s *scopeSearch) fresh(v ssa.Value, fields []int, depth int) bool {
	return s.made(v, fields, depth) != nil
}

// stays reports whether a budget that was made is also put where it outlives the function: a map, a field, a variable.
func stays(v ssa.Value) bool { return staysWithin(v, 0) }

func staysWithin(v ssa.Value, depth int) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.MapUpdate:
			return true
		case *ssa.Store:
			if ref.Val == v && escapes(ref.Addr) {
				return true
			}
		case *ssa.Phi:
			if depth < 4 && staysWithin(ref, depth+1) {
				return true
			}
		case *ssa.MakeInterface: // given to something that keeps values, as sync.Map does
			return true
		}
	}
	return false
}

// perCall returns what makes a budget, unless that function lives as long as the program or shares it among several calls.
func (s *scopeSearch) perCall(made ssa.Instruction) ssa.Instruction {
	fn := made.Parent()
	if s.inside == nil {
		return made
	}
	if name := nameOf(fn); name == "main" || name == "init" {
		return nil
	}
	return made
}

// passed follows a parameter to the calls of its function.
func (s *scopeSearch) passed(v *ssa.Parameter, fields []int, depth int) ssa.Instruction {
	if s.inside == nil {
		return nil
	}
	calls := s.index.Callers(v.Parent())
	for _, call := range calls {
		args := call.Common().Args
		if call.Common().IsInvoke() {
			args = append([]ssa.Value{call.Common().Value}, args...)
		}
		if i := indexOf(v); i < len(args) {
			if made := s.made(args[i], fields, depth+1); made != nil && !repeated(made, call) {
				return made
			}
		}
	}
	return nil
}

// repeated reports whether a call is made several times with what is made once: in a loop or in goroutines after it.
func repeated(made, call ssa.Instruction) bool {
	if made.Parent() != call.Parent() {
		return true
	}
	if serves(made.Parent()) {
		return false
	}
	if _, isGo := call.(*ssa.Go); isGo {
		return true
	}
	b := call.Block()
	for _, succ := range b.Succs {
		if sites.LeadsTo(succ, b) && !sites.LeadsTo(b, made.Block()) {
			return true // the loop begins after it was made
		}
	}
	return false
}

// serves reports whether a function is called for each connection or request: it is given one.
func serves(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool {
		t := p.Type()
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		return catalog.Served(nameOfType(t))
	})
}

func nameOfType(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// captured follows a variable that a literal captures.
func (s *scopeSearch) captured(v *ssa.FreeVar, fields []int, depth int) ssa.Instruction {
	parent := v.Parent().Parent()
	if parent == nil || s.inside == nil {
		return nil
	}
	for _, b := range parent.Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok || mc.Fn != ssa.Value(v.Parent()) {
				continue
			}
			if kept(mc, 0) {
				return nil // the function around is called once, and the literal many times
			}
			for i, fv := range v.Parent().FreeVars {
				if fv == v {
					return s.made(mc.Bindings[i], fields, depth+1)
				}
			}
		}
	}
	return nil
}

// kept reports whether a literal outlives the function that makes it: it is returned, or put somewhere.
func kept(v ssa.Value, depth int) bool {
	if depth > 4 {
		return true
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Return:
			return true
		case *ssa.Store:
			if escapes(ref.Addr) {
				return true
			}
		case *ssa.ChangeType:
			if kept(ref, depth+1) {
				return true
			}
		case *ssa.MakeInterface:
			if kept(ref, depth+1) {
				return true
			}
		}
	}
	return false
}
