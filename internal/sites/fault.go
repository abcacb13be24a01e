package sites

import (
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// A walk that traces errors knows of each error which ones it can be (package fault), and answers what the region asks about
// them: errors.Is, errors.As, comparisons with a package variable, type assertions, and functions that are made of those.

// faultOf describes the error v.
func (w *walker) faultOf(v ssa.Value, e env) fault.Set {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return fault.Of(w.concrete(v.X))
	case *ssa.UnOp:
		if g, ok := v.X.(*ssa.Global); ok && v.Op == token.MUL {
			return fault.Of(w.values.Sentinel(g))
		}
	case *ssa.ChangeInterface:
		return w.fact(v.X, e).fault
	case *ssa.Call:
		return w.faultOfCall(v, e)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return w.faultOfCall(call, e)
		}
	}
	return ""
}

// concrete describes the error that a concrete value is.
func (w *walker) concrete(x ssa.Value) fault.Error {
	if load, ok := x.(*ssa.UnOp); ok && load.Op == token.MUL {
		if g, isGlobal := load.X.(*ssa.Global); isGlobal {
			return w.values.Sentinel(g)
		}
	}
	return typedFault(x.Type())
}

// typedFault describes an error of a type. What it may hold, or declare itself to be, isn't known if it has a method for that.
func typedFault(t types.Type) fault.Error {
	name := typeName(t)
	if name == "" {
		return fault.Anything
	}
	e := fault.Typed(name)
	methods := types.NewMethodSet(t)
	for _, method := range []string{"Unwrap", "Is", "As"} {
		if methods.Lookup(nil, method) != nil {
			return e.Wrapping(fault.Anything)
		}
	}
	return e
}

// typeName names a type that isn't generic: *pkgpath.Name.
func typeName(t types.Type) string {
	star := ""
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		star, t = "*", ptr.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.TypeArgs().Len() > 0 || types.IsInterface(n) {
		return ""
	}
	return star + n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

func (w *walker) faultOfCall(call *ssa.Call, e env) fault.Set {
	if ssa.CallInstruction(call) == w.operation {
		return w.given
	}
	common := &call.Call
	if common.IsInvoke() {
		if isContext(common.Value.Type()) && common.Method.Name() == "Err" {
			return fault.Of(fault.Sentinel("context.Canceled"), fault.Sentinel("context.DeadlineExceeded"))
		}
		return w.values.Failures(call)
	}
	if callee := common.StaticCallee(); callee != nil && callee.Object() != nil {
		switch name := fullName(callee); {
		case name == "errors.New":
			return fault.Of(fault.Typed("*errors.errorString"))
		case name == "fmt.Errorf":
			return w.formatted(call, e)
		case name == "errors.Join":
			return w.around("*errors.joinError", variadic(common.Args[0]), e)
		case catalog.EnclosesIn(name) != "":
			return w.around(catalog.EnclosesIn(name), common.Args[:1], e)
		}
	}
	return w.values.Failures(call)
}

// formatted describes what fmt.Errorf makes: what the verbs %w of its format stand for is inside.
func (w *walker) formatted(call *ssa.Call, e env) fault.Set {
	format, ok := call.Call.Args[0].(*ssa.Const)
	if !ok || format.Value == nil || format.Value.Kind() != constant.String {
		return ""
	}
	wrapped, ok := wrappedBy(constant.StringVal(format.Value))
	if !ok {
		return ""
	}
	args := variadic(call.Call.Args[1])
	var inner []ssa.Value
	for _, i := range wrapped {
		if i >= len(args) {
			return ""
		}
		inner = append(inner, args[i])
	}
	switch len(inner) {
	case 0:
		return fault.Of(fault.Typed("*errors.errorString"))
	case 1:
		return w.around("*fmt.wrapError", inner, e)
	}
	return w.around("*fmt.wrapErrors", inner, e)
}

func (w *walker) around(typ string, inner []ssa.Value, e env) fault.Set {
	s := fault.Of(fault.Typed(typ))
	if len(inner) == 0 {
		return s.Around("")
	}
	for _, v := range inner {
		f := fact{}
		if v != nil {
			f = w.inside(v, e)
		}
		s = s.Around(f.fault)
	}
	return s
}

// inside is what is known of an error that was made an element of a list of values.
func (w *walker) inside(v ssa.Value, e env) fact {
	if change, ok := v.(*ssa.ChangeInterface); ok {
		return w.fact(change.X, e)
	}
	if made, ok := v.(*ssa.MakeInterface); ok {
		return fact{kind: notNil, fault: fault.Of(w.concrete(made.X))}
	}
	return w.fact(v, e)
}

// wrappedBy returns which arguments of a format are wrapped. Formats that number their arguments aren't followed.
func wrappedBy(format string) (wrapped []int, ok bool) {
	n := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		for i++; i < len(format) && strings.IndexByte("+-# .0123456789", format[i]) >= 0; {
			i++
		}
		switch {
		case i >= len(format) || format[i] == '*' || format[i] == '[':
			return nil, false
		case format[i] == '%':
			continue
		case format[i] == 'w':
			wrapped = append(wrapped, n)
		}
		n++
	}
	return wrapped, true
}

// variadic lists the values of a variadic argument, nil for those that aren't seen.
func variadic(list ssa.Value) []ssa.Value {
	slice, ok := list.(*ssa.Slice)
	if !ok {
		return nil
	}
	alloc, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	array, ok := alloc.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Array)
	if !ok || array.Len() > 16 {
		return nil
	}
	values := make([]ssa.Value, array.Len())
	for _, ref := range *alloc.Referrers() {
		at, isIndex := ref.(*ssa.IndexAddr)
		if !isIndex {
			continue
		}
		index, isConst := at.Index.(*ssa.Const)
		for _, use := range *at.Referrers() {
			if s, isStore := use.(*ssa.Store); isStore && isConst && index.Int64() < array.Len() {
				values[index.Int64()] = s.Val
			}
		}
	}
	return values
}

// testOf reads v as a test of an error: which test, and of what.
func testOf(v ssa.Value, values Evaluator) (t fault.Test, subject ssa.Value, ok bool) {
	switch v := v.(type) {
	case *ssa.BinOp:
		if !typename.IsError(v.X.Type()) || v.Op != token.EQL && v.Op != token.NEQ {
			return "", nil, false
		}
		if name := variableOf(v.Y, values); name != "" {
			return fault.Same(name), v.X, true
		}
		if name := variableOf(v.X, values); name != "" {
			return fault.Same(name), v.Y, true
		}
	case *ssa.TypeAssert:
		if name := typeName(v.AssertedType); v.CommaOk && name != "" && typename.IsError(v.X.Type()) {
			return fault.Asserted(name), v.X, true
		}
	case *ssa.Call:
		return calledTest(&v.Call, values)
	}
	return "", nil, false
}

func calledTest(call *ssa.CallCommon, values Evaluator) (t fault.Test, subject ssa.Value, ok bool) {
	callee := call.StaticCallee()
	if callee == nil || callee.Object() == nil || len(call.Args) == 0 {
		return "", nil, false
	}
	name := ""
	switch fullName(callee) {
	case "errors.Is":
		if name = variableOf(call.Args[1], values); name != "" {
			return fault.Is(name), call.Args[0], true
		}
	case "errors.As":
		if target, isMade := call.Args[1].(*ssa.MakeInterface); isMade {
			if ptr, isPointer := target.X.Type().Underlying().(*types.Pointer); isPointer {
				name = typeName(ptr.Elem())
			}
		}
	case "errors.AsType":
		name = typeName(call.Signature().Results().At(0).Type())
	}
	return fault.As(name), call.Args[0], name != ""
}

// variableOf returns the package variable that v reads, "" if it is none whose value stays.
func variableOf(v ssa.Value, values Evaluator) string {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		if made, isMade := v.(*ssa.MakeInterface); isMade {
			return variableOf(made.X, values)
		}
		return ""
	}
	g, ok := load.X.(*ssa.Global)
	if !ok {
		return ""
	}
	return values.Sentinel(g).Variable()
}

// asked computes a test of an error as far as it is known which errors that can be.
func (w *walker) asked(v ssa.Value, e env) (fact, bool) {
	if !w.traces {
		return fact{}, false
	}
	t, subject, ok := testOf(v, w.values)
	if !ok {
		return fact{}, false
	}
	f := w.fact(subject, e)
	yes, known := f.fault.Ask(t)
	if !known || yes && f.kind != notNil {
		return fact{}, false
	}
	if test, isComparison := v.(*ssa.BinOp); isComparison && test.Op == token.NEQ {
		yes = !yes
	}
	return truth(yes), true
}

// foreign computes a classifier of another package.
func (w *walker) foreign(call *ssa.Call, callee *ssa.Function, e env) (fact, bool) {
	if !isBoolean(call.Type()) {
		return fact{}, false
	}
	for _, a := range call.Call.Args {
		if !typename.IsError(a.Type()) {
			continue
		}
		f := w.fact(a, e)
		if f.kind != notNil || !f.fault.Known() {
			return fact{}, false
		}
		answer := w.values.Cases(callee).Answer(f.fault)
		return truth(answer == fault.Yes), answer != fault.Unsure
	}
	return fact{}, false
}

// testsIn lists what the blocks of fn ask about errors, in the functions that they ask, too.
func testsIn(fn *ssa.Function, blocks map[*ssa.BasicBlock]bool, values Evaluator, depth int) map[fault.Test]bool {
	found := map[fault.Test]bool{}
	for _, b := range fn.Blocks {
		if blocks != nil && !blocks[b] {
			continue
		}
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if !ok {
				continue
			}
			if t, _, isTest := testOf(v, values); isTest {
				found[t] = true
			} else if call, isCall := v.(*ssa.Call); isCall && depth < 3 {
				askedBy(call, values, depth, found)
			}
		}
	}
	return found
}

// askedBy adds what a classifier asks that call calls.
func askedBy(call *ssa.Call, values Evaluator, depth int, found map[fault.Test]bool) {
	callee := call.Call.StaticCallee()
	if callee == nil || !passesError(call) || !isBoolean(call.Type()) {
		return
	}
	if callee.Blocks == nil {
		for _, c := range values.Cases(callee) {
			if c.Test != fault.Else {
				found[c.Test] = true
			}
		}
		return
	}
	for t := range testsIn(callee, nil, values, depth+1) {
		found[t] = true
	}
}

// CasesOf tells what fn, a classifier, answers about an error that it is given; nil if nothing is known.
func CasesOf(fn *ssa.Function, values Evaluator) fault.Cases {
	subject := errorParameter(fn)
	if subject == nil || len(fn.Blocks) == 0 || len(fn.Blocks) > 40 {
		return nil
	}
	tests := fault.Tests(testsIn(fn, nil, values, 0))
	return casesFor(tests, func(given fault.Set) fault.Answer {
		f := answerOf(fn, env{subject: {kind: notNil, fault: given}}, values, 0)
		if f.kind != boolean {
			return fault.Unsure
		}
		return fault.AnswerOf(f.n != 0)
	})
}

// errorParameter returns the error that fn answers a question about, nil if fn isn't a classifier.
func errorParameter(fn *ssa.Function) ssa.Value {
	results := fn.Signature.Results()
	if results.Len() != 1 || !isBoolean(results.At(0).Type()) {
		return nil
	}
	for _, p := range fn.Params {
		if typename.IsError(p.Type()) {
			return p
		}
	}
	return nil
}

func casesFor(tests []fault.Test, answer func(fault.Set) fault.Answer) fault.Cases {
	var cases fault.Cases
	for _, t := range tests {
		cases = append(cases, fault.Case{Test: t, Answer: answer(fault.Of(t.Example()))})
	}
	if !cases.Decides() {
		return nil
	}
	return cases
}

// RepeatsOn tells after which errors of call the site makes another attempt; nil if errors make no difference.
func (s *Site) RepeatsOn(call *ssa.Call, values Evaluator) fault.Cases {
	r := s.region
	if r == nil || outcomeOf(call) != byError {
		return nil
	}
	tests := fault.Tests(testsIn(s.Function, r.blocks, values, 0))
	if tests == nil {
		return nil
	}
	m := memoryOf(s.Function)
	in := inputsOf(r, call, m)
	never := false
	cases := casesFor(tests, func(given fault.Set) fault.Answer {
		w := newWalker(r, call, failed, m, values)
		w.trace(given)
		ways, _, complete := w.again(in)
		repeats := !complete || len(rounds(ways)) > 0
		never = never || !repeats
		return fault.AnswerOf(repeats)
	})
	if !never {
		return nil
	}
	return cases
}

// GivesUpWith describes what the function of the site returns once the attempts are used up, if the last one failed with
// given: on the ways that leave the region where it counts or asks for the time.
func (s *Site) GivesUpWith(call *ssa.Call, given fault.Set, values Evaluator) fault.Set {
	if s.region == nil || s.Kind != Loop && s.Kind != Goto || outcomeOf(call) != byError {
		return ""
	}
	return failuresOf(returnsWith(s.Function, call, given, s.region, values))
}

// FailuresAfter describes what fn returns after call failed with given, on the ways that keep accepts.
func FailuresAfter(fn *ssa.Function, call *ssa.Call, given fault.Set, values Evaluator, keep func(Return) bool) fault.Set {
	var kept []Return
	for _, ret := range returnsWith(fn, call, given, nil, values) {
		if keep == nil || keep(ret) {
			kept = append(kept, ret)
		}
	}
	return failuresOf(kept)
}

// failuresOf unites the errors that are returned.
func failuresOf(ways []Return) fault.Set {
	var sets []fault.Set
	for _, ret := range ways {
		if ret.Error != nil && !ret.ErrorIsNil {
			sets = append(sets, ret.Fault)
		}
	}
	if len(sets) == 0 {
		return ""
	}
	return fault.Union(sets...)
}

// usesUp reports whether the branch at the end of b leaves r because attempts or time are used up: it asks for a number that
// isn't one of the outcome of call, or for the time.
func usesUp(b *ssa.BasicBlock, r *region, call ssa.CallInstruction, m *memory, values Evaluator) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond := strip(branch.Cond)
	if call, isCall := cond.(*ssa.Call); isCall && values.Iterator(call) {
		return true
	}
	if test, isTest := cond.(*ssa.BinOp); isTest && isInteger(test.X.Type()) {
		return boundOf(cond, 0) == "" && !dependsOn(cond, call.Value(), r, m)
	}
	return boundOf(cond, 0) == "elapsed"
}

// FailuresOf describes the errors that fn returns, whatever the way.
func FailuresOf(fn *ssa.Function, values Evaluator) fault.Set {
	w := newWalker(wholeRegion(fn), nil, failed, memoryOf(fn), values)
	w.traces = true
	u := &union{walker: w, seen: map[ssa.Value]bool{}}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			if typename.IsError(v.Type()) && !u.add(v) {
				return ""
			}
		}
	}
	if len(u.sets) == 0 {
		return ""
	}
	return fault.Union(u.sets...)
}

// union collects the errors that values may be.
type union struct {
	*walker
	seen map[ssa.Value]bool
	sets []fault.Set
}

// add reports whether it is known what v may be.
func (u *union) add(v ssa.Value) bool {
	if u.seen[v] || isNilConst(v) {
		return true
	}
	u.seen[v] = true
	if phi, ok := v.(*ssa.Phi); ok {
		for _, e := range phi.Edges {
			if !u.add(e) {
				return false
			}
		}
		return true
	}
	if load, ok := v.(*ssa.UnOp); ok && load.Op == token.MUL {
		if cell, isLocal := load.X.(*ssa.Alloc); isLocal {
			return u.addVariable(cell)
		}
	}
	s := u.fact(v, nil).fault
	u.sets = append(u.sets, s)
	return s.Known()
}

func (u *union) addVariable(cell *ssa.Alloc) bool {
	for _, ref := range *cell.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != ssa.Value(cell) || !u.add(ref.Val) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false // others may write to it
		}
	}
	return true
}

// FailuresWhen describes the errors that fn returns beside a boolean that is, or may be, true or false.
func FailuresWhen(fn *ssa.Function, answer bool, values Evaluator) fault.Set {
	c := returnsFrom(fn, nil, failed, values)
	c.trace("")
	c.follow(state{block: fn.Blocks[0], env: env{}})
	if c.steps > maxReturnSteps {
		return ""
	}
	var kept []Return
	for _, ret := range c.found {
		if !ret.BoolKnown || ret.BoolIs == answer {
			kept = append(kept, ret)
		}
	}
	return failuresOf(kept)
}

// FaultOf describes the error that a package variable is made to hold.
func FaultOf(v ssa.Value, values Evaluator) fault.Set {
	fn := v.Parent()
	if fn == nil {
		return ""
	}
	w := newWalker(wholeRegion(fn), nil, failed, memoryOf(fn), values)
	w.traces = true
	return w.faultOf(v, nil)
}
