package sites

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// A walk that traces errors knows all that an error can be, or nothing. To find a test that misses something, it is enough to
// know some of it: Seen lists what the code shows.

// Seen lists errors that v can be, whatever the way, and tells whether there are no others. given says what is handed to the
// function that v belongs to, for its parameters and captured variables; nil for what isn't known. Where looking for them was
// given up, none is known.
func Seen(v ssa.Value, values Evaluator, given func(ssa.Value) ssa.Value) (list []fault.Error, complete bool) {
	s := &seeker{values: values, given: given, visited: map[ssa.Value]bool{}, complete: true}
	s.visit(v, 0)
	return s.result()
}

func (s *seeker) result() (list []fault.Error, complete bool) {
	if s.cut {
		return nil, false
	}
	return s.found, s.complete
}

type seeker struct {
	values   Evaluator
	given    func(ssa.Value) ssa.Value
	visited  map[ssa.Value]bool
	found    []fault.Error
	complete bool
	cut      bool // more might have been found in code of the package
}

const (
	maxSeekDepth = 5
	maxSeen      = 32
)

func (s *seeker) add(e fault.Error) {
	switch {
	case e == fault.Anything || e == "":
		s.complete = false
	case slices.Contains(s.found, e):
	case len(s.found) == maxSeen:
		s.cut = true
	default:
		s.found = append(s.found, e)
	}
}

func (s *seeker) visit(v ssa.Value, depth int) {
	if s.visited[v] || isNilConst(v) {
		return
	}
	s.visited[v] = true
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			s.visit(e, depth)
		}
	case *ssa.MakeInterface:
		s.add(s.concrete(v.X))
	case *ssa.ChangeInterface:
		s.visit(v.X, depth)
	case *ssa.UnOp:
		s.load(v, depth)
	case *ssa.Call:
		s.call(v, depth)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			s.call(call, depth)
			return
		}
		s.complete = false
	case *ssa.Parameter, *ssa.FreeVar:
		if s.given == nil {
			s.complete = false
			return
		}
		if given := s.given(v); given != nil && given != v {
			s.visit(given, depth)
			return
		}
		s.complete = false
	default:
		s.complete = false
	}
}

func (s *seeker) concrete(x ssa.Value) fault.Error {
	return (&walker{values: s.values}).concrete(x)
}

func (s *seeker) load(v *ssa.UnOp, depth int) {
	if v.Op != token.MUL {
		s.complete = false
		return
	}
	switch x := v.X.(type) {
	case *ssa.Global:
		s.add(s.values.Sentinel(x))
	case *ssa.Alloc:
		for _, ref := range *x.Referrers() {
			switch ref := ref.(type) {
			case *ssa.Store:
				if ref.Addr == ssa.Value(x) {
					s.visit(ref.Val, depth)
				}
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				s.cut = true // others may write to it
			}
		}
	default:
		s.complete = false
	}
}

func (s *seeker) call(call *ssa.Call, depth int) {
	common := &call.Call
	callee := common.StaticCallee()
	if callee == nil {
		s.foreign(call, s.calledThrough(common))
		return
	}
	switch name := fullName(callee); {
	case name == "errors.New":
		s.add(fault.Typed("*errors.errorString"))
	case name == "fmt.Errorf":
		s.formatted(call, depth)
	case name == "errors.Join":
		s.around("*errors.joinError", variadic(common.Args[0]), depth)
	case catalog.EnclosesIn(name) != "":
		s.around(catalog.EnclosesIn(name), common.Args[:1], depth)
	case catalog.WrapsIn(name) != "":
		s.add(fault.Typed(catalog.WrapsIn(name)).Wrapping(fault.Anything))
	case len(callee.Blocks) > 0 && depth < maxSeekDepth:
		s.returned(callee, call, depth)
	case len(callee.Blocks) > 0:
		s.cut = true
	default:
		s.foreign(call, name)
	}
}

// calledThrough names a method of an interface.
func (s *seeker) calledThrough(common *ssa.CallCommon) string {
	if !common.IsInvoke() {
		return ""
	}
	return common.Method.FullName()
}

// foreign adds what is known of a function whose body isn't seen.
func (s *seeker) foreign(call *ssa.Call, name string) {
	if e := catalog.FailsWith(name); e != "" {
		s.add(fault.Sentinel(e).Text())
		s.complete = false
		return
	}
	set := s.values.Failures(call)
	if !set.Known() {
		s.complete = false
		return
	}
	for _, e := range set.Errors() {
		s.add(e)
	}
}

// returned adds what a function of this package returns.
func (s *seeker) returned(fn *ssa.Function, call *ssa.Call, depth int) {
	inner := &seeker{values: s.values, visited: s.visited, complete: true, given: func(v ssa.Value) ssa.Value {
		for i, p := range fn.Params {
			if ssa.Value(p) == v && i < len(call.Call.Args) {
				return call.Call.Args[i]
			}
		}
		return nil
	}}
	for _, v := range ReturnedErrors(fn) {
		inner.visit(v, depth+1)
	}
	for _, e := range inner.found {
		s.add(e)
	}
	s.complete, s.cut = s.complete && inner.complete, s.cut || inner.cut
}

// ReturnedErrors lists the errors that fn returns, as values.
func ReturnedErrors(fn *ssa.Function) []ssa.Value {
	var list []ssa.Value
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			if typename.IsError(v.Type()) {
				list = append(list, v)
			}
		}
	}
	return list
}

// formatted adds what fmt.Errorf makes: an error around each of what is inside.
func (s *seeker) formatted(call *ssa.Call, depth int) {
	format, ok := call.Call.Args[0].(*ssa.Const)
	if !ok || format.Value == nil || format.Value.Kind() != constant.String {
		s.complete = false
		return
	}
	wrapped, ok := wrappedBy(constant.StringVal(format.Value))
	if !ok {
		s.complete = false
		return
	}
	args := variadic(call.Call.Args[1])
	var inner []ssa.Value
	for _, i := range wrapped {
		if i < len(args) {
			inner = append(inner, args[i])
		}
	}
	switch len(inner) {
	case 0:
		s.add(fault.Typed("*errors.errorString"))
	case 1:
		s.around("*fmt.wrapError", inner, depth)
	default:
		s.around("*fmt.wrapErrors", inner, depth)
	}
}

func (s *seeker) around(typ string, inner []ssa.Value, depth int) {
	for _, v := range inner {
		in := &seeker{values: s.values, given: s.given, visited: map[ssa.Value]bool{}, complete: true}
		if v != nil && depth < maxSeekDepth {
			in.visit(v, depth+1)
		}
		s.cut = s.cut || in.cut
		for _, e := range in.found {
			s.add(fault.Typed(typ).Wrapping(e))
		}
		if !in.complete || len(in.found) == 0 {
			s.add(fault.Typed(typ).Wrapping(fault.Anything))
		}
	}
}

// TestOf returns what v asks about an error: the test and the error that it is about.
func TestOf(v ssa.Value, values Evaluator) (t fault.Test, subject ssa.Value, ok bool) {
	if ta, isAssert := v.(*ssa.TypeAssert); isAssert && !ta.CommaOk && typename.IsError(ta.X.Type()) {
		if name := typeName(ta.AssertedType); name != "" {
			return fault.Asserted(name), ta.X, true
		}
	}
	return testOf(v, values)
}

// SeenFrom is like Seen for what call returns if it fails.
func SeenFrom(call *ssa.Call, values Evaluator) (list []fault.Error, complete bool) {
	s := &seeker{values: values, visited: map[ssa.Value]bool{}, complete: true}
	s.call(call, 0)
	return s.result()
}
