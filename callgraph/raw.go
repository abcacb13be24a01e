package callgraph

import (
	"go/types"
	"hash/fnv"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// A Raw is what a package tells of itself to whoever links the packages of a program: what its functions do, unfolded, which
// values flow where, and which types there are. Test files have no part in it: what they construct reaches no user.
type Raw struct {
	Package  string     `json:"p"`
	Module   string     `json:"m,omitempty"`
	Imports  []string   `json:"s,omitempty"` // packages of the workspace
	Versions []string   `json:"v,omitempty"` // of catalogued modules, as root@version
	Bodies   []*Body    `json:"b,omitempty"`
	Foreign  []Function `json:"f,omitempty"` // functions of other modules that the bodies call or hand on
	Flows    []Flow     `json:"w,omitempty"`
	Fields   []Holding  `json:"h,omitempty"`
	Types    []Type     `json:"t,omitempty"`
	// Reflected are the functions that a library gets as an untyped value: it calls them with values of the parameters'
	// types, as containers for dependency injection do.
	Reflected []Reflected `json:"r,omitempty"`
}

// A Flow is an assignment of Value, in terms of the function In, to a slot of the program: a field, a variable, the elements
// of a map.
type Flow struct {
	To    string     `json:"t"`
	In    string     `json:"i,omitempty"`
	Value value.Term `json:"v"`
}

// A Holding is what a field holds wherever its package sets it.
type Holding struct {
	Field string     `json:"f"` // pkgpath.Type.field
	Value value.Term `json:"v"`
}

// A Type is a named type: an interface, or one with methods or fields that values can flow through.
type Type struct {
	Name      string `json:"n"`
	Interface bool   `json:"i,omitempty"`
	// Generated is set if a generator wrote the type, as mocks are.
	Generated bool     `json:"g,omitempty"`
	Methods   []string `json:"m,omitempty"` // name and a hash of the signature, sorted
	// Promoted tells for each of Methods the embedded field that it belongs to, as type.field; "" for the type's own.
	Promoted []string `json:"e,omitempty"`
	Fields   []string `json:"f,omitempty"` // name:type
}

// Reflected is a function with the types of its parameters and results.
type Reflected struct {
	Function string `json:"f,omitempty"`
	// Value is what the function is, in terms of the function In, if the package doesn't know which one.
	Value *value.Term `json:"v,omitempty"`
	// Captured is what a function literal has captured, in terms of the function In.
	Captured []value.Term `json:"c,omitempty"`
	In       string       `json:"i,omitempty"`
	Params   []string     `json:"p,omitempty"`
	Results  []string     `json:"r,omitempty"`
}

// Slots are named by what they are.
const (
	paramSlot    = "param "    // function, space, index
	fieldSlot    = "field "    // pkgpath.Type.field
	variableSlot = "variable " // pkgpath.Var
	elementsOf   = "elements " // of the slot that follows
	resultSlot   = "result "   // function, space, index
)

func paramSlotOf(function string, i int) string { return paramSlot + function + " " + strconv.Itoa(i) }

func resultSlotOf(function string, i int) string {
	return resultSlot + function + " " + strconv.Itoa(i)
}

// Raw returns what the package tells a linker, versions aside.
func (p *Package) Raw() *Raw {
	r := &Raw{Package: p.Types.Path(), Module: p.Module, Types: p.rawTypes()}
	for _, imp := range p.Types.Imports() {
		if p.imports.Workspace(imp.Path()) {
			r.Imports = append(r.Imports, imp.Path())
		}
	}
	for _, id := range p.bodyIDs() {
		if fn := p.byID[id]; !p.isTest(fn) {
			c := p.newCoarse(fn)
			r.Flows = append(r.Flows, p.flowsIn(fn, c)...)
			r.Bodies = append(r.Bodies, p.rawBody(fn, id, c))
		}
	}
	r.Fields = p.holdings()
	r.Reflected = p.reflected()
	r.Foreign = p.foreign(r)
	r.Bodies = slices.DeleteFunc(r.Bodies, (*Body).empty)
	return r
}

func (b *Body) empty() bool {
	return len(b.Calls) == 0 && len(b.Results) == 0 && len(b.Bindings) == 0 && len(b.Ends) == 0 && len(b.Coarse) == 0 && !b.Errors.tells()
}

// rawBody completes the body of a function with what only a linker needs.
func (p *Package) rawBody(fn *ssa.Function, id string, c *coarse) *Body {
	raw := *p.body(id)
	raw.Calls = append(slices.Clone(raw.Calls), p.besides(fn)...)
	for _, r := range p.valuesOf(fn).Results {
		raw.Results = append(raw.Results, flowing(r))
	}
	for i := range raw.Calls {
		p.errorsThrough(&raw.Calls[i])
	}
	c.complete(&raw)
	if !anyKnown(raw.Results) {
		raw.Results = nil
	}
	raw.Bindings = p.bindings(fn)
	raw.Errors, raw.Ends = p.errorsOf(fn), p.valuesOf(fn).Ends
	p.answers(&raw, fn)
	return &raw
}

// errorsThrough notes what becomes of the error that a call fails with, which is fault.Tail as long as it isn't known.
func (p *Package) errorsThrough(c *Call) {
	if c.Beside {
		return
	}
	if len(c.Around) == 0 {
		tail := fault.Of(fault.Tail)
		c.Out = p.outward(c, tail, "", "")
		if answersAgain(c.fn) {
			c.OutTrue, c.OutFalse = p.outward(c, tail, "true", ""), p.outward(c, tail, "false", "")
		}
		return
	}
	c.Around = slices.Clone(c.Around)
	c.Out = p.giveUp(c.Around, c, fault.Of(fault.Tail))
	if c.Operates {
		c.Fails = p.failuresOfCall(c)
	}
}

// flowing keeps of a value what can flow through a program: functions, structs, parameters and what is made of them.
func flowing(t value.Term) value.Term {
	if t = t.Within(maxFlowing); !t.Any(moves) {
		return value.Term{}
	}
	return t
}

const maxFlowing = 150

func moves(t value.Term) bool {
	switch t.Kind {
	case value.Func, value.Param, value.Free, value.Field, value.Global, value.Result, value.Int, value.Setter, value.Symbol, value.Slot:
		return true
	case value.Record:
		return t.Name != ""
	}
	return false
}

// besides lists the calls in new goroutines: nothing repeats them, but values flow through them.
func (p *Package) besides(fn *ssa.Function) []Call {
	var list []Call
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			g, ok := instr.(*ssa.Go)
			if !ok {
				continue
			}
			if callee := resolve(g.Call.StaticCallee()); callee != nil && p.inWorkspace(callee) {
				list = append(list, Call{
					Beside: true, Callee: p.identify(callee), Args: p.plainArguments(&g.Call), Captured: p.captured(&g.Call), At: p.hop(fn, g.Pos()),
				})
			}
		}
	}
	return list
}

// bindings describes the variables that a function literal captures, in terms of the function around it.
func (p *Package) bindings(fn *ssa.Function) []value.Term {
	if fn.Parent() == nil || len(fn.FreeVars) == 0 {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok || mc.Fn != fn {
				continue
			}
			list := make([]value.Term, len(mc.Bindings))
			for i, bound := range mc.Bindings {
				list[i] = flowing(p.Term(bound))
			}
			return list
		}
	}
	return nil
}

// answers notes by which words of the catalogue a failure of each call leads outward, for functions that are executed as
// values or asked whether to make another attempt. It notes only what differs from what is assumed otherwise.
func (p *Package) answers(b *Body, fn *ssa.Function) {
	if fn.Parent() == nil && !p.isValue(b.ID) && !answersAgain(fn) {
		return
	}
	words := p.words(fn)
	for i := range b.Calls {
		c := &b.Calls[i]
		if c.Beside || c.instr == nil {
			continue
		}
		for _, w := range words {
			repeats, library, _ := strings.Cut(w, " ")
			if p.failsOutward(c.fn, c.instr, repeats, library) != outwardByDefault(repeats) {
				c.Differs = append(c.Differs, w)
			}
		}
	}
}

// outwardByDefault is what is assumed of a call whose function isn't known to be executed by a library.
func outwardByDefault(repeats string) bool { return repeats != "marked" && repeats != "conflict" }

// words lists the words that matter for a function: booleans if it returns one, marks of libraries that are imported.
func (p *Package) words(fn *ssa.Function) []string {
	var list []string
	results := fn.Signature.Results()
	for i := range results.Len() {
		if b, ok := results.At(i).Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			list = append(list, "true", "false")
			break
		}
	}
	if results.Len() > 0 && typename.IsError(results.At(results.Len()-1).Type()) {
		for _, root := range p.markers() {
			list = append(list, "unmarked "+root, "marked "+root)
		}
	}
	return list
}

// markers lists the libraries with marks that the package imports directly.
func (p *Package) markers() []string {
	if p.marking != nil {
		return p.marking
	}
	p.marking = []string{}
	for _, imp := range p.Types.Imports() {
		lib := catalog.For(imp.Path())
		if lib != nil && (marks(lib, "permanent") || marks(lib, "retryable")) && !slices.Contains(p.marking, lib.Root()) {
			p.marking = append(p.marking, lib.Root())
		}
	}
	sort.Strings(p.marking)
	return p.marking
}

// flowsIn lists what fn assigns to fields, variables, and elements of maps and channels.
func (p *Package) flowsIn(fn *ssa.Function, c *coarse) []Flow {
	var list []Flow
	add := func(to string, v ssa.Value) {
		if to == "" || !carries(v.Type()) {
			return
		}
		if t := c.term(v, flowing(p.Term(v))); t.Known() && t.Kind != value.Nil {
			list = append(list, Flow{To: to, In: idOf(fn), Value: t})
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				add(slotOf(instr.Addr), instr.Val)
			case *ssa.MapUpdate:
				add(elements(p.Term(instr.Map)), instr.Value)
			case *ssa.Send:
				add(elements(p.Term(instr.Chan)), instr.X)
			}
		}
	}
	return list
}

// slotOf names the field or package variable at an address.
func slotOf(addr ssa.Value) string {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		st, owner := structOf(addr.X.Type())
		if st != nil && typename.Of(owner) != "" {
			return fieldSlot + typename.Of(owner) + "." + st.Field(addr.Field).Name()
		}
	case *ssa.Global:
		return variableSlot + addr.Pkg.Pkg.Path() + "." + addr.Name()
	}
	return ""
}

// elements names the slot that holds the elements of a container.
func elements(container value.Term) string {
	if s := slotFor(container); s != "" {
		return elementsOf + s
	}
	return ""
}

// slotFor names the slot that a term reads, "" if it reads none.
func slotFor(t value.Term) string {
	switch t.Kind {
	case value.Slot:
		return t.Name
	case value.Global:
		return variableSlot + t.Name
	case value.Field:
		if len(t.Names) > 0 && t.Names[0] != "" {
			return fieldSlot + t.Names[0] + "." + t.Name
		}
	case value.Element:
		return elements(t.Args[0])
	}
	return ""
}

// carries reports whether a value of a type can hold a function or something with methods.
func carries(t types.Type) bool {
	t = content(t)
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Struct:
		return true
	case *types.Interface:
		return !quiet(t) && !typename.IsError(t)
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return isStruct
	case *types.Basic:
		return u.Info()&types.IsInteger != 0
	}
	return false
}

// holdings tells what fields hold, as far as all assignments in the package agree.
func (p *Package) holdings() []Holding {
	keys := make([]string, 0, len(p.fields))
	for key, u := range p.fields {
		if u.field.Pkg() == p.Types {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	var list []Holding
	for _, key := range keys {
		i := strings.LastIndexByte(key, '.')
		if t := p.telling(p.fieldOf(key[:i], key[i+1:])); t.Known() {
			list = append(list, Holding{key, t})
		}
	}
	return list
}

// rawTypes lists the named types of the package, test files aside.
func (p *Package) rawTypes() []Type {
	var list []Type
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		file := p.Fset.Position(obj.Pos()).Filename
		named, ok := obj.Type().(*types.Named)
		if !ok || strings.HasSuffix(file, "_test.go") {
			continue
		}
		t := p.rawType(named)
		t.Generated = p.generated[file]
		if len(t.Methods) > 0 || len(t.Fields) > 0 {
			list = append(list, t)
		}
	}
	return list
}

func (p *Package) rawType(named *types.Named) Type {
	t := Type{Name: typename.Of(named), Interface: isInterface(named)}
	var receiver types.Type = named
	if !t.Interface {
		receiver = types.NewPointer(named)
	}
	promoted := false
	set := types.NewMethodSet(receiver)
	for i := range set.Len() {
		m := set.At(i).Obj().(*types.Func)
		t.Methods = append(t.Methods, signed(m))
		through := ""
		if index := set.At(i).Index(); !t.Interface && len(index) > 1 {
			st, owner := structOf(named)
			through, promoted = typename.Of(owner)+"."+st.Field(index[0]).Name(), true
		}
		t.Promoted = append(t.Promoted, through)
	}
	if !promoted {
		t.Promoted = nil
	}
	if st, ok := named.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if name := typename.Of(f.Type()); name != "" && carries(f.Type()) && !isBasic(f.Type()) {
				t.Fields = append(t.Fields, f.Name()+":"+name)
			}
		}
	}
	return t
}

// signed names a method together with a hash of its signature: two methods match if both do.
func signed(m *types.Func) string {
	h := fnv.New32a()
	sig := m.Signature()
	_, _ = h.Write([]byte(types.TypeString(types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic()), nil)))
	return m.Name() + " " + strconv.FormatUint(uint64(h.Sum32()), 36)
}

// unnamed leaves out the names of parameters or results: they are no part of a signature.
func unnamed(vars *types.Tuple) *types.Tuple {
	list := make([]*types.Var, vars.Len())
	for i := range list {
		list[i] = types.NewParam(0, nil, "", vars.At(i).Type())
	}
	return types.NewTuple(list...)
}

// reflected lists the functions that are given to other modules as untyped values.
func (p *Package) reflected() []Reflected {
	var list []Reflected
	for _, fn := range p.functions {
		if p.isTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				mi, ok := instr.(*ssa.MakeInterface)
				if !ok || !isUntyped(mi.Type()) {
					continue
				}
				if r, isFunc := p.reflectedFunction(fn, mi.X); isFunc && !slices.ContainsFunc(list, r.equal) {
					list = append(list, r)
				}
			}
		}
	}
	return list
}

func isUntyped(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && u.NumMethods() == 0
}

func (p *Package) reflectedFunction(in *ssa.Function, v ssa.Value) (Reflected, bool) {
	sig, ok := v.Type().Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 && sig.Params().Len() == 0 {
		return Reflected{}, false
	}
	t := p.Term(v)
	r := Reflected{In: idOf(in)}
	switch {
	case t.Kind == value.Func:
		r.Function = t.Name
		for _, c := range t.Args {
			r.Captured = append(r.Captured, flowing(c))
		}
	case isReference(t):
		t = flowing(t)
		r.Value = &t
	default:
		return Reflected{}, false
	}
	for param := range sig.Params().Variables() {
		r.Params = append(r.Params, typename.Of(param.Type()))
	}
	for result := range sig.Results().Variables() {
		r.Results = append(r.Results, typename.Of(result.Type()))
	}
	return r, true
}

func (r Reflected) equal(other Reflected) bool {
	return r.Function == other.Function && (r.Value == nil) == (other.Value == nil) && (r.Value == nil || value.Equal(*r.Value, *other.Value)) &&
		slices.Equal(r.Params, other.Params) && slices.Equal(r.Results, other.Results) &&
		slices.EqualFunc(r.Captured, other.Captured, value.Equal)
}

// inWorkspace reports whether a function belongs to a module under analysis, which tells of itself.
func (p *Package) inWorkspace(fn *ssa.Function) bool {
	if fn.Pkg == p.SSA || fn.Parent() != nil {
		return true
	}
	return fn.Pkg != nil && p.imports.Workspace(fn.Pkg.Pkg.Path())
}

// foreign summarises the functions that the bodies name and that don't tell of themselves.
func (p *Package) foreign(r *Raw) []Function {
	c := &collector{p: p, seen: map[string]bool{}, most: maxForeign, foreign: true}
	for _, b := range r.Bodies {
		for _, t := range b.Results {
			c.visit(t)
		}
		for i := range b.Calls {
			c.visitCall(&b.Calls[i])
		}
	}
	for _, f := range r.Flows {
		c.visit(f.Value)
	}
	for _, h := range r.Fields {
		c.visit(h.Value)
	}
	sort.Slice(c.found, func(i, j int) bool { return c.found[i].ID < c.found[j].ID })
	return c.found
}

const maxForeign = 2000

func (c *collector) visitCall(call *Call) {
	if call.Callee != "" {
		c.add(call.Callee)
	}
	for _, t := range call.Args {
		c.visit(t)
	}
	for _, h := range call.Around {
		c.visit(h.Attempts)
	}
	for t := call.Tail; t != nil; t = t.Then {
		c.visit(t.Callee)
		for _, a := range t.Args {
			c.visit(a)
		}
	}
}
