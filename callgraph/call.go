package callgraph

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// arguments describes the arguments of a call; for methods called statically, and for invoked ones, the receiver comes first.
func (p *Package) arguments(call *ssa.CallCommon) []value.Term {
	args := make([]value.Term, 0, len(call.Args)+1)
	if call.IsInvoke() {
		args = append(args, p.Term(call.Value))
	}
	for _, a := range call.Args {
		args = append(args, p.option(p.Term(a)))
	}
	return args
}

// frame returns the frame of a call with the given arguments and captured variables.
func (p *Package) frame(params, free []value.Term) value.Frame {
	return value.Frame{Params: params, Free: free, Call: p.result, Ask: p.ask}
}

// result describes a result of calling a function value that has become known.
func (p *Package) result(callee value.Term, method string, args []value.Term, n int64) (value.Term, bool) {
	if method != "" {
		return p.methodResult(callee, method, args, n)
	}
	if callee.Kind != value.Func || p.inquiry.tooDeep() {
		return value.Term{}, false
	}
	if receiver, method, rest, ok := invocation(callee, args); ok {
		return p.methodResult(receiver, method, rest, n)
	}
	f := p.named(callee.Name)
	if f == nil || n >= int64(len(f.Results)) {
		return value.Term{}, false
	}
	defer p.inquiry.deeper()()
	return p.frame(bind(callee, args)).Substitute(f.Results[n]), true
}

// methodResult describes a result of calling a method of a value that has become known.
func (p *Package) methodResult(receiver value.Term, method string, args []value.Term, n int64) (value.Term, bool) {
	m := p.method(receiver, method)
	if m == nil || n >= int64(len(m.Results)) || p.inquiry.tooDeep() {
		return value.Term{}, false
	}
	defer p.inquiry.deeper()()
	return p.frame(append([]value.Term{receiver}, args...), nil).Substitute(m.Results[n]), true
}

// bind splits what a function value is called with into parameters and captured variables.
func bind(callee value.Term, args []value.Term) (params, free []value.Term) {
	if slices.Contains(callee.Names, bound) {
		return append(append([]value.Term(nil), callee.Args...), args...), nil
	}
	return args, callee.Args
}

// invocation tells which method of which value is executed by a function value that is the method of an interface.
func invocation(callee value.Term, args []value.Term) (receiver value.Term, method string, rest []value.Term, ok bool) {
	if !slices.Contains(callee.Names, invoked) {
		return value.Term{}, "", nil, false
	}
	params, _ := bind(callee, args)
	if len(params) == 0 {
		return value.Term{}, "", nil, false
	}
	return params[0], methodOfName(callee.Name), params[1:], true
}

// call describes result index of a call.
func (p *Package) call(v *ssa.Call, index int) value.Term {
	call := &v.Call
	if b, ok := call.Value.(*ssa.Builtin); ok {
		return p.builtin(b.Name(), call)
	}
	if t, ok := p.contextCall(call, index); ok {
		return t
	}
	if t, ok := p.libraryResult(v, index); ok {
		return t
	}
	callee := resolve(call.StaticCallee())
	if callee == nil {
		return p.dynamicCall(call, index)
	}
	if f := p.summaryOf(callee); f != nil && index < len(f.Results) && f.Results[index].Known() {
		return p.frame(p.arguments(call), p.captured(call)).Substitute(f.Results[index])
	}
	if pointsToArgument(call.Signature()) {
		return p.Term(call.Args[0])
	}
	if callee.Pkg != nil && wellKnown(callee.Pkg.Pkg.Path()) {
		return value.Term{Kind: value.Setter} // a library that is known, and nothing of this function: it changes no number
	}
	return value.Named(callee.Name() + "()")
}

// pointsToArgument reports whether a function can hardly do anything but return a pointer to a plain value that it is given, for
// fields that tell unset from zero: func(int64) *int64.
func pointsToArgument(sig *types.Signature) bool {
	if sig.Recv() != nil || sig.Variadic() || sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return false
	}
	given := sig.Params().At(0).Type()
	pointer, ok := sig.Results().At(0).Type().(*types.Pointer)
	return ok && isBasic(given) && types.Identical(pointer.Elem(), given)
}

// wellKnown reports whether the catalogue says all that matters of a package.
func wellKnown(importPath string) bool {
	lib := catalog.For(importPath)
	return lib != nil && !lib.Partial
}

// captured describes what a function literal that is called at once has captured.
func (p *Package) captured(call *ssa.CallCommon) []value.Term {
	mc, ok := call.Value.(*ssa.MakeClosure)
	if !ok {
		return nil
	}
	free := make([]value.Term, len(mc.Bindings))
	for i, b := range mc.Bindings {
		free[i] = p.Term(b)
	}
	return free
}

// dynamicCall describes the result of calling a function value or an interface method.
func (p *Package) dynamicCall(call *ssa.CallCommon, index int) value.Term {
	args := p.arguments(call)
	if call.IsInvoke() {
		if t, ok := p.methodResult(args[0], call.Method.Name(), args[1:], int64(index)); ok {
			return t
		}
		return p.invoked(call, args, index)
	}
	callee := p.Term(call.Value)
	if t, ok := p.result(callee, "", args, int64(index)); ok {
		return t
	}
	if callable(callee) && callee.Open() {
		return value.Term{Kind: value.Result, N: int64(index), Args: append([]value.Term{callee}, args...)}
	}
	return value.Named(callee.CallText())
}

// invoked describes the result of a method of a value that isn't known yet, if it can be something that has methods.
func (p *Package) invoked(call *ssa.CallCommon, args []value.Term, index int) value.Term {
	results := call.Signature().Results()
	receiver := args[0]
	if index >= results.Len() || !carries(results.At(index).Type()) || isBasic(results.At(index).Type()) ||
		quiet(call.Value.Type()) || !(callable(receiver) || receiver.Kind == value.Global) || receiver.Size() > maxArgument {
		return value.Named(call.Method.Name() + "()")
	}
	t := value.Term{Kind: value.Result, N: int64(index), Name: call.Method.Name(), Args: []value.Term{receiver}}
	for _, a := range args[1:] {
		if a.Size() > maxArgument {
			a = value.Term{}
		}
		t.Args = append(t.Args, a)
	}
	return t
}

func (p *Package) builtin(name string, call *ssa.CallCommon) value.Term {
	switch name {
	case "len":
		return value.Operation("len", p.Term(call.Args[0]))
	case "min", "max":
		args := make([]value.Term, len(call.Args))
		for i, a := range call.Args {
			args[i] = p.Term(a)
		}
		return value.Operation(name, args...)
	case "append":
		return p.appended(call)
	}
	return value.Term{}
}

// appended describes append(list, more...): both lists one after the other, without options that change nothing. Such a list is
// the same however many of those it is given, under whatever conditions.
func (p *Package) appended(call *ssa.CallCommon) value.Term {
	if len(call.Args) != 2 {
		return value.Term{}
	}
	first, second := p.Term(call.Args[0]), withoutIdle(p.option(p.Term(call.Args[1])))
	switch {
	case first.Kind == value.Nil || first.Kind == value.Zero:
		return second
	case second.Kind == value.List && len(second.Args) == 0:
		return first
	case first.Kind == value.List && second.Kind == value.List:
		return value.Term{Kind: value.List, Args: append(append([]value.Term(nil), first.Args...), second.Args...)}
	}
	return value.Term{Kind: value.List, Args: []value.Term{{Kind: value.List, Args: []value.Term{first}}, second}}
}

// withoutIdle leaves the options out of a list that set nothing.
func withoutIdle(list value.Term) value.Term {
	if list.Kind == value.List {
		list.Args = slices.DeleteFunc(slices.Clone(list.Args), func(option value.Term) bool {
			return option.Kind == value.Setter && len(option.Names) == 0
		})
	}
	return list
}

// contextCall describes contexts: what is derived from a context carries its values, so that a value in a context that
// switches retries off is seen below.
func (p *Package) contextCall(call *ssa.CallCommon, index int) (value.Term, bool) {
	if call.IsInvoke() {
		if call.Method.Name() == "Value" && typename.Of(call.Value.Type()) == "context.Context" {
			return value.Select(p.Term(call.Value), value.InContext+keyOf(call.Args[0])), true
		}
		return value.Term{}, false
	}
	callee := call.StaticCallee()
	if callee == nil || callee.Pkg == nil || callee.Pkg.Pkg.Path() != "context" || index != 0 {
		return value.Term{}, false
	}
	switch callee.Name() {
	case "WithValue":
		ctx := record(p.Term(call.Args[0]), "context.Context")
		return ctx.With(value.InContext+keyOf(call.Args[1]), p.Term(call.Args[2])), true
	case "Background", "TODO":
		return value.Term{Kind: value.Record, Name: "context.Context"}.Complete(), true
	case "WithCancel", "WithTimeout", "WithDeadline", "WithCancelCause", "WithTimeoutCause", "WithDeadlineCause", "WithoutCancel":
		return p.Term(call.Args[0]), true
	}
	return value.Term{}, false
}

// keyOf identifies the key of a context value: by its type, and its constant if it has one.
func keyOf(v ssa.Value) string {
	mi, ok := v.(*ssa.MakeInterface)
	if !ok {
		return v.Name()
	}
	key := types.TypeString(mi.X.Type(), nil)
	if c, isConst := mi.X.(*ssa.Const); isConst && c.Value != nil {
		key += "=" + c.Value.ExactString()
	}
	return key
}

// summaryOf returns the results and stores of a function of any package, or nil.
func (p *Package) summaryOf(fn *ssa.Function) *Function {
	fn = resolve(fn)
	if fn.Pkg == p.SSA || fn.Parent() != nil {
		if len(fn.Blocks) > 0 {
			return p.valuesOf(fn)
		}
		return nil
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		p.objects[obj.Origin().FullName()] = obj.Origin()
		return p.imports.Function(obj.Origin())
	}
	return nil
}

// named returns the summary of the function with the given identity.
func (p *Package) named(id string) *Function {
	if fn := p.byID[id]; fn != nil {
		return p.valuesOf(fn)
	}
	if obj := p.objects[id]; obj != nil {
		return p.imports.Function(obj)
	}
	return p.imports.Closure(id)
}

// method returns the summary of a method of a value whose type is known.
func (p *Package) method(receiver value.Term, name string) *Function {
	obj := p.methodObject(receiver, name)
	if obj == nil {
		return nil
	}
	p.objects[obj.FullName()] = obj
	return p.named(obj.FullName())
}

// methodObject finds the method of the type that a Record has.
func (p *Package) methodObject(receiver value.Term, name string) *types.Func {
	if receiver.Kind == value.Either || receiver.Kind == value.Cond || receiver.Kind == value.Global {
		var found *types.Func
		for _, a := range receiver.Args {
			if m := p.methodObject(a, name); m != nil {
				if found != nil && found != m {
					return nil
				}
				found = m
			}
		}
		return found
	}
	if receiver.Kind != value.Record {
		return nil
	}
	t := p.typeNamed(receiver.Name)
	if t == nil {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, p.Types, name)
	if obj == nil {
		obj, _, _ = types.LookupFieldOrMethod(types.NewPointer(t), true, t.(*types.Named).Obj().Pkg(), name)
	}
	m, _ := obj.(*types.Func)
	if m == nil || isInterface(m.Signature().Recv().Type()) {
		return nil
	}
	return m.Origin()
}

// typeNamed finds a type by the name that terms use.
func (p *Package) typeNamed(name string) types.Type {
	pkgPath, typ := splitName(name)
	pkg := p.packageAt(pkgPath)
	if pkg == nil {
		return nil
	}
	obj, ok := pkg.Scope().Lookup(typ).(*types.TypeName)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok || isInterface(n) {
		return nil
	}
	return n
}

func splitName(name string) (pkgPath, typ string) {
	for i := len(name) - 1; i >= 0; i-- {
		if name[i] == '.' {
			return name[:i], name[i+1:]
		}
		if name[i] == '/' {
			break
		}
	}
	return "", name
}

// packageAt finds a package among this one and what it imports, directly or not.
func (p *Package) packageAt(importPath string) *types.Package {
	seen := map[*types.Package]bool{}
	var find func(pkg *types.Package) *types.Package
	find = func(pkg *types.Package) *types.Package {
		if pkg.Path() == importPath {
			return pkg
		}
		seen[pkg] = true
		for _, imp := range pkg.Imports() {
			if !seen[imp] {
				if found := find(imp); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return find(p.Types)
}

// valuesOf summarises a function of this package: its results and what it sets.
func (p *Package) valuesOf(fn *ssa.Function) *Function {
	if f, ok := p.values.known(fn); ok {
		return f
	}
	f := &Function{ID: idOf(fn)}
	for _, param := range fn.Params {
		f.Params = append(f.Params, param.Name())
	}
	if len(fn.Blocks) > maxFunction || p.values.isOpen(fn) || p.inquiry.tooDeep() {
		return f
	}
	return p.values.answer(fn, func() *Function {
		f.Results, f.Stores, f.Ends = p.results(fn), p.stores(fn), p.ends(fn)
		f.Waits, f.Detaches = p.bodyWaits(fn), p.detaches(fn)
		return f
	})
}

// ends describes fn as a policy.
func (p *Package) ends(fn *ssa.Function) []sites.End {
	var list []sites.End
	for _, e := range sites.Ends(fn, p) {
		if e.Attempts.Size() <= maxResult {
			list = append(list, e)
		}
	}
	return list
}

// maxFunction is the number of blocks beyond which a function isn't looked into.
const maxFunction = 1500

// results describes the results of fn: what its return statements give, those with an error aside.
func (p *Package) results(fn *ssa.Function) []value.Term {
	n := fn.Signature.Results().Len()
	if n == 0 {
		return nil
	}
	alts, returned := make([][]value.Term, n), make([][]ssa.Value, n)
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != n {
			continue
		}
		for i, r := range ret.Results {
			if matters(r.Type()) {
				alts[i], returned[i] = append(alts[i], p.Term(r)), append(returned[i], r)
			}
		}
	}
	results := make([]value.Term, n)
	for i, list := range alts {
		results[i] = p.option(known(list))
		if setting, ok := p.setting(returned[i]); ok {
			setting.Name = fn.Name() + "()"
			results[i] = setting
		}
		if results[i].Size() > maxResult {
			results[i] = value.Term{}
		}
	}
	return results
}

const maxResult = 200

// matters reports whether values of a type can decide about attempts: no errors, no strings of text.
func matters(t types.Type) bool {
	if typename.IsError(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Map, *types.Chan:
		return false
	case *types.Basic:
		return u.Info()&(types.IsInteger|types.IsBoolean|types.IsString) != 0
	}
	return true
}

// stores lists the fields of its arguments that fn sets.
func (p *Package) stores(fn *ssa.Function) []Store {
	var list []Store
	for i, param := range fn.Params {
		if _, ok := param.Type().Underlying().(*types.Pointer); !ok {
			continue
		}
		t := p.Term(param)
		if t.Kind != value.Record {
			continue
		}
		for j, name := range t.Names {
			if name != value.From && settable(t.Args[j]) {
				list = append(list, Store{Param: i, Field: name, Value: t.Args[j]})
			}
		}
	}
	return list
}

// settable reports whether a stored value says anything.
func settable(t value.Term) bool {
	return t.Known() && t.Kind != value.Nil && t.Size() < maxResult
}
