package callgraph

import (
	"go/token"
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// overlay adds to t, the description of v, what refs, the instructions that use v, do to its fields: assignments, methods
// that set fields of their receiver, and options that are applied to it.
func (p *Package) overlay(v ssa.Value, t value.Term, refs []ssa.Instruction) value.Term {
	for _, ref := range inOrder(refs) {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
			if ref.X == v {
				t = p.assigned(v, t, ref)
			}
		case *ssa.Call:
			t = p.effect(v, t, &ref.Call)
		case *ssa.Defer:
			t = p.effect(v, t, &ref.Call)
		case *ssa.UnOp:
			// Through a variable that holds a pointer: *v is a copy of the pointer.
			if ref.X == v && changes(ref) && pointsToPointer(v) {
				t = p.overlay(ref, t, *ref.Referrers())
			}
		}
	}
	return t
}

func pointsToPointer(v ssa.Value) bool {
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	_, ok = ptr.Elem().Underlying().(*types.Pointer)
	return ok
}

// inOrder sorts instructions by the place in their function.
func inOrder(refs []ssa.Instruction) []ssa.Instruction {
	sorted := append([]ssa.Instruction(nil), refs...)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i].Block(), sorted[j].Block()
		if a == nil || b == nil || a == b || a.Parent() != b.Parent() {
			return false
		}
		return a.Index < b.Index
	})
	return sorted
}

// record makes t a Record that fields can be set in.
func record(t value.Term, typ string) value.Term {
	if t.Kind == value.Record {
		return t
	}
	return value.Term{Kind: value.Record, Name: typ, Names: []string{value.From}, Args: []value.Term{t}}
}

// assigned adds the assignments to the field at fa.
func (p *Package) assigned(v ssa.Value, t value.Term, fa *ssa.FieldAddr) value.Term {
	st, owner := structOf(v.Type())
	name := st.Field(fa.Field).Name()
	for _, ref := range *fa.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == fa && !counts(v, fa, s) {
			r := record(t, typename.Of(owner))
			set := p.unless(v, fa.Field, owned(value.Select(t, name), name, typename.Of(owner)), s)
			t = r.With(name, p.decisive(typename.Of(owner), name, set))
		}
	}
	inner := owned(value.Select(t, name), name, typename.Of(owner))
	if !touches(fa) {
		return t
	}
	if changed := p.overlay(fa, inner, *fa.Referrers()); !value.Equal(changed, inner) {
		t = record(t, typename.Of(owner)).With(name, changed)
	}
	return t
}

// decisive is what a field of a type is set to, as far as it can tell anything about attempts: what a library's own policies and
// clients are given besides (credentials, endpoints, loggers) is not carried along, since it may be large.
func (p *Package) decisive(typ, field string, set value.Term) value.Term {
	if set.Size() == 1 {
		return set
	}
	if policy := p.policyAt(typ); policy == nil || policy.Decides(field) {
		return set
	}
	return value.Named(field)
}

// policyAt is what the catalogue says of a type, nil if it isn't one that decides about attempts.
func (p *Package) policyAt(typ string) *catalog.Policy {
	lib := libraryOf(typ)
	if lib == nil {
		return nil
	}
	pkgPath, _ := splitName(typ)
	return policyNamed(lib, typ, p.imports.Version(pkgPath))
}

// counts reports whether a method adds to a field of its receiver: that is a state, which grows by each call, and no setting.
func counts(v ssa.Value, fa *ssa.FieldAddr, s *ssa.Store) bool {
	fn := fa.Parent()
	if fn.Signature.Recv() == nil || len(fn.Params) == 0 || v != ssa.Value(fn.Params[0]) {
		return false
	}
	step, ok := s.Val.(*ssa.BinOp)
	if !ok || step.Op != token.ADD && step.Op != token.SUB {
		return false
	}
	before, ok := loadsField(step.X, v, fa.Field)
	return ok && before != nil
}

// touches reports whether fields of the field at fa may be set: it is a struct, or a pointer to one that methods are called on.
func touches(fa *ssa.FieldAddr) bool {
	for _, ref := range *fa.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr, *ssa.Call:
			return true
		case *ssa.UnOp:
			if changes(ref) {
				return true
			}
		}
	}
	return false
}

// unless describes a field after the store s, if it was before: where the store hangs on a condition, the description keeps
// it, so that `if cfg.Max == 0 { cfg.Max = 5 }` gives 5 for 0 and leaves the rest.
func (p *Package) unless(v ssa.Value, field int, before value.Term, s *ssa.Store) value.Term {
	after := p.option(p.Term(s.Val))
	b := s.Block()
	if len(b.Preds) != 1 || b == blockOf(whole(v)) || b.Index == 0 {
		return after
	}
	d := b.Preds[0]
	branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If)
	if !ok {
		return after
	}
	cond, ok := p.condition(branch.Cond, v, field, before)
	if !ok {
		return after
	}
	if d.Succs[1] == b {
		cond = value.Operation("!", cond)
	}
	return value.Choose(cond, after, before)
}

// blockOf returns the block that makes v, nil for parameters and the like.
func blockOf(v ssa.Value) *ssa.BasicBlock {
	if instr, ok := v.(ssa.Instruction); ok {
		return instr.Block()
	}
	return nil
}

// condition describes a comparison of the field itself with something.
func (p *Package) condition(cond ssa.Value, v ssa.Value, field int, before value.Term) (value.Term, bool) {
	b, ok := cond.(*ssa.BinOp)
	if !ok {
		return value.Term{}, false
	}
	_, isX := loadsField(b.X, v, field)
	_, isY := loadsField(b.Y, v, field)
	switch {
	case isX:
		return value.Operation(b.Op.String(), before, p.Term(b.Y)), true
	case isY:
		return value.Operation(b.Op.String(), p.Term(b.X), before), true
	}
	return value.Term{}, false
}

// loadsField reports whether x reads the field of v.
func loadsField(x, v ssa.Value, field int) (*ssa.FieldAddr, bool) {
	load, ok := x.(*ssa.UnOp)
	if !ok {
		return nil, false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	return fa, ok && fa.Field == field && samePlace(fa.X, v)
}

// samePlace reports whether two addresses are one, or one field of one struct: a promoted field is reached by an address of
// its own each time.
func samePlace(a, b ssa.Value) bool {
	if a == b {
		return true
	}
	x, isField := a.(*ssa.FieldAddr)
	y, alsoField := b.(*ssa.FieldAddr)
	return isField && alsoField && x.Field == y.Field && samePlace(x.X, y.X)
}

// whole returns the address of the struct that a field's address leads into.
func whole(v ssa.Value) ssa.Value {
	for {
		fa, ok := v.(*ssa.FieldAddr)
		if !ok {
			return v
		}
		v = fa.X
	}
}

// effect adds what a call that is given v does to it.
func (p *Package) effect(v ssa.Value, t value.Term, call *ssa.CallCommon) value.Term {
	for i, arg := range call.Args {
		if arg != v && !wraps(arg, v) {
			continue
		}
		callee := resolve(call.StaticCallee())
		switch {
		case callee != nil:
			t = p.setBy(v, t, call, callee, i)
		case len(call.Args) == 1 && optionLike(call.Signature()):
			t = applied(v, t, p.Term(call.Value))
		}
	}
	return t
}

// optionLike reports whether a function is made to change its argument: it returns nothing, or whether it could.
func optionLike(sig *types.Signature) bool {
	results := sig.Results()
	return results.Len() == 0 || results.Len() == 1 && typename.IsError(results.At(0).Type())
}

func wraps(arg, v ssa.Value) bool {
	mi, ok := arg.(*ssa.MakeInterface)
	return ok && mi.X == v
}

// setBy adds what a function sets in its argument i.
func (p *Package) setBy(v ssa.Value, t value.Term, call *ssa.CallCommon, callee *ssa.Function, i int) value.Term {
	if set, ok := p.librarySets(call); ok && i == 0 {
		_, owner := structOf(v.Type())
		r := record(t, typename.Of(owner))
		for _, name := range sortedKeys(set) {
			r = r.With(name, set[name])
		}
		return r
	}
	f := p.summaryOf(callee)
	if f == nil || len(f.Stores) == 0 {
		return t
	}
	frame := p.frame(p.arguments(call), nil)
	frame.Params[i] = t
	for _, s := range f.Stores {
		if s.Param == i {
			_, owner := structOf(v.Type())
			set := p.decisive(typename.Of(owner), s.Field, frame.Substitute(s.Value))
			t = record(t, typename.Of(owner)).With(s.Field, set)
		}
	}
	return t
}

// applied adds an option, or an unknown function out of a list of them, that is applied to v.
func applied(v ssa.Value, t, option value.Term) value.Term {
	list := value.Term{Kind: value.List, Args: []value.Term{option}}
	if option.Kind == value.Element {
		list = option.Args[0]
	} else if option.Kind == value.Unknown || option.Kind == value.Func {
		return t
	}
	_, owner := structOf(v.Type())
	return record(t, typename.Of(owner)).With(value.Applied, list)
}

// option turns a function that does nothing but set fields of its argument into the Setter that it is.
func (p *Package) option(t value.Term) value.Term {
	switch t.Kind {
	case value.List, value.Either:
		c := t
		c.Args = make([]value.Term, len(t.Args))
		for i, a := range t.Args {
			c.Args[i] = p.option(a)
		}
		return c
	case value.Record:
		if from, ok := t.Get(value.From); ok && from.Kind == value.Func && len(t.Args) == 1 {
			if setter := p.option(from); setter.Kind == value.Setter {
				return setter
			}
		}
		return t
	case value.Func:
	default:
		return t
	}
	f, policy := p.named(t.Name), p.policyChangedBy(t)
	if f == nil || len(f.Stores) == 0 && policy == nil {
		return t
	}
	frame := p.frame(nil, t.Args)
	setter := value.Term{Kind: value.Setter}
	for _, s := range f.Stores {
		if s.Param == 0 && (policy == nil || policy.Decides(s.Field)) {
			setter = setter.With(s.Field, frame.Substitute(s.Value))
		}
	}
	if len(setter.Names) == 0 && policy == nil {
		return t
	}
	return setter
}

// policyChangedBy returns the policy of a library that a function of this package is made to change: an option, though it may set
// nothing that decides about attempts. It is nil for others.
func (p *Package) policyChangedBy(t value.Term) *catalog.Policy {
	fn := p.byID[t.Name]
	if fn == nil || len(fn.Blocks) == 0 || fn.Signature.Params().Len() != 1 || len(t.Names) > 0 || !optionLike(fn.Signature) {
		return nil
	}
	given := fn.Signature.Params().At(0).Type()
	if _, isPointer := given.Underlying().(*types.Pointer); !isPointer {
		return nil
	}
	policy := p.policyAt(typename.Of(given))
	if policy == nil || libraryOf(typename.Of(given)).Executes(policy) {
		return nil
	}
	return policy
}
