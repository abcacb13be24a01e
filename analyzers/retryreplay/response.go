package retryreplay

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// responses reports what an attempt opens and leaves open for the next one.
func (a *attempt) responses() {
	for _, s := range a.steps {
		call, ok := s.Instr.(*ssa.Call)
		if !ok || s.literal {
			continue
		}
		if o := a.opens(call); o != nil {
			a.opened(s, o)
		}
	}
}

// An opening is a call with a result that has to be closed.
type opening struct {
	call          *ssa.Call
	value         ssa.Value // the result
	typ           string
	field, method string
	aliases       map[ssa.Value]bool
	looped        bool // a deferred call comes too late
}

// opens returns what a call opens, or nil.
func (a *attempt) opens(call *ssa.Call) *opening {
	results := call.Call.Signature().Results()
	if results.Len() == 0 {
		return nil
	}
	typ := typename.Of(results.At(0).Type())
	field, method, ok := catalog.ClosedBy(typ)
	if !ok || !typename.IsError(results.At(results.Len()-1).Type()) || typ == "net/http.Response" && !a.answers(call, 0) || a.visible(call) && typ != "net/http.Response" {
		return nil
	}
	o := &opening{call: call, typ: typ, field: field, method: method, value: call}
	if results.Len() > 1 {
		o.value = nil
		for _, ref := range *call.Referrers() {
			if x, isExtract := ref.(*ssa.Extract); isExtract && x.Index == 0 {
				o.value = x
			}
		}
	}
	if o.value != nil {
		o.aliases = aliases(o.value)
	}
	return o
}

// answers reports whether a call returns an open response: it is given a request, or it is a function of this package that
// returns such a response as it is.
func (a *attempt) answers(call *ssa.Call, depth int) bool {
	fn := callee(call)
	if fn == nil || fn.Blocks == nil {
		return isClient(&call.Call) || givenRequest(&call.Call)
	}
	if depth > 2 {
		return false
	}
	open := false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			inner, ok := instr.(*ssa.Call)
			if !ok || len(inner.Call.Args) == 0 && !inner.Call.IsInvoke() || inner.Call.Signature().Results().Len() == 0 {
				continue
			}
			if typename.Of(inner.Call.Signature().Results().At(0).Type()) != "net/http.Response" || !a.answers(inner, depth+1) {
				continue
			}
			if o := a.opens(inner); o == nil || o.value == nil || o.closedIn(fn) {
				return false
			}
			open = true
		}
	}
	return open
}

// isClient reports whether a call is one of a method of net/http.Client, or of its function of the same name.
func isClient(call *ssa.CallCommon) bool {
	fn := call.StaticCallee()
	return fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "net/http"
}

// givenRequest reports whether a call is given a request.
func givenRequest(call *ssa.CallCommon) bool {
	params := call.Signature().Params()
	for i := range params.Len() {
		if typename.Of(params.At(i).Type()) == "net/http.Request" {
			return true
		}
	}
	return false
}

// closedIn reports whether anything in fn closes what is opened.
func (o *opening) closedIn(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && o.isClose(call.Common()) {
				return true
			}
		}
	}
	return false
}

func (a *attempt) opened(s step, o *opening) {
	result := a.pass.Result
	opened := sites.Opened{Call: o.call, Closes: o.closes, Part: o.isPart}
	if len(s.Calls) == 0 && a.place.Site != nil && a.place.Site.Holds(o.call) {
		o.looped = true
		if o.value == nil || result.LeavesOpen(a.place, opened) {
			a.tellOpen(s, o, nil)
		}
		return
	}
	if ret := result.FailsOpen(opened); ret != nil {
		a.tellOpen(s, o, ret)
	}
}

func (a *attempt) tellOpen(s step, o *opening, ret *ssa.Return) {
	what := "response"
	if o.field == "" {
		what = "result"
	}
	a.report("response", a.pass.Result.Token(o.call), fmt.Sprintf("the %s of a failed attempt isn't closed before the next one: its connection stays open", what), a.closeBefore(o, ret)...)
}

// aliases lists the values that are v: phis, variables of the function, and what is read from them.
func aliases(v ssa.Value) map[ssa.Value]bool {
	set := map[ssa.Value]bool{}
	work := []ssa.Value{v}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if set[v] || v.Referrers() == nil {
			continue
		}
		set[v] = true
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.Phi:
				work = append(work, ref)
			case *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.ChangeType:
				work = append(work, ref.(ssa.Value))
			case *ssa.Extract:
				work = append(work, ref)
			case *ssa.Store:
				if ref.Val == v {
					work = append(work, loadsOf(ref.Addr)...)
				}
			}
		}
	}
	return set
}

// loadsOf lists what is read from a variable.
func loadsOf(addr ssa.Value) []ssa.Value {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return nil
	}
	var list []ssa.Value
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			if ref.Op == token.MUL {
				list = append(list, ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == addr {
					list = append(list, loadsOf(ref.Fn.(*ssa.Function).FreeVars[i])...)
				}
			}
		}
	}
	return list
}

// isPart reports whether v is what is opened, or the field of it that is closed.
func (o *opening) isPart(v ssa.Value) bool {
	for range 6 {
		if o.aliases[v] {
			return true
		}
		switch x := v.(type) {
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.FieldAddr:
			if fieldName(x.X.Type(), x.Field) != o.field {
				return false
			}
			v = x.X
		case *ssa.UnOp:
			if _, isField := x.X.(*ssa.FieldAddr); !isField {
				return false
			}
			v = x.X
		default:
			return false
		}
	}
	return false
}

// isClose reports whether a call closes what is opened.
func (o *opening) isClose(call *ssa.CallCommon) bool {
	receiver := call.Value
	name := ""
	if call.IsInvoke() {
		name = call.Method.Name()
	} else if fn := call.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(call.Args) > 0 {
		name, receiver = fn.Name(), call.Args[0]
	}
	return name == o.method && o.isPart(receiver)
}

// closes reports whether an instruction closes what is opened, or hands it on to somebody who may.
func (o *opening) closes(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Defer:
		return !o.looped && o.ends(instr.Common())
	case ssa.CallInstruction:
		return o.ends(instr.Common())
	case *ssa.Store:
		_, isField := instr.Addr.(*ssa.FieldAddr)
		_, isElement := instr.Addr.(*ssa.IndexAddr)
		return (isField || isElement || isGlobal(instr.Addr)) && o.isPart(instr.Val) && !o.wraps(instr.Addr)
	case *ssa.Send:
		return o.isPart(instr.X)
	case *ssa.MapUpdate:
		return o.isPart(instr.Value)
	case *ssa.Return:
		for _, v := range instr.Results {
			if o.isPart(v) {
				return true
			}
		}
	}
	return false
}

// wraps reports whether addr is a field of what is opened itself: resp.Body = limited(resp.Body).
func (o *opening) wraps(addr ssa.Value) bool {
	field, ok := addr.(*ssa.FieldAddr)
	return ok && o.isPart(field.X)
}

func isGlobal(v ssa.Value) bool {
	_, ok := v.(*ssa.Global)
	return ok
}

// ends reports whether a call closes what is opened, or is given it and may do so.
func (o *opening) ends(call *ssa.CallCommon) bool {
	if o.isClose(call) {
		return true
	}
	if mc, ok := call.Value.(*ssa.MakeClosure); ok && o.closedIn(mc.Fn.(*ssa.Function)) {
		return true
	}
	for i, arg := range call.Args {
		if o.isPart(arg) && o.mayClose(call, i) {
			return true
		}
		if mc, ok := arg.(*ssa.MakeClosure); ok && o.closedIn(mc.Fn.(*ssa.Function)) {
			return true
		}
	}
	return false
}

// mayClose reports whether a function that is given what is opened may close it. Functions that compute, decode or copy don't,
// nor those that answer with a boolean.
func (o *opening) mayClose(call *ssa.CallCommon, i int) bool {
	fn := call.StaticCallee()
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	switch {
	case fn != nil && fn.Blocks != nil:
		return o.closesParameter(fn, i, 0)
	case fn != nil && fn.Pkg != nil && (catalog.LocalPackage(fn.Pkg.Pkg.Path()) || fn.Pkg.Pkg.Path() == "net/http/httputil" || fn.Pkg.Pkg.Path() == "net/http"):
		return false
	case fn != nil && fn.Signature.Recv() != nil && i == 0:
		return false // a method of its own
	}
	results := call.Signature().Results()
	if results.Len() != 1 {
		return true
	}
	b, ok := results.At(0).Type().Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsBoolean == 0
}

// closesParameter reports whether fn closes its parameter i, or hands it on.
func (o *opening) closesParameter(fn *ssa.Function, i, depth int) bool {
	if i >= len(fn.Params) || depth > 3 {
		return true
	}
	inner := &opening{method: o.method, field: o.field, value: fn.Params[i], aliases: aliases(fn.Params[i])}
	if inner.closedIn(fn) {
		return true
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if inner.closes(instr) {
				if _, isReturn := instr.(*ssa.Return); !isReturn {
					return true
				}
			}
		}
	}
	return false
}
