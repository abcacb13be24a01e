package retryclassify

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// checkContext reports a repetition whose attempts run under the caller's context, fail once that is done, and are made again
// all the same: nothing watches the context, and the errors of it are repeated like others.
func checkContext(pass *rule.Pass, r *callgraph.Repetition) {
	if _, endless := pass.Result.GoesOn(r); endless {
		return // retrydeadline.ignoresdone tells
	}
	if watched(r) {
		return
	}
	call := underCallersContext(r)
	if call == nil {
		return
	}
	if r.Site != nil {
		for _, e := range ended {
			if r.RepeatsOn(e) != fault.Yes {
				return
			}
		}
	}
	pass.Report("contexterror", analysis.Diagnostic{
		Pos:     place(r),
		Message: fmt.Sprintf("%s fails once the caller's context is done, and is called again: no attempt after that can succeed", callgraph.CalleeLabel(call.Common())),
	})
}

// ended are the errors of a context that is done.
var ended = []fault.Error{fault.Sentinel("context.Canceled"), fault.Sentinel("context.DeadlineExceeded")}

// watched reports whether anything in sight ends the repetitions when a context is done.
func watched(r *callgraph.Repetition) bool {
	if r.Site != nil && (r.Site.Context == "watched" || r.Site.WatchesContext() || r.Site.Gate != nil) {
		return true
	}
	if r.Call != nil && (r.ContextOfCall() != "ignored" || r.IsGivenClassifier()) {
		return true
	}
	for step := range r.Attempt() {
		if call, ok := step.Instr.(*ssa.Call); ok && looksAtContext(&call.Call, r.Site == nil) {
			return true
		}
		if test, ok := step.Instr.(*ssa.BinOp); ok && r.Site == nil && (isContextError(test.X) || isContextError(test.Y)) {
			return true
		}
		if sel, ok := step.Instr.(*ssa.Select); ok && receivesSignal(sel) {
			return true
		}
	}
	return false
}

// receivesSignal reports whether a select waits for something that carries nothing, as Done does.
func receivesSignal(sel *ssa.Select) bool {
	for _, s := range sel.States {
		if ch, ok := s.Chan.Type().Underlying().(*types.Chan); ok && s.Dir == types.RecvOnly {
			if st, isStruct := ch.Elem().Underlying().(*types.Struct); isStruct && st.NumFields() == 0 {
				return true
			}
		}
	}
	return false
}

// looksAtContext reports whether call asks a context whether it is done or, if errors count, an error whether it is a
// context's: what a loop makes of the answer is known, and told by Repetition.RepeatsOn.
func looksAtContext(call *ssa.CallCommon, errors bool) bool {
	if call.IsInvoke() && isContextType(call.Value.Type()) {
		return call.Method.Name() == "Err" || call.Method.Name() == "Done"
	}
	for _, a := range call.Args {
		if errors && isContextError(a) {
			return true
		}
	}
	return callgraph.CalleeName(call) == "context.Cause"
}

func isContextType(t types.Type) bool { return typeName(t) == "context.Context" }

func isContextError(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "context"
}

// underCallersContext returns a call of the attempt that is given a context which the function of r was given itself, and
// whose failure is repeated; nil if there is none.
func underCallersContext(r *callgraph.Repetition) ssa.CallInstruction {
	given, under := false, ssa.CallInstruction(nil)
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || under != nil && given {
			continue
		}
		own := false
		for _, a := range call.Call.Args {
			own = own || isContextType(a.Type()) && fromCaller(step, a, r, 0)
		}
		given = given || own
		if carries := own || given && carriesRequest(call); carries && failsByError(call) && r.FailureRepeats(step) && endedRepeats(r, step) {
			under = call
		}
	}
	if !given {
		return nil
	}
	return under
}

// endedRepeats reports whether the error of a context that is done, as the outcome of a call that a helper or library repeats, is
// repeated like others. What a loop makes of it is asked of the loop.
func endedRepeats(r *callgraph.Repetition, step callgraph.Step) bool {
	if r.Site != nil {
		return true
	}
	for _, e := range ended {
		if !r.FailureRepeatsOn(step, e) {
			return false
		}
	}
	return true
}

// carriesRequest reports whether call is given a pointer that a function with a context may have made: a request.
func carriesRequest(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		made, ok := a.(*ssa.Extract)
		if !ok {
			continue
		}
		maker, ok := made.Tuple.(*ssa.Call)
		if !ok {
			continue
		}
		for _, arg := range maker.Call.Args {
			if isContextType(arg.Type()) {
				return true
			}
		}
	}
	return false
}

func failsByError(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	return results.Len() > 0 && typename.IsError(results.At(results.Len()-1).Type())
}

// fromCaller reports whether a context is a parameter of the function that holds r, or derived from one: by calls that are
// given it and return a context.
func fromCaller(step callgraph.Step, v ssa.Value, r *callgraph.Repetition, depth int) bool {
	if depth > 6 {
		return false
	}
	v, _ = step.Given(v)
	switch v := v.(type) {
	case *ssa.Parameter:
		return v.Parent() == r.Function
	case *ssa.FreeVar:
		return captured(v, r)
	case *ssa.UnOp:
		return fromCaller(step, v.X, r, depth+1)
	case *ssa.Alloc:
		return storedFromCaller(step, v, r, depth)
	case *ssa.Extract:
		return fromCaller(step, v.Tuple, r, depth+1)
	case *ssa.Call:
		for _, a := range v.Call.Args {
			if isContextType(a.Type()) {
				return fromCaller(step, a, r, depth+1)
			}
		}
	}
	return false
}

// captured reports whether a literal captures a parameter of the function that holds r, or a variable that has it.
func captured(v *ssa.FreeVar, r *callgraph.Repetition) bool {
	parent := v.Parent().Parent()
	if parent == nil || parent != r.Function {
		return false
	}
	for _, b := range parent.Blocks {
		for _, instr := range b.Instrs {
			mc, ok := instr.(*ssa.MakeClosure)
			if !ok || mc.Fn != ssa.Value(v.Parent()) {
				continue
			}
			for i, fv := range v.Parent().FreeVars {
				if fv == v {
					return fromCaller(callgraph.Step{Instr: mc}, mc.Bindings[i], r, 1)
				}
			}
		}
	}
	return false
}

func storedFromCaller(step callgraph.Step, v *ssa.Alloc, r *callgraph.Repetition, depth int) bool {
	found := false
	for _, ref := range *v.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == ssa.Value(v) {
			if !fromCaller(step, s.Val, r, depth+1) {
				return false
			}
			found = true
		}
	}
	return found
}
