package callgraph

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// Term describes v in the terms of the function it belongs to. It follows v backwards, on demand, through the function and
// the functions it calls. The answer doesn't depend on the place in the function where v is used: of two assignments, the
// later one counts, except where a condition decides.
func (p *Package) Term(v ssa.Value) value.Term {
	v = itself(v)
	if t, ok := p.terms.known(v); ok {
		return t
	}
	if p.terms.isOpen(v) || p.inquiry.tooDeep() {
		return p.unfinished(v)
	}
	return p.terms.answer(v, func() value.Term { return p.describe(v) })
}

// maxDepth is how far a value is followed backwards.
const maxDepth = 60

// itself is the value that v is in another type, unless something may be done to it there.
func itself(v ssa.Value) ssa.Value {
	for !changes(v) {
		x, ok := converted(v)
		if !ok {
			break
		}
		v = x
	}
	return v
}

func converted(v ssa.Value) (ssa.Value, bool) {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return v.X, true
	case *ssa.ChangeType:
		return v.X, true
	case *ssa.Convert:
		return v.X, true
	case *ssa.TypeAssert:
		return v.X, true
	}
	return nil, false
}

// describe describes v and what is done to it.
func (p *Package) describe(v ssa.Value) value.Term {
	t := p.base(v)
	if changes(v) {
		t = p.overlay(v, t, *v.Referrers())
	}
	return t.Bounded()
}

// unfinished describes a value that is asked for while it is being described.
func (p *Package) unfinished(v ssa.Value) value.Term {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return p.closureOf(v, make([]value.Term, len(v.Bindings)))
	case *ssa.Parameter:
		return parameter(v)
	case *ssa.FreeVar:
		return freeVar(v)
	}
	return value.Named(nameOfValue(v))
}

// changes reports whether fields of what v points to, or is, may be set through v.
func changes(v ssa.Value) bool {
	if v.Referrers() == nil {
		return false
	}
	switch v.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		return false // part of the overlay of the whole
	}
	ptr, ok := v.Type().Underlying().(*types.Pointer)
	if !ok {
		return isInterface(v.Type()) && libraryOf(typename.Of(v.Type())) != nil
	}
	_, isStruct := ptr.Elem().Underlying().(*types.Struct)
	return isStruct
}

func isInterface(t types.Type) bool {
	_, ok := t.Underlying().(*types.Interface)
	return ok
}

// base describes v without what is done to it later.
func (p *Package) base(v ssa.Value) value.Term {
	if x, ok := converted(v); ok {
		return p.Term(x)
	}
	switch v := v.(type) {
	case *ssa.Const:
		return constTerm(v)
	case *ssa.Parameter:
		return parameter(v)
	case *ssa.FreeVar:
		return freeVar(v)
	case *ssa.Function:
		return p.function(v, nil)
	case *ssa.MakeClosure:
		return p.closure(v)
	case *ssa.Global:
		return p.globalTerm(v)
	case *ssa.Alloc:
		return p.alloc(v)
	case *ssa.UnOp:
		return p.unary(v)
	case *ssa.BinOp:
		return value.Operation(v.Op.String(), p.Term(v.X), p.Term(v.Y))
	case *ssa.Phi:
		return p.phi(v)
	case *ssa.Call:
		return p.call(v, 0)
	case *ssa.Extract:
		return p.extract(v)
	case *ssa.FieldAddr:
		return p.field(v.X, v.Field)
	case *ssa.Field:
		return p.field(v.X, v.Field)
	case *ssa.MakeInterface:
		return typed(p.Term(v.X), v.X.Type())
	case *ssa.Slice:
		return p.slice(v)
	case *ssa.MakeSlice:
		return value.Term{Kind: value.List}
	case *ssa.IndexAddr:
		return value.ElementOf(p.Term(v.X))
	case *ssa.Index:
		return value.ElementOf(p.Term(v.X))
	case *ssa.Lookup:
		return p.element(v.X)
	}
	return value.Named(nameOfValue(v))
}

// element describes some element of a map or channel.
func (p *Package) element(container ssa.Value) value.Term {
	if t := p.Term(container); slotFor(t) != "" || t.Open() {
		return value.ElementOf(t)
	}
	return value.Term{}
}

// typed keeps the type of a value that becomes an interface, so that its methods can be found.
func typed(t value.Term, typ types.Type) value.Term {
	switch t.Kind {
	case value.Param, value.Free, value.Field, value.Unknown, value.Global:
	case value.Func:
		if _, isFunc := typ.Underlying().(*types.Signature); isFunc && typename.Of(typ) != "" {
			return record(t, typename.Of(typ)) // a function type with methods
		}
		return t
	default:
		return t
	}
	st, owner := structOf(typ)
	if st == nil || typename.Of(owner) == "" {
		return t
	}
	return record(t, typename.Of(owner))
}

// nameOfValue is how the source calls v, as far as SSA still knows.
func nameOfValue(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Comment
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Global:
		return v.Name()
	case *ssa.Alloc:
		return v.Comment
	}
	return ""
}

func constTerm(c *ssa.Const) value.Term {
	if c.Value == nil {
		if _, isStruct := c.Type().Underlying().(*types.Struct); isStruct {
			return value.Term{Kind: value.Record, Name: typename.Of(c.Type())}.Complete()
		}
		return value.Term{Kind: value.Nil}
	}
	switch c.Value.Kind() {
	case constant.Bool:
		return value.Truth(constant.BoolVal(c.Value))
	case constant.Int:
		if n, ok := constant.Int64Val(c.Value); ok {
			return value.Number(n)
		}
	case constant.String:
		if s := constant.StringVal(c.Value); len(s) <= maxString {
			return value.Term{Kind: value.String, Name: s}
		}
	}
	return value.Term{}
}

const maxString = 8192

func parameter(v *ssa.Parameter) value.Term {
	for i, q := range v.Parent().Params {
		if q == v {
			return value.Term{Kind: value.Param, N: int64(i), Name: v.Name(), Names: []string{typename.Of(v.Type())}}
		}
	}
	return value.Term{}
}

// freeVar describes a captured variable: its content, since a closure captures variables and not values.
func freeVar(v *ssa.FreeVar) value.Term {
	for i, q := range v.Parent().FreeVars {
		if q == v {
			return value.Term{Kind: value.Free, N: int64(i), Name: v.Name(), Names: []string{typename.Of(v.Type())}}
		}
	}
	return value.Term{}
}

func (p *Package) function(fn *ssa.Function, captured []value.Term) value.Term {
	fn = resolve(fn)
	t := value.Term{Kind: value.Func, Name: idOf(fn), Args: captured}
	if obj, ok := fn.Object().(*types.Func); ok {
		p.objects[idOf(fn)] = obj.Origin()
		if isInvoked(obj) {
			t.Names = []string{invoked} // a method expression: the receiver is the first argument
		}
	}
	return t
}

// Names of function terms.
const (
	bound   = "bound"   // Args[0] is the receiver
	invoked = "invoked" // the method of an interface: the receiver decides what is executed
)

func isInvoked(m *types.Func) bool {
	recv := m.Signature().Recv()
	return recv != nil && isInterface(recv.Type())
}

func (p *Package) closure(v *ssa.MakeClosure) value.Term {
	captured := make([]value.Term, len(v.Bindings))
	for i, b := range v.Bindings {
		captured[i] = p.Term(b)
	}
	return p.closureOf(v, captured)
}

func (p *Package) closureOf(v *ssa.MakeClosure, captured []value.Term) value.Term {
	fn := v.Fn.(*ssa.Function)
	if fn.Object() != nil && fn.Synthetic != "" && len(captured) == 1 {
		return p.methodValue(fn, captured[0])
	}
	return p.function(fn, captured)
}

// methodValue describes x.Method: the method with its receiver bound. The synthetic wrapper has the method as its object.
func (p *Package) methodValue(fn *ssa.Function, receiver value.Term) value.Term {
	obj := fn.Object().(*types.Func).Origin()
	p.objects[obj.FullName()] = obj
	t := value.Term{Kind: value.Func, Name: obj.FullName(), Names: []string{bound}, Args: []value.Term{receiver}}
	if isInvoked(obj) {
		t.Names = append(t.Names, invoked)
	}
	return t
}

// alloc describes what a variable or a new struct holds before it is changed.
func (p *Package) alloc(v *ssa.Alloc) value.Term {
	elem := v.Type().Underlying().(*types.Pointer).Elem()
	stored := p.stored(v, *v.Referrers())
	filled, isFilled := p.filled(v, *v.Referrers())
	_, isStruct := elem.Underlying().(*types.Struct)
	switch {
	case isStruct && len(stored) == 0 && (isFilled || !setsField(v)):
		return value.Term{Kind: value.Record, Name: typename.Of(elem)} // filled in elsewhere, by reflection or later
	case isFilled:
		return filled
	case len(stored) > 0:
		return value.OneOf(stored...)
	case isStruct:
		return value.Term{Kind: value.Record, Name: typename.Of(elem)}.Complete()
	}
	return value.Term{Kind: value.Zero}
}

// setsField reports whether a field of the new struct v is assigned where v is made.
func setsField(v *ssa.Alloc) bool {
	for _, ref := range *v.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok {
			continue
		}
		for _, r := range *fa.Referrers() {
			if s, isStore := r.(*ssa.Store); isStore && s.Addr == fa {
				return true
			}
		}
	}
	return false
}

// filled reports whether something outside may write to the variable at v: its address is given to a function that isn't
// known, as with json.Unmarshal or errors.As. A flag package tells the default.
func (p *Package) filled(v ssa.Value, refs []ssa.Instruction) (value.Term, bool) {
	for _, ref := range refs {
		switch ref := ref.(type) {
		case *ssa.MakeInterface:
			if !givenAsItIs(v, ref) {
				return value.Named(nameOfValue(v)), true
			}
		case *ssa.Call:
			if len(ref.Call.Args) == 0 || ref.Call.IsInvoke() {
				continue
			}
			if def, ok := flagDefault(&ref.Call, v); ok {
				return value.Term{Kind: value.Symbol, Name: nameOfValue(v), Args: []value.Term{p.Term(def)}}, true
			}
		}
	}
	return value.Term{}, false
}

// givenAsItIs tells a struct that is made with its fields, and given for its methods, from one that is given to be filled in.
func givenAsItIs(v ssa.Value, mi *ssa.MakeInterface) bool {
	alloc, ok := v.(*ssa.Alloc)
	i, isInterface := mi.Type().Underlying().(*types.Interface)
	return ok && isInterface && i.NumMethods() > 0 && setsField(alloc)
}

// flagDefault returns the default of a flag that is bound to the variable at v, by the convention of the flag packages:
// IntVar(&n, name, default, usage), with a shorthand after the name where the function ends in P.
func flagDefault(call *ssa.CallCommon, v ssa.Value) (ssa.Value, bool) {
	name := ""
	if callee := call.StaticCallee(); callee != nil {
		name = callee.Name()
	}
	args := call.Args
	if sig := call.Signature(); sig.Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	at := 2
	if strings.HasSuffix(name, "VarP") {
		at = 3
	} else if !strings.HasSuffix(name, "Var") {
		return nil, false
	}
	if len(args) <= at || args[0] != v || !isBasic(args[at].Type()) {
		return nil, false
	}
	return args[at], true
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// stored lists what is assigned to the variable at v as a whole.
func (p *Package) stored(v ssa.Value, refs []ssa.Instruction) []value.Term {
	var list []value.Term
	for _, ref := range refs {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == v {
			list = append(list, p.Term(s.Val))
		}
	}
	return list
}

func (p *Package) unary(v *ssa.UnOp) value.Term {
	switch v.Op {
	case token.ARROW:
		return p.element(v.X)
	case token.MUL:
		return p.Term(v.X) // a pointer and what it points to share a description
	case token.NOT:
		return value.Operation("!", p.Term(v.X))
	case token.SUB:
		return value.Operation("-", value.Number(0), p.Term(v.X))
	}
	return value.Named(nameOfValue(v))
}

func (p *Package) field(x ssa.Value, index int) value.Term {
	st, owner := structOf(x.Type())
	if st == nil {
		return value.Term{}
	}
	f := st.Field(index)
	return owned(value.Select(p.Term(x), f.Name()), f.Name(), typename.Of(owner))
}

// owned names the type that the field of an unknown struct belongs to.
func owned(t value.Term, field, typ string) value.Term {
	switch t.Kind {
	case value.Field:
		if t.Names == nil && t.Name == field {
			t.Names = []string{typ}
		}
	case value.Either, value.Cond:
		args := make([]value.Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = owned(a, field, typ)
		}
		t.Args = args
	}
	return t
}

// structOf returns the struct that t is or points to, and its type.
func structOf(t types.Type) (*types.Struct, types.Type) {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st, t
}

// phi describes a value that depends on the way taken. Where a condition decides between two ways, the description keeps
// the condition: a caller may know it.
func (p *Package) phi(v *ssa.Phi) value.Term {
	if len(v.Edges) > 12 || isLoopPhi(v) {
		return value.Named(v.Comment)
	}
	return p.merged(v, v.Block().Preds, v.Edges)
}

// Initial describes what a phi at the head of a loop is when the loop begins.
func (p *Package) Initial(v *ssa.Phi) value.Term {
	var preds []*ssa.BasicBlock
	var edges []ssa.Value
	for i, pred := range v.Block().Preds {
		if !v.Block().Dominates(pred) {
			preds, edges = append(preds, pred), append(edges, v.Edges[i])
		}
	}
	return p.merged(v, preds, edges)
}

// merged describes the phi v as far as it is entered from preds, with these values.
func (p *Package) merged(v *ssa.Phi, preds []*ssa.BasicBlock, edges []ssa.Value) value.Term {
	if setting, ok := p.setting(edges); ok {
		setting.Name = v.Comment
		return setting
	}
	if cond, then, other, ok := gate(v.Block(), preds, edges); ok {
		t := value.Choose(p.Term(cond), p.Term(then), p.Term(other))
		if t.Kind == value.Cond {
			t.Name = v.Comment
		}
		return t
	}
	alts := make([]value.Term, len(edges))
	for i, e := range edges {
		alts[i] = p.Term(e)
	}
	t := value.OneOf(alts...)
	if t.Kind == value.Either {
		t.Name = v.Comment
	}
	return t
}

// isLoopPhi reports whether v is carried by a loop.
func isLoopPhi(v *ssa.Phi) bool {
	for _, pred := range v.Block().Preds {
		if v.Block().Dominates(pred) {
			return true
		}
	}
	return false
}

// gate finds the condition that decides from which of two predecessors, and so with which of two values, b is entered.
func gate(b *ssa.BasicBlock, preds []*ssa.BasicBlock, edges []ssa.Value) (cond, then, other ssa.Value, ok bool) {
	d := b.Idom()
	if len(edges) != 2 || d == nil {
		return nil, nil, nil, false
	}
	branch, isIf := d.Instrs[len(d.Instrs)-1].(*ssa.If)
	if !isIf {
		return nil, nil, nil, false
	}
	first, second := side(d, b, preds[0]), side(d, b, preds[1])
	switch {
	case first == 0 && second == 1:
		return branch.Cond, edges[0], edges[1], true
	case first == 1 && second == 0:
		return branch.Cond, edges[1], edges[0], true
	}
	return nil, nil, nil, false
}

// side tells on which side of the branch at the end of d the edge from pred to b lies: 0 true, 1 false, -1 both.
func side(d, b, pred *ssa.BasicBlock) int {
	if d.Succs[0] == d.Succs[1] {
		return -1
	}
	for i, succ := range d.Succs {
		if pred == d && succ == b || succ != b && len(succ.Preds) == 1 && succ.Dominates(pred) {
			return i
		}
	}
	return -1
}

func (p *Package) extract(v *ssa.Extract) value.Term {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		return p.call(t, v.Index)
	case *ssa.TypeAssert:
		if v.Index == 0 {
			return p.Term(t.X)
		}
	case *ssa.UnOp:
		if v.Index == 0 {
			return p.element(t.X)
		}
	case *ssa.Lookup:
		if v.Index == 0 {
			return p.element(t.X)
		}
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 2 {
			return p.element(r.X)
		}
	}
	return value.Named("")
}

// slice describes a slice of an array literal: the argument list of a variadic call, or a slice literal.
func (p *Package) slice(v *ssa.Slice) value.Term {
	alloc, ok := v.X.(*ssa.Alloc)
	if !ok {
		return p.Term(v.X)
	}
	array, ok := alloc.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok || array.Len() > 64 {
		return p.Term(v.X)
	}
	elems := make([]value.Term, array.Len())
	for i := range elems {
		elems[i] = value.Term{Kind: value.Zero}
	}
	for _, ref := range *alloc.Referrers() {
		ia, isIndex := ref.(*ssa.IndexAddr)
		if !isIndex {
			continue
		}
		c, isConst := ia.Index.(*ssa.Const)
		if !isConst {
			continue
		}
		n := c.Int64()
		if stored := p.stored(ia, *ia.Referrers()); n < array.Len() && len(stored) > 0 {
			elems[n] = p.option(value.OneOf(stored...))
		}
	}
	return value.Term{Kind: value.List, Args: elems}
}

// globalTerm describes a package variable.
func (p *Package) globalTerm(g *ssa.Global) value.Term {
	name := g.Pkg.Pkg.Path() + "." + g.Name()
	if t, ok := p.libraryVariable(g); ok {
		return t
	}
	if g.Pkg != p.SSA {
		if obj, ok := g.Object().(*types.Var); ok {
			if t, known := p.imports.Variable(obj); known {
				return value.Term{Kind: value.Global, Name: name, Args: []value.Term{t}}
			}
		}
		return value.Term{Kind: value.Global, Name: name}
	}
	t := value.OneOf(p.stored(g, p.global[g])...)
	if len(p.stored(g, p.global[g])) == 0 {
		t = value.Term{Kind: value.Zero}
		if st, owner := structOf(g.Type()); st != nil {
			t = value.Term{Kind: value.Record, Name: typename.Of(owner)}.Complete()
		}
	}
	t = p.overlay(g, t, p.global[g])
	switch t.Kind {
	case value.Int, value.Bool, value.String, value.List, value.Record, value.Func, value.Setter:
		return t
	}
	return value.Term{Kind: value.Global, Name: name, Args: []value.Term{t}}
}
