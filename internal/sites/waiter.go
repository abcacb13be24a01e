package sites

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// A waiter is what a region waits with between attempts, if it may refuse: a backoff object that has used up its time, its
// attempts or its budget says so by an error or a boolean, and the region is left.

// refusal says what ends a region that cond leaves, if cond asks for the outcome of a wait, and gives the object that decides,
// if one does. A sleep that is given a context fails when that is done.
func (f *finder) refusal(r *region, cond ssa.Value) (bounded string, object ssa.Value) {
	call := f.waitAskedBy(cond)
	if call == nil {
		return f.refusalBelow(r, cond)
	}
	if !r.blocks[call.Block()] {
		return "", nil
	}
	if !passesError(call) && givenContext(call) {
		return "context", nil
	}
	if object = f.deciding(r, call); object == nil {
		return "", nil // anew each time: nothing adds up
	}
	return "waiter", object
}

// waitAskedBy returns the waiting call whose error or boolean result cond is about, or nil.
func (f *finder) waitAskedBy(cond ssa.Value) *ssa.Call {
	cond = strip(cond)
	if test, ok := cond.(*ssa.BinOp); ok && (test.Op == token.EQL || test.Op == token.NEQ) {
		cond = test.X
		if c, isConst := cond.(*ssa.Const); isConst && c.Value == nil {
			cond = test.Y
		}
		if !typename.IsError(cond.Type()) {
			return nil
		}
	}
	if !typename.IsError(cond.Type()) && !isBoolean(cond.Type()) {
		return nil
	}
	return f.waitOf(cond)
}

// waitOf returns the waiting call that v is a result of: one of several, if all that v may be are.
func (f *finder) waitOf(v ssa.Value) *ssa.Call {
	phi, ok := v.(*ssa.Phi)
	if !ok {
		if call := callOf(v); call != nil && f.values.Waits(call) {
			return call
		}
		return nil
	}
	var found *ssa.Call
	for _, e := range phi.Edges {
		call := callOf(e)
		if call == nil || !f.values.Waits(call) {
			return nil
		}
		found = call
	}
	return found
}

// refusalBelow is refusal for a condition that asks for the error of a function which does more than wait, and which hands on the
// refusal of what it is given to wait with.
func (f *finder) refusalBelow(r *region, cond ssa.Value) (bounded string, object ssa.Value) {
	test, ok := strip(cond).(*ssa.BinOp)
	if !ok || !typename.IsError(test.X.Type()) {
		return "", nil
	}
	call := callOf(test.X)
	if call == nil || !r.blocks[call.Block()] || f.values.Waits(call) {
		return "", nil
	}
	object = f.refuses(call, 0)
	if object == nil || f.madeIn(r, object) {
		return "", nil
	}
	return "waiter", object
}

// maxRefusals is how many functions hand on a refusal.
const maxRefusals = 3

// refuses returns the argument of call that decides whether there is another wait, if the function that is called returns the
// error by which it refuses.
func (f *finder) refuses(call *ssa.Call, depth int) ssa.Value {
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Blocks == nil || callee.Parent() != nil || depth == maxRefusals {
		return nil
	}
	for _, b := range callee.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, result := range ret.Results {
			inner := callOf(unwrapped(result))
			if inner == nil || !typename.IsError(result.Type()) {
				continue
			}
			object := f.refuses(inner, depth+1)
			if f.values.Waits(inner) && (passesError(inner) || !givenContext(inner)) {
				object = f.deciding(&region{function: callee}, inner)
			}
			if i := slices.IndexFunc(callee.Params, func(p *ssa.Parameter) bool { return ssa.Value(p) == object }); i >= 0 && i < len(call.Call.Args) {
				return call.Call.Args[i]
			}
		}
	}
	return nil
}

// unwrapped returns the error that v is made of by functions that wrap one.
func unwrapped(v ssa.Value) ssa.Value {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.IsInvoke() || len(call.Call.Args) == 0 || !typename.IsError(call.Call.Args[0].Type()) {
		return v
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Blocks != nil || !typename.IsError(call.Type()) {
		return v
	}
	return call.Call.Args[0]
}

func givenContext(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		if isContext(a.Type()) {
			return true
		}
	}
	return false
}

// deciding returns the object that refuses: the receiver, or the one argument that can remember what was waited before. What
// a call in r makes is none.
func (f *finder) deciding(r *region, call *ssa.Call) ssa.Value {
	candidates := call.Call.Args
	if call.Call.IsInvoke() {
		candidates = []ssa.Value{call.Call.Value}
	} else if call.Call.Signature().Recv() != nil {
		candidates = candidates[:1]
	}
	var object ssa.Value
	for _, a := range candidates {
		if typename.IsError(a.Type()) || isContext(a.Type()) || !remembers(a.Type()) || f.madeIn(r, a) {
			continue
		}
		if object != nil {
			return nil
		}
		object = a
	}
	return object
}

func remembers(t types.Type) bool {
	_, isPointer := t.Underlying().(*types.Pointer)
	return isPointer || types.IsInterface(t)
}

// madeIn reports whether a call in r makes v.
func (f *finder) madeIn(r *region, v ssa.Value) bool {
	call := callOf(v)
	return call != nil && r.blocks[call.Block()]
}

// limitsTime reports whether cond compares durations: what was waited in sum, and a limit.
func limitsTime(cond ssa.Value) bool {
	test, ok := strip(cond).(*ssa.BinOp)
	if !ok || test.Op == token.EQL || test.Op == token.NEQ {
		return false
	}
	return isDuration(test.X.Type())
}
