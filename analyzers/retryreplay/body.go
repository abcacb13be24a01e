package retryreplay

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// bodies reports readers and requests that were made before the attempts began, and that the first one uses up.
func (a *attempt) bodies() {
	for _, s := range a.steps {
		call, ok := s.Instr.(ssa.CallInstruction)
		if !ok || a.visible(call) || takesRandom(call.Common()) {
			continue
		}
		for i, arg := range call.Common().Args {
			a.body(s, call, i, arg)
		}
		if call.Common().IsInvoke() && call.Common().Method.Name() == "Read" && readsFrom(call.Common().Value.Type()) {
			a.reader(s, call, call.Common().Value)
		}
	}
	for _, s := range a.steps {
		if store, ok := s.Instr.(*ssa.Store); ok {
			a.embedded(s, store)
		}
	}
}

// takesRandom reports whether a call reads randomness, which doesn't end.
func takesRandom(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn != nil && fn.Pkg != nil && strings.HasPrefix(fn.Pkg.Pkg.Path(), "crypto/")
}

// visible reports whether the steps of the attempt go on into the function that is called.
func (a *attempt) visible(call ssa.CallInstruction) bool {
	fn := callee(call)
	return fn != nil && fn.Blocks != nil
}

func (a *attempt) body(s step, call ssa.CallInstruction, i int, arg ssa.Value) {
	formal := formalType(call.Common(), i)
	switch {
	case formal == nil:
	case readsFrom(formal):
		a.reader(s, call, arg)
	case typename.Of(formal) == "net/http.Request" && sends(call.Common()):
		a.request(s, arg)
	default:
		a.carrier(s, arg)
	}
}

// carrier reports a struct from outside, such as an SDK's input, that was given a reader, and that the attempt hands on as it is.
func (a *attempt) carrier(s step, arg ssa.Value) {
	from := a.source(s, arg)
	made, ok := from.root.(*ssa.Alloc)
	if !ok || !from.outside || from.path != "" {
		return
	}
	for _, ref := range *made.Referrers() {
		field, isField := ref.(*ssa.FieldAddr)
		if !isField || !readsFrom(elem(field.Type())) || a.fills(from, field) {
			continue
		}
		for _, use := range *field.Referrers() {
			store, isStore := use.(*ssa.Store)
			if !isStore || isNil(store.Val) {
				continue
			}
			if reader := a.source(step{}, store.Val); usedUp(reader) && !a.rewound(reader) && !a.settled(s) {
				a.report("body", a.token(s), fmt.Sprintf("%sthe first attempt reads to its end, is given to the next one as it is: it will find nothing more to send", describe(reader)))
			}
		}
	}
}

// fills reports whether the attempt sets a field of a struct anew.
func (a *attempt) fills(made source, field *ssa.FieldAddr) bool {
	for _, s := range a.steps {
		if store, ok := s.Instr.(*ssa.Store); ok {
			if set, isField := store.Addr.(*ssa.FieldAddr); isField && set.Field == field.Field && a.source(s, set.X).is(made) {
				return true
			}
		}
	}
	return false
}

// formalType is the type of the parameter that argument i of a call is for.
func formalType(call *ssa.CallCommon, i int) types.Type {
	sig := call.Signature()
	if !call.IsInvoke() && sig.Recv() != nil {
		i--
	}
	if i < 0 || i >= sig.Params().Len() {
		return nil
	}
	return sig.Params().At(i).Type()
}

// readsFrom reports whether a parameter's type says that it is read: an interface with Read, and neither Write nor Seek.
// Whoever asks for Seek rewinds by itself.
func readsFrom(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Interface); !ok {
		return false
	}
	return hasMethod(t, "Read") && !hasMethod(t, "Write") && !hasMethod(t, "Seek")
}

// hasMethod reports whether a type has Seek, or Read or Write as readers and writers of bytes have them.
func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	fn, ok := obj.(*types.Func)
	if !ok || name == "Seek" {
		return ok
	}
	params := fn.Signature().Params()
	if params.Len() != 1 {
		return false
	}
	slice, ok := params.At(0).Type().Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem().Underlying(), types.Typ[types.Byte])
}

// sends reports whether a call sends a request: it is given one and returns a response.
func sends(call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	return results.Len() > 0 && typename.Of(results.At(0).Type()) == "net/http.Response"
}

// reader reports v if it is a reader from outside that nothing in the attempt rewinds.
func (a *attempt) reader(s step, call ssa.CallInstruction, v ssa.Value) {
	from := a.source(s, v)
	if !from.outside || !usedUp(from) || a.rewound(from) || a.settled(s) || a.neverGiven(from) {
		return
	}
	a.report("body", a.token(s), fmt.Sprintf("%sthe first attempt reads to its end, is given to the next one as it is: it will find nothing more to send", describe(from)), a.moveInside(from)...)
}

func describe(from source) string {
	name := from.root.Name()
	switch v := from.root.(type) {
	case *ssa.Parameter:
	case *ssa.Alloc:
		name = v.Comment
	default:
		return "a reader that "
	}
	if from.path != "" {
		name += from.path
	}
	return name + ", which "
}

// usedUp reports whether a source is something that reading uses up. Connections and the process's own input stay.
func usedUp(from source) bool {
	if from.connected {
		return false
	}
	switch v := from.root.(type) {
	case *ssa.Parameter, *ssa.Alloc:
		return true
	case *ssa.Call:
		return !ofNothing(v)
	case *ssa.Extract:
		_, isCall := v.Tuple.(*ssa.Call)
		return isCall
	}
	return false
}

// ofNothing reports whether a call makes a reader of an empty string or of no bytes: there is nothing to use up.
func ofNothing(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Signature.Recv() != nil || len(call.Call.Args) != 1 {
		return false
	}
	c, ok := call.Call.Args[0].(*ssa.Const)
	return ok && (c.Value == nil || c.Value.Kind() == constant.String && constant.StringVal(c.Value) == "")
}

// rewound reports whether something in the attempt rewinds or replaces a reader.
func (a *attempt) rewound(from source) bool {
	for _, s := range a.steps {
		switch instr := s.Instr.(type) {
		case ssa.CallInstruction:
			if v := rewinds(instr.Common()); v != nil && a.source(s, v).is(from) || a.rewinds(s, instr.Common(), from) {
				return true
			}
		case *ssa.Store:
			if to := a.source(s, instr.Addr); to.is(from) || to.root == from.root && strings.HasPrefix(from.path, to.path) {
				return true
			}
		}
	}
	return false
}

// rewinds reports whether a call gives a reader to a function that says that it rewinds it.
func (a *attempt) rewinds(s step, call *ssa.CallCommon, from source) bool {
	fn := call.StaticCallee()
	if fn == nil || !rewindWord.MatchString(fn.Name()) {
		return false
	}
	return slices.ContainsFunc(call.Args, func(arg ssa.Value) bool { return a.source(s, arg).is(from) })
}

var rewindWord = regexp.MustCompile(`(?i)rewind|reset|seek`)

// rewinds returns what a call sets back to its beginning, or nil.
func rewinds(call *ssa.CallCommon) ssa.Value {
	name, receiver := "", ssa.Value(nil)
	if call.IsInvoke() {
		name, receiver = call.Method.Name(), call.Value
	} else if fn := call.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(call.Args) > 0 {
		name, receiver = fn.Name(), call.Args[0]
	}
	switch name {
	case "Seek", "Reset", "Rewind", "RewindBody", "SeekStart":
		return receiver
	}
	return nil
}

// settled reports whether no other attempt follows once s was executed.
func (a *attempt) settled(s step) bool {
	if a.place.Site != nil || s.literal {
		return false
	}
	instr := s.Instr
	if len(s.Calls) > 0 {
		instr = s.Calls[0]
	}
	return !a.pass.Result.MayFailAfter(instr)
}

// neverGiven reports whether a reader is a parameter that all callers leave out.
func (a *attempt) neverGiven(from source) bool {
	p, ok := from.root.(*ssa.Parameter)
	if !ok || from.path != "" {
		return false
	}
	calls, all := a.pass.Result.Callers(p.Parent())
	if !all {
		return false
	}
	for _, call := range calls {
		for i, param := range p.Parent().Params {
			if param == p && !isNil(call.Common().Args[i]) {
				return false
			}
		}
	}
	return true
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// embedded reports a reader from outside that the attempt puts into a struct of its own, such as an SDK's input.
func (a *attempt) embedded(s step, store *ssa.Store) {
	field, ok := store.Addr.(*ssa.FieldAddr)
	if !ok || !readsFrom(store.Val.Type()) && !readsFrom(elem(field.Type())) || typename.Of(field.X.Type()) == "net/http.Request" {
		return
	}
	made, ok := field.X.(*ssa.Alloc)
	if !ok || !a.handedOn(made) {
		return
	}
	from := a.source(s, store.Val)
	if !from.outside || !usedUp(from) || a.rewound(from) || a.settled(s) || a.neverGiven(from) {
		return
	}
	a.report("body", s.at(), fmt.Sprintf("%sthe first attempt reads to its end, is given to the next one as it is: it will find nothing more to send", describe(from)), a.moveInside(from)...)
}

func elem(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// handedOn reports whether a struct is given to code that isn't seen here.
func (a *attempt) handedOn(made *ssa.Alloc) bool {
	for _, ref := range *made.Referrers() {
		if call, ok := ref.(ssa.CallInstruction); ok && !a.visible(call) {
			return true
		}
	}
	return false
}

// request reports a request from outside whose body nothing in the attempt renews. The client sends it, and does not rewind it
// for the next call.
func (a *attempt) request(s step, v ssa.Value) {
	from := a.source(s, v)
	fresh := from
	if clone, ok := from.root.(*ssa.Call); ok && !from.outside && cloned(clone) != nil {
		from = a.source(s, cloned(clone)) // which shares the body
	}
	if !from.outside || from.path != "" || a.renewed(fresh) || a.renewed(from) || a.guarded(from) || !a.hasBody(from.root, 0) || a.settled(s) {
		return
	}
	a.report("body", a.token(s), "the request's body is read by the first attempt and not renewed for the next one: set Body from GetBody, or make the request anew")
}

// cloned returns the request that a call copies, or nil.
func cloned(call *ssa.Call) ssa.Value {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Signature.Recv() == nil || typename.Of(fn.Signature.Recv().Type()) != "net/http.Request" {
		return nil
	}
	if fn.Name() == "Clone" || fn.Name() == "WithContext" {
		return call.Call.Args[0]
	}
	return nil
}

// renewed reports whether the attempt sets the body of a request.
func (a *attempt) renewed(request source) bool {
	for _, s := range a.steps {
		if store, ok := s.Instr.(*ssa.Store); ok {
			if field, isField := store.Addr.(*ssa.FieldAddr); isField && isBody(field) && a.source(s, field.X).is(request) {
				return true
			}
		}
	}
	return false
}

func isBody(field *ssa.FieldAddr) bool { return fieldName(field.X.Type(), field.Field) == "Body" }

// guarded reports whether a branch asks for the request's method or body: then only some requests are repeated.
func (a *attempt) guarded(request source) bool {
	for _, s := range a.steps {
		if a.asksRequest(s, request) {
			return true
		}
	}
	if a.place.Function == nil {
		return false
	}
	for _, b := range a.place.Function.Blocks {
		for _, instr := range b.Instrs {
			if a.asksRequest(step{}.with(instr), request) && !a.buffers(request) {
				return true
			}
		}
	}
	return false
}

func (s step) with(instr ssa.Instruction) step {
	s.Instr = instr
	return s
}

// buffers reports whether the body of a request is replaced, but only once.
func (a *attempt) buffers(request source) bool {
	for _, b := range a.place.Function.Blocks {
		for _, instr := range b.Instrs {
			if store, ok := instr.(*ssa.Store); ok {
				if field, isField := store.Addr.(*ssa.FieldAddr); isField && isBody(field) && a.source(step{}.with(instr), field.X).is(request) {
					return true
				}
			}
		}
	}
	return false
}

// asksRequest reports whether s loads the method or the body of a request to decide something.
func (a *attempt) asksRequest(s step, request source) bool {
	load, ok := s.Instr.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return false
	}
	field, ok := load.X.(*ssa.FieldAddr)
	if !ok || typename.Of(field.X.Type()) != "net/http.Request" {
		return false
	}
	switch fieldName(field.X.Type(), field.Field) {
	case "Method", "Body", "GetBody", "ContentLength":
	default:
		return false
	}
	return decides(load) && a.source(s, field.X).is(request)
}

// decides reports whether v is compared, or given to a function that answers with a boolean.
func decides(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.BinOp:
			return true
		case *ssa.Lookup:
			return true
		case *ssa.Call:
			if b, ok := ref.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsBoolean != 0 {
				return true
			}
		}
	}
	return false
}

// hasBody reports whether a request is seen to have a body, or may be any request.
func (a *attempt) hasBody(v ssa.Value, depth int) bool {
	if depth > 3 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		calls, all := a.pass.Result.Callers(v.Parent())
		if !all {
			return true
		}
		for _, call := range calls {
			for i, p := range v.Parent().Params {
				if p == v && a.hasBody(call.Common().Args[i], depth+1) {
					return true
				}
			}
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 {
			return a.makesBody(call, depth)
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if a.hasBody(e, depth+1) {
				return true
			}
		}
	}
	return false
}

// makesBody reports whether a call makes a request with a body.
func (a *attempt) makesBody(call *ssa.Call, depth int) bool {
	fn := callee(call)
	if fn == nil {
		return false
	}
	if name := fn.String(); name == "net/http.NewRequest" || name == "net/http.NewRequestWithContext" {
		args := call.Call.Args[len(call.Call.Args)-3:]
		return !isNil(args[2]) && !bodiless(args[0]) && !noBody(args[2])
	}
	if fn.Blocks == nil {
		return false
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 {
			continue
		}
		if x, isExtract := ret.Results[0].(*ssa.Extract); isExtract {
			if inner, isCall := x.Tuple.(*ssa.Call); isCall && a.handsBody(inner, call, fn, depth+1) {
				return true
			}
		}
	}
	return false
}

// handsBody reports whether inner, a call in fn, makes a request with a body if fn is called by outer.
func (a *attempt) handsBody(inner, outer *ssa.Call, fn *ssa.Function, depth int) bool {
	if !a.makesBody(inner, depth) {
		return false
	}
	for i, p := range fn.Params {
		if i < len(outer.Call.Args) && isNil(outer.Call.Args[i]) && readsFrom(p.Type()) {
			return false
		}
	}
	return true
}

// bodiless reports whether a method has no body.
func bodiless(method ssa.Value) bool {
	c, ok := method.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return false
	}
	name := constant.StringVal(c.Value)
	return name == "GET" || name == "HEAD" || name == ""
}

func noBody(v ssa.Value) bool {
	if made, ok := v.(*ssa.MakeInterface); ok {
		v = made.X
	}
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Name() == "NoBody"
}
