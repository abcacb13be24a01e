package retryreplay

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// An attempt is what is executed again.
type attempt struct {
	pass  *rule.Pass
	place *callgraph.Repetition
	steps []step
}

// A step is an instruction of an attempt. Literal is set in a function literal that the attempt makes and hands to somebody,
// who may call it any number of times.
type step struct {
	callgraph.Step
	literal bool
}

func newAttempt(pass *rule.Pass, place *callgraph.Repetition) *attempt {
	a := &attempt{pass: pass, place: place}
	visited := map[*ssa.Function]bool{}
	var literals []step
	for s := range place.Attempt() {
		a.steps = append(a.steps, step{Step: s})
		visited[s.Instr.Parent()] = true
		if _, isLiteral := s.Instr.(*ssa.MakeClosure); isLiteral {
			literals = append(literals, step{Step: s})
		}
	}
	for len(literals) > 0 {
		s := literals[0]
		literals = literals[1:]
		fn := s.Instr.(*ssa.MakeClosure).Fn.(*ssa.Function)
		if visited[fn] {
			continue
		}
		visited[fn] = true
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				inner := step{Step: callgraph.Step{Instr: instr, Calls: s.Calls}, literal: true}
				a.steps = append(a.steps, inner)
				if _, isLiteral := instr.(*ssa.MakeClosure); isLiteral {
					literals = append(literals, inner)
				}
			}
		}
	}
	return a
}

// at is where a step happens in the code that is repeated itself: its own place, or the call that leads there.
func (s step) at() token.Pos {
	if len(s.Calls) > 0 {
		return s.Calls[0].Pos()
	}
	return s.Instr.Pos()
}

// token is the position of the name of what is called at a step, or of the call that leads there.
func (a *attempt) token(s step) token.Pos {
	if len(s.Calls) > 0 {
		return a.pass.Result.Token(s.Calls[0])
	}
	return a.pass.Result.Token(s.Instr)
}

// A source is where a value comes from: a parameter, a variable, what a call returned, and which part of it.
type source struct {
	root ssa.Value
	path string
	// outside is set if it was there before the attempt began.
	outside bool
	// connected is set if it is, or was taken for, something that is both read and written, and keeps nothing: a connection.
	connected bool
}

// is reports whether two sources are the same thing, or one is part of the other.
func (s source) is(other source) bool { return s.root == other.root && s.path == other.path }

// part reports whether s is other, or a part of it.
func (s source) within(other source) bool {
	return s.root == other.root && len(s.path) >= len(other.path) && s.path[:len(other.path)] == other.path
}

// source follows v to where it comes from.
func (a *attempt) source(s step, v ssa.Value) source {
	f := &follower{attempt: a, calls: s.Calls}
	connected := false
	for range maxSteps {
		connected = connected || isConnection(v.Type())
		next := f.back(v)
		if next == nil {
			break
		}
		v = next
	}
	return source{root: v, path: f.path, outside: f.outside(v), connected: connected}
}

const maxSteps = 40

func isConnection(t types.Type) bool {
	return hasMethod(t, "Read") && hasMethod(t, "Write") && !catalog.Collects(typename.Of(t))
}

type follower struct {
	*attempt
	calls []ssa.CallInstruction
	path  string
}

// back returns what v is made of without being something else: nil where it begins.
func (f *follower) back(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return v.X
	case *ssa.MakeInterface:
		return v.X
	case *ssa.ChangeType:
		return v.X
	case *ssa.Convert:
		return v.X
	case *ssa.TypeAssert:
		return v.X
	case *ssa.Extract:
		if assert, ok := v.Tuple.(*ssa.TypeAssert); ok && v.Index == 0 {
			return assert.X
		}
	case *ssa.FieldAddr:
		f.path = "." + fieldName(v.X.Type(), v.Field) + f.path
		return v.X
	case *ssa.Field:
		f.path = "." + fieldName(v.X.Type(), v.Field) + f.path
		return v.X
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return f.loaded(v.X)
		}
	case *ssa.Parameter, *ssa.FreeVar:
		return f.given(v)
	}
	return nil
}

// loaded returns what a variable holds, if one assignment decides.
func (f *follower) loaded(addr ssa.Value) ssa.Value {
	for {
		given := f.given(addr)
		if given == nil {
			break
		}
		addr = given
	}
	alloc, ok := addr.(*ssa.Alloc)
	if !ok {
		return addr
	}
	if v := onlyValue(alloc); v != nil {
		return v
	}
	return alloc
}

// given returns what v is in the function around: the argument for a parameter, the variable that a literal captured.
func (f *follower) given(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.Parameter:
		if n := len(f.calls); n > 0 && callee(f.calls[n-1]) == v.Parent() {
			i := slices.Index(v.Parent().Params, v)
			call := f.calls[n-1].Common()
			f.calls = f.calls[:n-1]
			if i < len(call.Args) {
				return call.Args[i]
			}
		}
	case *ssa.FreeVar:
		if n := len(f.calls); n > 0 && callee(f.calls[n-1]) == v.Parent() {
			f.calls = f.calls[:n-1]
		}
		return binding(v)
	}
	return nil
}

func callee(call ssa.CallInstruction) *ssa.Function {
	fn := call.Common().StaticCallee()
	if fn != nil && fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}

// binding returns the variable that a literal has captured as v.
func binding(v *ssa.FreeVar) ssa.Value {
	fn := v.Parent()
	i := slices.Index(fn.FreeVars, v)
	if fn.Referrers() == nil {
		return nil // what wraps a method value: it is made in many places
	}
	for _, ref := range *fn.Referrers() {
		if mc, ok := ref.(*ssa.MakeClosure); ok && i < len(mc.Bindings) {
			return mc.Bindings[i]
		}
	}
	return nil
}

// outside reports whether v was there before the attempt began.
func (f *follower) outside(v ssa.Value) bool {
	if len(f.calls) > 0 {
		return false // made by a function that the attempt calls
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		return f.surrounds(v.Parent())
	case ssa.Instruction:
		return f.surrounds(v.Parent()) && !f.place.Repeats(v)
	}
	return false
}

// surrounds reports whether fn holds the repetition, or the operations as literals.
func (f *follower) surrounds(fn *ssa.Function) bool {
	if f.place.Site != nil {
		for holder := f.place.Function; holder != nil; holder = holder.Parent() {
			if holder == fn {
				return true
			}
		}
		return false
	}
	for _, op := range f.place.Operations {
		for holder := op.Parent(); holder != nil; holder = holder.Parent() {
			if holder == fn {
				return true
			}
		}
	}
	return false
}

// onlyValue returns the value that is assigned to a variable, if only one is.
func onlyValue(alloc *ssa.Alloc) ssa.Value {
	var only ssa.Value
	for _, s := range assignments(alloc) {
		if only != nil {
			return nil
		}
		only = s.Val
	}
	return only
}

// assignments lists the assignments to a variable as a whole, in function literals, too.
func assignments(variable ssa.Value) []*ssa.Store {
	var list []*ssa.Store
	for _, ref := range *variable.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == variable {
				list = append(list, ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == variable {
					list = append(list, assignments(ref.Fn.(*ssa.Function).FreeVars[i])...)
				}
			}
		}
	}
	return list
}

func fieldName(t types.Type, i int) string {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return "?"
	}
	return st.Field(i).Name()
}
