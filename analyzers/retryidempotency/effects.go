package retryidempotency

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// Effects tells of the functions of a package what importers need to know when they repeat a call of them: which write it makes,
// which key it makes anew, and which results are other ones each time.
var Effects = &analysis.Analyzer{
	Name:       "retryeffects",
	Doc:        "tell importers which writes and keys a call of a function makes",
	Requires:   []*analysis.Analyzer{callgraph.Analyzer},
	FactTypes:  []analysis.Fact{new(Effect)},
	ResultType: reflect.TypeFor[*foreign](),
	Run:        effectsOf,
}

// An Effect is what a call of a function does, as far as it matters to who repeats it. Facts are for the functions of the
// workspace, and only for those of which there is something to say.
type Effect struct {
	// Does ends a sentence that the call begins, like that of a write: inserts a row. Guards are names by which callers make it safe.
	Does   string
	Guards []string
	// Sends and Executes are set if callers say what is written: the parameters, from 1 and without the receiver, that hold the
	// method and the address of a request (0 for what isn't the caller's), or the text of a statement.
	Sends    [2]int
	Executes int
	// Key is the name of the idempotency key that each call makes anew.
	Key string
	// Fresh are the results, from 0, that are other ones each time.
	Fresh []int
	// Repeatable is set for methods of which their service says that they can be repeated: no side effects, idempotent.
	Repeatable bool
}

// AFact marks Effect as a fact.
func (*Effect) AFact() {}

// String is what tests expect of the fact.
func (e *Effect) String() string {
	var parts []string
	note := func(known bool, text string) {
		if known {
			parts = append(parts, text)
		}
	}
	note(e.Does != "", e.Does)
	note(e.Sends != [2]int{}, fmt.Sprint("sends ", e.Sends))
	note(e.Executes > 0, fmt.Sprint("executes ", e.Executes))
	note(e.Key != "", "makes "+e.Key)
	note(len(e.Fresh) > 0, fmt.Sprint("fresh ", e.Fresh))
	note(e.Repeatable, "repeatable")
	return strings.Join(parts, ", ")
}

func (e *Effect) tells() bool { return e.String() != "" }

// foreign finds the effects of functions of other packages.
type foreign struct {
	pass *analysis.Pass
	// failed says why the effects of this package aren't known.
	failed string
	fresh  map[string]bool
}

// of returns the effect of the function of another package that a call runs, nil if nothing is known of it.
func (f *foreign) of(call *ssa.CallCommon) *Effect {
	obj := calledObject(call)
	if f == nil || obj == nil || obj.Pkg() == nil || obj.Pkg() == f.pass.Pkg {
		return nil
	}
	var effect Effect
	if !f.pass.ImportObjectFact(obj, &effect) {
		return nil
	}
	return &effect
}

func calledObject(call *ssa.CallCommon) *types.Func {
	if call.IsInvoke() {
		return call.Method.Origin()
	}
	return objectOf(call.StaticCallee())
}

// objectOf is the declaration of a function, nil if it has none.
func objectOf(fn *ssa.Function) *types.Func {
	if fn == nil {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return nil
	}
	return obj.Origin()
}

func effectsOf(pass *analysis.Pass) (any, error) {
	known := &foreign{pass: pass, fresh: map[string]bool{}}
	exportLevels(pass)
	result := pass.ResultOf[callgraph.Analyzer].(*callgraph.Result)
	if !result.Analysed() || result.Known().Panic != "" {
		return known, nil
	}
	result.InTurn(func() {
		defer func() {
			if r := recover(); r != nil {
				known.failed = fmt.Sprint(r)
			}
		}()
		hints := known.hints(result.Functions())
		for _, r := range result.Callable() {
			if hints[r.Function] == 0 {
				continue
			}
			if effect := known.effect(&r); effect.tells() && !known.repeatable(objectOf(r.Function)) {
				pass.ExportObjectFact(objectOf(r.Function), effect)
			}
		}
	})
	return known, nil
}

// repeatable reports whether it is known of a method of a generated client that it can be repeated.
func (f *foreign) repeatable(obj *types.Func) bool {
	var effect Effect
	return f != nil && obj != nil && f.pass.ImportObjectFact(obj, &effect) && effect.Repeatable
}

// maxCallee is how many steps of a function are looked at: what does more is more than a helper.
const maxCallee = 4000

// effect says what a call of r's function does.
func (f *foreign) effect(r *callgraph.Repetition) *Effect {
	a := &attempt{Repetition: r, foreign: f}
	if a.follow(r.Attempt(), maxCallee); len(a.steps) == maxCallee {
		return &Effect{}
	}
	effect := &Effect{Key: a.keyOfItsOwn(), Fresh: a.freshResults()}
	if effect.Key == "" {
		a.writes(effect)
	}
	return effect
}

// keyOfItsOwn is the name of a key that each call makes anew, "" if there is none. One that fills in what is empty may be the caller's.
func (a *attempt) keyOfItsOwn() string {
	for _, step := range a.steps {
		if effect := a.effectAt(step); effect != nil && effect.Key != "" && !mayNotRun(step) {
			return effect.Key
		}
		for _, k := range a.keysIn(step) {
			if !a.isSurely(k, step) {
				continue
			}
			if m := a.fresh(k.value, step); m != nil && m.call != nil && !mayNotRun(step) && !mayNotRun(m.step) {
				return k.name
			}
		}
	}
	return ""
}

// isSurely reports whether a key is one by its name alone, or that of a row: what importers learn doesn't say which call it is for.
func (a *attempt) isSurely(k key, step callgraph.Step) bool {
	call, ok := step.Instr.(*ssa.Call)
	return catalog.OfEffects().Keys.IsKey(k.name, false) || ok && slices.Contains(a.keyColumns(call, step), k)
}

// mayNotRun reports whether a step is only executed where something was found to be empty.
func mayNotRun(step callgraph.Step) bool {
	return guarded(step.Instr) || slices.ContainsFunc(step.Calls, func(call ssa.CallInstruction) bool { return guarded(call) })
}

func (a *attempt) freshResults() []int {
	var list []int
	results := a.Function.Signature.Results()
	for i := range results.Len() {
		if !identifies(results.At(i).Type()) {
			continue
		}
		if a.alwaysFresh(i) {
			list = append(list, i)
		}
	}
	return list
}

// alwaysFresh reports whether a result is another one each time, whichever way the function returns, errors aside.
func (a *attempt) alwaysFresh(result int) bool {
	found := false
	for _, b := range a.Function.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || result >= len(ret.Results) || isEmpty(ret.Results[result]) {
			continue
		}
		if m := a.fresh(ret.Results[result], callgraph.Step{}); m == nil || m.call == nil {
			return false
		}
		found = true
	}
	return found
}

// identifies reports whether values of a type are made to identify something: texts, bytes, and large numbers.
func identifies(t types.Type) bool {
	if number, ok := t.(*types.Basic); ok && (number.Kind() == types.Int64 || number.Kind() == types.Uint64) {
		return true
	}
	b, ok := t.Underlying().(*types.Basic)
	return isPlain(t) && (!ok || b.Info()&types.IsString != 0)
}

// writes notes the first write of which the caller learns that it may have failed.
func (a *attempt) writes(effect *Effect) {
	for _, step := range a.steps {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || dropsFailure(step) {
			continue
		}
		w := a.write(call, step)
		if w == nil {
			w = a.writeOfCaller(call, step)
		}
		if w == nil || w.transactional || w.protected(a) || a.looksFirst(w, step) {
			continue
		}
		at, ok := outermost(step).(ssa.CallInstruction)
		if !ok || !a.again(at) || !a.ambiguous(at) {
			continue
		}
		if w.address != nil {
			w.sends[1] = a.parameter(w.address, w.at)
		}
		if strings.HasPrefix(w.does, sendsA) && w.sends == [2]int{} && !soundsLikeWrite(a.Function) {
			continue
		}
		effect.Does, effect.Guards, effect.Sends, effect.Executes = w.does, w.guards, w.sends, w.executes
		return
	}
}

// soundsLikeWrite reports whether a function that sends a POST is called like one that does something again: it has the verb of one, or
// it returns nothing but an error, and its verb isn't one that sets a state, whatever that was before.
// One that is called like a method of HTTP says nothing.
func soundsLikeWrite(fn *ssa.Function) bool {
	known, verb := catalog.OfEffects(), firstWord(fn.Name())
	if slices.Contains(known.HTTP.Methods, strings.ToUpper(fn.Name())) {
		return false
	}
	return known.IsMutation(verb) || fn.Signature.Results().Len() == 1 && !known.Settles(verb)
}

// dropsFailure reports whether nobody looks at the error of a step's call, or of one that leads there.
func dropsFailure(step callgraph.Step) bool {
	for _, instr := range append([]ssa.CallInstruction{step.Instr.(*ssa.Call)}, step.Calls...) {
		call, ok := instr.(*ssa.Call)
		if !ok || !looksAtError(call) {
			return true
		}
	}
	return false
}

// looksAtError reports whether the error of a call is used; the result of one without is taken for it.
func looksAtError(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	if results.Len() < 2 || !typename.IsError(results.At(results.Len()-1).Type()) {
		return len(referrers(call)) > 0
	}
	return slices.ContainsFunc(referrers(call), func(ref ssa.Instruction) bool {
		x, ok := ref.(*ssa.Extract)
		return ok && x.Index == results.Len()-1 && len(referrers(x)) > 0
	})
}

// writeOfCaller finds a request or a statement of which the caller says what it does.
func (a *attempt) writeOfCaller(call *ssa.Call, step callgraph.Step) *write {
	if e := a.effectAt(step); e != nil && (e.Sends[0] > 0 || e.Executes > 0) {
		args := withoutReceiver(call.Common())
		w := &write{call: call, guards: e.Guards}
		w.sends = [2]int{a.parameterAt(args, e.Sends[0], step), a.parameterAt(args, e.Sends[1], step)}
		w.executes = a.parameterAt(args, e.Executes, step)
		return w.ofCaller()
	}
	w := &write{call: call}
	if text := a.statementText(call); text != nil {
		w.executes = a.parameter(text, step)
		return w.ofCaller()
	}
	row := catalog.Find(catalog.OfEffects().HTTP.Sends, callgraph.CalleeName(call.Common()))
	args := arguments(call.Common())
	if row == nil || *row.Request >= len(args) {
		return nil
	}
	made, at := a.requestOf(args[*row.Request], step, 0)
	if made == nil {
		return nil
	}
	maker, given := catalog.Find(catalog.OfEffects().HTTP.Requests, callgraph.CalleeName(made.Common())), arguments(made.Common())
	w.sends = [2]int{a.parameter(given[*maker.Method], at), a.parameter(given[*maker.URL], at)}
	return w.ofCaller()
}

// ofCaller is w if callers say what it does.
func (w *write) ofCaller() *write {
	if w.sends[0] == 0 && w.executes == 0 {
		return nil
	}
	return w
}

func (a *attempt) parameterAt(args []ssa.Value, number int, step callgraph.Step) int {
	if number == 0 || number > len(args) {
		return 0
	}
	return a.parameter(args[number-1], step)
}

// parameter is the number, from 1, of the parameter of the function that a text is, or ends in; 0 if it is none.
func (a *attempt) parameter(v ssa.Value, step callgraph.Step) int {
	v, left := step.Given(plain(v))
	step.Calls = step.Calls[:left]
	switch v := v.(type) {
	case *ssa.Parameter:
		if v.Parent() != a.Function {
			return 0
		}
		number := slices.Index(a.Function.Params, v)
		if a.Function.Signature.Recv() == nil {
			number++
		}
		return number
	case *ssa.BinOp:
		return a.parameter(v.Y, step)
	case *ssa.Call:
		if args := spread(v.Common()); len(args) > 0 && (passesOn(v) || len(a.Called(v)) > 0) {
			return a.parameter(args[len(args)-1], step) // a path is joined to what it is below
		}
	case *ssa.Extract:
		return a.parameter(v.Tuple, step)
	}
	return 0
}

// withoutReceiver lists the arguments of a call that stand in parentheses.
func withoutReceiver(call *ssa.CallCommon) []ssa.Value {
	if !call.IsInvoke() && call.Signature().Recv() != nil && len(call.Args) > 0 {
		return call.Args[1:]
	}
	return call.Args
}

// effectAt is the effect of the function of another package that a step calls, nil if there is none.
func (a *attempt) effectAt(step callgraph.Step) *Effect {
	call, ok := step.Instr.(*ssa.Call)
	if !ok {
		return nil
	}
	return a.foreign.of(call.Common())
}

// elsewhere finds a write that a function of another package makes.
func (a *attempt) elsewhere(call *ssa.Call, step callgraph.Step) *write {
	e := a.foreign.of(call.Common())
	if e == nil || e.Does == "" && e.Sends[0] == 0 {
		return nil
	}
	args := withoutReceiver(call.Common())
	if e.Sends == [2]int{} {
		if e.isRequest() && a.asksOnly(step) {
			return nil
		}
		return &write{does: e.Does, guards: e.Guards}
	}
	method := strings.TrimPrefix(e.Does, sendsA)
	if e.Sends[0] > 0 && e.Sends[0] <= len(args) {
		method, _ = a.text(args[e.Sends[0]-1], step)
	}
	if !slices.Contains(catalog.OfEffects().HTTP.Methods, strings.ToUpper(method)) {
		return nil
	}
	var address ssa.Value
	if i := e.Sends[1]; i > 0 && i <= len(args) {
		address = args[i-1]
	}
	return a.request(strings.ToUpper(method), address, step)
}

// sendsA begins what a request does, before its method.
const sendsA = "sends a "

func (e *Effect) isRequest() bool { return strings.HasPrefix(e.Does, sendsA) }
