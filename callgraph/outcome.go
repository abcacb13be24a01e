package callgraph

import (
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

func (p *Package) leadsOutward(c *Call, repeats, library string) bool {
	return p.failsOutward(c.fn, c.instr, repeats, library)
}

// failsOutward reports whether a failure of call makes fn return something that the site around it repeats on. repeats is
// one of the words of the catalogue: unmarked, marked, false (done, error), true (again, error).
func (p *Package) failsOutward(fn *ssa.Function, call ssa.CallInstruction, repeats, library string) bool {
	c, ok := call.(*ssa.Call)
	if !ok {
		return false
	}
	if repeats == "conflict" {
		return false
	}
	for _, ret := range sites.ReturnsAfterFailure(fn, c, p) {
		if p.repeatsOn(ret, repeats, library) {
			return true
		}
	}
	return false
}

// repeatsOn reports whether a site repeats after fn returns this way.
func (p *Package) repeatsOn(ret sites.Return, repeats, library string) bool {
	if repeats == "false" || repeats == "true" {
		return p.saysAgain(ret, repeats == "true")
	}
	if ret.Error == nil || ret.ErrorIsNil {
		return false
	}
	mark := p.markOf(ret.Error, library, 0)
	if repeats == "marked" {
		return mark == "retryable"
	}
	return mark != "permanent"
}

// answersFor reports whether fn, whenever call has failed, hands on what the call says about another attempt.
func (p *Package) answersFor(fn *ssa.Function, call ssa.CallInstruction) bool {
	c, ok := call.(*ssa.Call)
	if !ok || !answersAgain(fn) || !isAnswer(c.Call.Signature().Results()) {
		return false
	}
	ways := sites.ReturnsAfterFailure(fn, c, p)
	for _, ret := range ways {
		if answer, isResult := ret.Bool.(*ssa.Extract); !isResult || answer.Tuple != ssa.Value(c) {
			return false
		}
	}
	return len(ways) > 0
}

// saysAgain reads a function that returns (bool, error): whether it asks for another attempt.
func (p *Package) saysAgain(ret sites.Return, againIfTrue bool) bool {
	if ret.Bool == nil {
		return true
	}
	if !againIfTrue && !ret.ErrorIsNil {
		return false
	}
	if ret.BoolKnown {
		return ret.BoolIs == againIfTrue
	}
	if b, ok := p.Term(ret.Bool).IsBool(); ok {
		return b == againIfTrue
	}
	return true
}

// markOf tells whether an error bears a mark of the library.
func (p *Package) markOf(v ssa.Value, library string, depth int) string {
	if depth > 6 {
		return ""
	}
	switch v := v.(type) {
	case *ssa.Call:
		if k := p.lookup(&v.Call); k != nil && k.row.Marks != "" && k.library.Root() == library {
			return k.row.Marks
		}
		if callee := resolve(v.Call.StaticCallee()); callee != nil && callee.Pkg == p.SSA && len(callee.Blocks) > 0 && depth < 3 {
			return p.markOfResult(callee, library, depth)
		}
	case *ssa.Phi:
		return p.markOfPhi(v, library, depth)
	case *ssa.MakeInterface:
		return p.markOf(v.X, library, depth+1)
	case *ssa.ChangeInterface:
		return p.markOf(v.X, library, depth+1)
	}
	return ""
}

// markOfPhi says retryable if some way gives such a mark, permanent if all do.
func (p *Package) markOfPhi(v *ssa.Phi, library string, depth int) string {
	marks := map[string]bool{}
	for _, e := range v.Edges {
		if c, ok := e.(*ssa.Const); ok && c.Value == nil {
			continue
		}
		marks[p.markOf(e, library, depth+1)] = true
	}
	return merge(marks)
}

func merge(marks map[string]bool) string {
	switch {
	case marks["retryable"]:
		return "retryable"
	case len(marks) == 1 && marks["permanent"]:
		return "permanent"
	}
	return ""
}

func (p *Package) markOfResult(fn *ssa.Function, library string, depth int) string {
	marks := map[string]bool{}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 {
			continue
		}
		last := ret.Results[len(ret.Results)-1]
		if c, isConst := last.(*ssa.Const); isConst && c.Value == nil {
			continue
		}
		marks[p.markOf(last, library, depth+1)] = true
	}
	return merge(marks)
}

// Waits reports whether instr waits for time to pass.
func (p *Package) Waits(instr ssa.Instruction) bool {
	if call, ok := instr.(*ssa.Call); ok {
		if w, known := p.waiting[call]; known {
			return w
		}
		w := p.callWaits(&call.Call)
		p.waiting[call] = w
		return w
	}
	switch instr := instr.(type) {
	case *ssa.UnOp:
		return instr.Op == token.ARROW && (isTimeChannel(instr.X.Type()) || endsByTime(instr.X))
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly && isTimeChannel(s.Chan.Type()) {
				return true
			}
		}
	}
	return false
}

// endsByTime reports whether ch is the done channel of a context that this function gives a time limit.
func endsByTime(ch ssa.Value) bool {
	done, ok := ch.(*ssa.Call)
	if !ok || !done.Call.IsInvoke() || done.Call.Method.Name() != "Done" || typename.Of(done.Call.Value.Type()) != "context.Context" {
		return false
	}
	made, ok := done.Call.Value.(*ssa.Extract)
	if !ok {
		return false
	}
	limit, ok := made.Tuple.(*ssa.Call)
	return ok && catalog.Does(calleeName(limit)) == "limit-context"
}

func isTimeChannel(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && typename.Of(ch.Elem()) == "time.Time"
}

// callWaits reports whether a call sleeps: by its name and a duration, or since its body does nothing but wait.
func (p *Package) callWaits(call *ssa.CallCommon) bool {
	name := ""
	if call.IsInvoke() {
		name = call.Method.Name()
	} else if callee := resolve(call.StaticCallee()); callee != nil {
		if callee.Pkg != nil && callee.Pkg != p.SSA && catalog.Quiet(callee.Pkg.Pkg.Path()) {
			return false
		}
		name = callee.Name()
		if callee.Pkg == p.SSA || callee.Parent() != nil {
			return p.bodyWaits(callee) || saysWait(name, call)
		}
		if f := p.summaryOf(callee); f != nil && f.Waits {
			return true
		}
	} else if saysSleep(call.Value) {
		return takesDuration(call)
	} else if v, ok := call.Value.(*ssa.UnOp); ok {
		return p.variableWaits(v.X)
	}
	switch name {
	case "Sleep", "Wait", "SleepContext", "SleepWithContext", "Backoff", "Pause", "Delay":
		return takesDuration(call) || name != "Wait"
	}
	return false
}

// variableWaits reports whether a package variable holds a function that waits, whatever tests put into it.
func (p *Package) variableWaits(variable ssa.Value) bool {
	g, ok := variable.(*ssa.Global)
	if !ok {
		return false
	}
	waits := false
	for _, instr := range p.global[g] {
		store, isStore := instr.(*ssa.Store)
		if !isStore {
			continue
		}
		fn, isFunction := store.Val.(*ssa.Function)
		if !isFunction || !p.bodyWaits(fn) {
			return false
		}
		waits = true
	}
	return waits
}

// saysSleep reports whether a function value is called what sleeps: a field, variable or parameter that tests put something
// else into.
func saysSleep(v ssa.Value) bool {
	name := ""
	switch v := v.(type) {
	case *ssa.Parameter:
		name = v.Name()
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			if st, _ := structOf(x.X.Type()); st != nil {
				name = st.Field(x.Field).Name()
			}
		case *ssa.Global, *ssa.FreeVar:
			name = x.Name()
		}
	}
	return strings.HasPrefix(strings.ToLower(name), "sleep") || strings.HasSuffix(name, "Sleep")
}

// saysWait reports whether a function of this package waits by its name alone: its body may be too large to tell. One that
// has a duration as its result says how long to wait.
func saysWait(name string, call *ssa.CallCommon) bool {
	results := call.Signature().Results()
	if results.Len() > 1 || results.Len() == 1 && !typename.IsError(results.At(0).Type()) && !types.Identical(results.At(0).Type(), types.Typ[types.Bool]) {
		return false
	}
	return name == "Sleep" || name == "SleepContext" || name == "SleepWithContext" || strings.HasPrefix(name, "Backoff")
}

func takesDuration(call *ssa.CallCommon) bool {
	params := call.Signature().Params()
	for i := range params.Len() {
		if typename.Of(params.At(i).Type()) == "time.Duration" {
			return true
		}
	}
	return false
}

// bodyWaits reports whether fn is a small function that waits: a sleep that watches a context, or a log line and a sleep.
func (p *Package) bodyWaits(fn *ssa.Function) bool {
	if w := p.waits[fn]; w != 0 {
		return w > 0
	}
	p.waits[fn] = -1
	if len(fn.Blocks) == 0 || len(fn.Blocks) > 25 || fn.Signature.Results().Len() > 1 {
		return false
	}
	waits := false
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if p.Waits(instr) {
				waits = true
			} else if call, ok := instr.(*ssa.Call); ok && p.operates(call) {
				return false
			}
		}
	}
	if waits {
		p.waits[fn] = 1
	}
	return waits
}

// operates reports whether call does something that can fail, so that its function does more than wait.
func (p *Package) operates(call *ssa.Call) bool {
	if call.Call.StaticCallee() == nil && !call.Call.IsInvoke() {
		_, isBuiltin := call.Call.Value.(*ssa.Builtin)
		return !isBuiltin // a function that it is given
	}
	if p.Local(call) {
		return false
	}
	results := call.Call.Signature().Results()
	for i := range results.Len() {
		if typename.IsError(results.At(i).Type()) {
			return true
		}
	}
	return false
}

// Iterator reports whether call asks a library's retry iterator whether to go on.
func (p *Package) Iterator(call *ssa.Call) bool {
	k := p.lookup(&call.Call)
	return k != nil && k.row.Site != nil && k.row.Site.Operation == "loop" && roleOf(k.row.Site) == sites.Retry
}

// Local reports whether call can't fail for the reasons that retries are for.
func (p *Package) Local(call ssa.CallInstruction) bool {
	common := call.Common()
	if k := p.lookup(common); k != nil && k.row.Site != nil && k.row.Site.Operation == "loop" {
		return true
	}
	if common.IsInvoke() {
		return catalog.LocalMethod(typename.Of(common.Value.Type()), common.Method.Name())
	}
	callee := resolve(common.StaticCallee())
	if callee == nil {
		return false
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return false
	}
	if catalog.LocalPackage(obj.Pkg().Path()) {
		return true
	}
	recv := obj.Signature().Recv()
	return recv != nil && catalog.LocalMethod(typename.Of(recv.Type()), obj.Name())
}

// Value describes v for a reader outside of its function.
func (p *Package) Value(v ssa.Value) value.Term { return p.close(p.Term(v)) }
