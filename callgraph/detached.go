package callgraph

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Detached is a context that an attempt works with and that is never done because the caller has gone.
type Detached struct {
	Pos token.Pos
	// Made is the call that detaches, in this package; nil if another package's function does. By is what is called.
	Made *ssa.Call
	By   string
	// Here tells that it stands in the function of the repetition; otherwise Pos is the call through which it is reached.
	Here  bool
	Scope *Scope
}

// detached lists the contexts of the attempts of r that no caller ends, although the caller's is in scope.
func (p *Package) detached(r *Repetition) []Detached {
	scope := p.ScopeOf(r)
	if scope == nil || deferredLiteral(r.Function) {
		return nil // what cleans up has to run when the caller has gone, too
	}
	list := p.detachedCall(r, scope)
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || alone(step) || !p.remote(call, step) || !r.repeatsStep(step) || keepsStream(call) {
			continue
		}
		for _, a := range call.Call.Args {
			if !isContextType(a.Type()) {
				continue
			}
			if s := p.sourceOf(a, step.Calls); s.origin == detachedOrigin && s.at != nil && s.at != scope.made {
				list = append(list, p.detachedAt(r, step, s.at, scope))
			}
		}
		if by := p.detachesElsewhere(call); by != "" {
			list = append(list, Detached{Pos: p.entrance(r, step), By: by, Scope: scope})
		}
	}
	return list
}

// keepsStream reports whether call opens a stream that is kept beyond the attempt, or handed to somebody else. It lives as long as
// the context that it is opened with, which therefore can't be that of one caller.
func keepsStream(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok || !isStream(x.Type()) {
			continue
		}
		if slices.ContainsFunc(*x.Referrers(), func(use ssa.Instruction) bool { return handsAway(use, x) }) {
			return true
		}
	}
	return false
}

// isStream reports whether t is a stream of messages that lives under a context of its own.
func isStream(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for _, name := range []string{"Context", "CloseSend", "RecvMsg"} {
		if methods.Lookup(nil, name) == nil {
			return false
		}
	}
	return true
}

// handsAway reports whether use stores v, returns it, or gives it to a function.
func handsAway(use ssa.Instruction, v ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.Store, *ssa.Return, *ssa.MakeInterface, *ssa.ChangeInterface, *ssa.MakeClosure, *ssa.Send, *ssa.MapUpdate:
		return true
	case ssa.CallInstruction:
		return slices.Contains(use.Common().Args, v)
	}
	return false
}

// detachesElsewhere names the function by which another package's function, which call runs, makes a context of its own.
func (p *Package) detachesElsewhere(call *ssa.Call) string {
	callee := resolve(call.Call.StaticCallee())
	if callee == nil || len(callee.Blocks) > 0 {
		return ""
	}
	if f := p.summaryOf(callee); f != nil {
		return f.Detaches
	}
	return ""
}

// detaches names the function by which fn, which is given no context, makes one for what it asks others.
func (p *Package) detaches(fn *ssa.Function) string {
	if obj, ok := fn.Object().(*types.Func); !ok || p.Dependency || !obj.Exported() || fn.Parent() != nil || p.scopeOf(fn, 0) != nil {
		return ""
	}
	r := &Repetition{Operations: []*ssa.Function{fn}, Function: fn, pkg: p}
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || alone(step) || !p.remote(call, step) || keepsStream(call) {
			continue
		}
		for _, a := range call.Call.Args {
			if !isContextType(a.Type()) {
				continue
			}
			if s := p.sourceOf(a, step.Calls); s.origin == detachedOrigin && s.at != nil {
				return resolve(s.at.Call.StaticCallee()).Name()
			}
		}
	}
	return ""
}

// detachedCall looks at the context that a client works with, or that a helper hands to what it repeats.
func (p *Package) detachedCall(r *Repetition, scope *Scope) []Detached {
	call, ok := r.Call.(*ssa.Call)
	if !ok || !p.takesOwnContext(r) || p.besideRetries(r) || afterFailure(call) {
		return nil
	}
	s, given := p.givenTo(&call.Call)
	if !given || s.origin != detachedOrigin || s.at == scope.made {
		return nil
	}
	return []Detached{p.detachedAt(r, Step{Instr: call}, s.at, scope)}
}

// besideRetries reports whether a call repeats what hardly ever fails, or doesn't wait: nobody takes it for a retry.
func (p *Package) besideRetries(r *Repetition) bool {
	k := p.lookup(r.Call.Common())
	return k != nil && k.row.Site != nil && (k.row.Site.Errors == "connection" || k.row.Site.Waits == "none")
}

// deferredLiteral reports whether fn is a literal that its function defers, or that is given to what makes the function that is
// deferred, or stands in one.
func deferredLiteral(fn *ssa.Function) bool {
	if fn.Parent() == nil {
		return false
	}
	if deferredLiteral(fn.Parent()) {
		return true
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			d, ok := instr.(*ssa.Defer)
			if !ok {
				continue
			}
			if isLiteral(d.Call.Value, fn) {
				return true
			}
			maker, isCall := d.Call.Value.(*ssa.Call)
			if isCall && slices.ContainsFunc(maker.Call.Args, func(arg ssa.Value) bool { return isLiteral(arg, fn) }) {
				return true
			}
		}
	}
	return false
}

// isLiteral reports whether v is the literal fn.
func isLiteral(v ssa.Value, fn *ssa.Function) bool {
	if mc, ok := v.(*ssa.MakeClosure); ok {
		v = mc.Fn
	}
	return v == ssa.Value(fn)
}

// detachedAt tells where a detached context is reported: at the call that makes it, if the function of the repetition does, and
// otherwise where that is reached from it.
func (p *Package) detachedAt(r *Repetition, step Step, made *ssa.Call, scope *Scope) Detached {
	d := Detached{Pos: p.token(made), Made: made, By: resolve(made.Call.StaticCallee()).Name(), Here: true, Scope: scope}
	if !insideOf(made.Parent(), r.Function) {
		d.Here, d.Pos = false, p.entrance(r, step)
	}
	return d
}

// entrance is the place in the function of the repetition from which a step is reached.
func (p *Package) entrance(r *Repetition, step Step) token.Pos {
	for _, call := range step.Calls {
		if insideOf(call.Parent(), r.Function) {
			return p.token(call)
		}
	}
	if insideOf(step.Instr.Parent(), r.Function) {
		return p.token(step.Instr)
	}
	if r.Call != nil {
		return p.token(r.Call)
	}
	return r.Pos
}

// insideOf reports whether fn is outer, or a literal inside of it.
func insideOf(fn, outer *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == outer {
			return true
		}
	}
	return false
}

// repeatsStep reports whether a step of an attempt is executed again after it has failed: for loops, it is one of the calls that
// are repeated, or is reached through one; a request that is made for one counts as well.
func (r *Repetition) repeatsStep(step Step) bool {
	if r.Site == nil {
		return true
	}
	outermost := step.Instr
	if len(step.Calls) > 0 {
		outermost = step.Calls[0]
	}
	if r.Site.Repeated[outermost] {
		return true
	}
	call, ok := outermost.(*ssa.Call)
	return ok && feedsRepeated(call, r.Site.Repeated)
}

// feedsRepeated reports whether a result of call is given to a call that is repeated.
func feedsRepeated(call *ssa.Call, repeated map[ssa.Instruction]bool) bool {
	for _, ref := range *call.Referrers() {
		if repeated[ref] {
			return true
		}
		x, ok := ref.(*ssa.Extract)
		if !ok {
			continue
		}
		for _, use := range *x.Referrers() {
			if repeated[use] {
				return true
			}
		}
	}
	return false
}

// remote reports whether a call is an operation that can fail and whose failure matters to the attempt: its error is looked at,
// and it isn't what is done because something else has failed, such as a rollback.
func (p *Package) remote(call *ssa.Call, step Step) bool {
	common := &call.Call
	if callee := resolve(common.StaticCallee()); callee != nil && len(callee.Blocks) > 0 && !handsOn(callee) {
		return false // what it does is a step of its own
	}
	if p.Local(call) || p.Waits(call) || !errorUsed(call) {
		return false
	}
	if afterFailure(call) {
		return false
	}
	for _, outer := range step.Calls {
		if c, ok := outer.(*ssa.Call); ok && afterFailure(c) {
			return false
		}
	}
	return true
}

// handsOn reports whether a function of this package captures a context that it is given: in what it repeats itself, say. That is
// no step of the attempt.
func handsOn(fn *ssa.Function) bool {
	for _, param := range fn.Params {
		if !isContextType(param.Type()) {
			continue
		}
		for _, ref := range *param.Referrers() {
			switch ref.(type) {
			case *ssa.Store, *ssa.MakeClosure:
				return true
			}
		}
	}
	return false
}

// errorUsed reports whether call returns an error that something looks at.
func errorUsed(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	if results.Len() == 1 {
		return typename.IsError(results.At(0).Type()) && len(*call.Referrers()) > 0
	}
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && typename.IsError(x.Type()) && len(*x.Referrers()) > 0 {
			return true
		}
	}
	return false
}

// afterFailure reports whether call is made only once another one has failed: a branch that finds its error not to be nil leads
// there. An error of an attempt before, which a loop asks for in its head, is none.
func afterFailure(call *ssa.Call) bool {
	for b := call.Block(); b != nil; b = b.Idom() {
		pred := b.Idom()
		if pred == nil {
			return false
		}
		branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
		if !ok || len(b.Preds) != 1 {
			continue
		}
		test, ok := branch.Cond.(*ssa.BinOp)
		if !ok || !isFailureTest(test) {
			continue
		}
		if (test.Op == token.NEQ) == (pred.Succs[0] == b) && !sameOperation(failedCall(test), call) {
			return true
		}
	}
	return false
}

func isFailureTest(test *ssa.BinOp) bool {
	return (test.Op == token.NEQ || test.Op == token.EQL) && typename.IsError(test.X.Type()) && failedCall(test) != nil
}

// failedCall is the call whose error a branch tests, nil if it isn't one.
func failedCall(test *ssa.BinOp) *ssa.Call {
	c, ok := test.Y.(*ssa.Const)
	if !ok || c.Value != nil {
		return nil
	}
	v := test.X
	if x, isExtract := v.(*ssa.Extract); isExtract {
		v = x.Tuple
	}
	call, _ := v.(*ssa.Call)
	return call
}

// sameOperation reports whether two calls call the same function: a second attempt.
func sameOperation(a, b *ssa.Call) bool {
	if a.Call.IsInvoke() || b.Call.IsInvoke() {
		return a.Call.IsInvoke() && b.Call.IsInvoke() && a.Call.Method == b.Call.Method
	}
	return a.Call.StaticCallee() != nil && a.Call.StaticCallee() == b.Call.StaticCallee()
}

// A Contextless is a call that isn't given a context although it could be.
type Contextless struct {
	Pos token.Pos
	// Name is what is called, Use what would take the context: an option, a function, a method; Call is the call, if it
	// stands in the function of the repetition.
	Name, Use string
	Call      ssa.CallInstruction
	// Whole tells that it is the repetition itself that isn't given the context, and not something in an attempt.
	Whole bool
	// Fix says how the library takes a context.
	Fix   ContextForm
	Scope *Scope
}

// A ContextForm is how a library takes a context: by an option that is added to the arguments, or by a function around an
// argument.
type ContextForm struct {
	Option string // name of the function that makes the option
	Around string // name of the function around the argument
	Arg    int    // its index
}

// contextless lists what a repetition does without the context in scope.
func (p *Package) contextless(r *Repetition) []Contextless {
	scope := p.ScopeOf(r)
	if scope == nil {
		return nil
	}
	list := p.contextlessCall(r, scope)
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || alone(step) || !r.repeatsStep(step) && !p.makesWhatIsRepeated(r, call) {
			continue
		}
		list = append(list, p.contextlessStep(r, step, call, scope)...)
	}
	return list
}

// makesWhatIsRepeated reports whether a call of the repeated code is known to do without a context: a request that an attempt
// sends need not be repeated itself.
func (p *Package) makesWhatIsRepeated(r *Repetition, call *ssa.Call) bool {
	return r.Site != nil && r.Site.Executes(call) && catalog.TakesContext(calleeName(call)) != ""
}

func calleeName(call *ssa.Call) string {
	callee := resolve(call.Call.StaticCallee())
	if callee == nil {
		return ""
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok {
		return ""
	}
	return obj.FullName()
}

// contextlessStep looks at one call of an attempt.
func (p *Package) contextlessStep(r *Repetition, step Step, call *ssa.Call, scope *Scope) []Contextless {
	if given := p.requestWithout(call, step); given != nil {
		call, step = given, Step{Instr: given, Calls: step.Calls}
	} else if !p.operatesRemotely(call, step) {
		return nil
	}
	use := p.contextTwin(&call.Call)
	if use == "" || p.boundLater(call) {
		return nil
	}
	c := Contextless{Pos: p.token(call), Name: calleeLabel(&call.Call), Use: use, Call: call, Scope: scope}
	if !insideOf(call.Parent(), r.Function) {
		c.Pos, c.Call = p.entrance(r, step), nil
	}
	return []Contextless{c}
}

// operatesRemotely is like remote, for functions that may make an object only.
func (p *Package) operatesRemotely(call *ssa.Call, step Step) bool {
	return p.remote(call, step) || catalog.TakesContext(calleeName(call)) != "" && !afterFailure(call)
}

// requestWithout returns the call that made the request which call sends, if it was made in the same function without a context.
func (p *Package) requestWithout(call *ssa.Call, step Step) *ssa.Call {
	for _, a := range call.Call.Args {
		if !givesContext(a.Type()) {
			continue
		}
		given, _ := step.Given(a)
		x, ok := given.(*ssa.Extract)
		if !ok {
			continue
		}
		if made, isCall := x.Tuple.(*ssa.Call); isCall && p.contextTwin(&made.Call) != "" {
			return made
		}
	}
	return nil
}

// boundLater reports whether what call makes is given a context afterwards.
func (p *Package) boundLater(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && usedWithContext(*x.Referrers()) {
			return true
		}
	}
	return usedWithContext(*call.Referrers())
}

func usedWithContext(uses []ssa.Instruction) bool {
	for _, use := range uses {
		if store, ok := use.(*ssa.Store); ok {
			if refs := store.Addr.Referrers(); refs != nil && loadedWithContext(*refs) {
				return true
			}
			continue
		}
		common := commonOf(use)
		if common == nil {
			continue
		}
		for _, a := range common.Args {
			if isContextType(a.Type()) {
				return true
			}
		}
	}
	return false
}

func loadedWithContext(refs []ssa.Instruction) bool {
	for _, ref := range refs {
		if load, ok := ref.(*ssa.UnOp); ok && load.Referrers() != nil {
			for _, use := range *load.Referrers() {
				if common := commonOf(use); common != nil && len(common.Args) > 1 && isContextType(common.Args[1].Type()) {
					return true
				}
			}
		}
	}
	return false
}

// contextTwin names what does the same as the function that is called and takes a context, "" if there is nothing.
func (p *Package) contextTwin(call *ssa.CallCommon) string {
	sig := call.Signature()
	for i := range sig.Params().Len() {
		if t := sig.Params().At(i).Type(); isContextType(t) || isSignal(t) || givesContext(t) {
			return ""
		}
	}
	if call.IsInvoke() {
		return methodTwin(call.Value.Type(), call.Method)
	}
	callee := resolve(call.StaticCallee())
	if callee == nil {
		return ""
	}
	obj, ok := callee.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return ""
	}
	if use := catalog.TakesContext(obj.FullName()); use != "" {
		return use
	}
	if recv := obj.Signature().Recv(); recv != nil {
		return methodTwin(recv.Type(), obj)
	}
	for _, suffix := range contextSuffixes {
		if twin, isFunc := obj.Pkg().Scope().Lookup(obj.Name() + suffix).(*types.Func); isFunc && replaces(twin, obj, p.Types) {
			return obj.Pkg().Name() + "." + twin.Name()
		}
	}
	return ""
}

var contextSuffixes = []string{"Context", "WithContext", "Ctx"}

// methodTwin looks for a method of the same type.
func methodTwin(t types.Type, m *types.Func) string {
	if catalog.Bound(typename.Of(t)) {
		return ""
	}
	methods := types.NewMethodSet(t)
	if _, isInterface := t.Underlying().(*types.Interface); !isInterface {
		if _, isPointer := t.Underlying().(*types.Pointer); !isPointer {
			methods = types.NewMethodSet(types.NewPointer(t))
		}
	}
	for _, suffix := range contextSuffixes {
		sel := methods.Lookup(m.Pkg(), m.Name()+suffix)
		if sel == nil {
			continue
		}
		if twin, ok := sel.Obj().(*types.Func); ok && replaces(twin, m, m.Pkg()) {
			return twin.Name()
		}
	}
	return ""
}

// replaces reports whether twin takes a context first, and what f takes after it.
func replaces(twin, f *types.Func, from *types.Package) bool {
	params, own := twin.Signature().Params(), f.Signature().Params()
	if params.Len() <= own.Len() || !isContextType(params.At(0).Type()) {
		return false
	}
	return twin.Exported() || twin.Pkg() == from
}

// contextlessCall looks at the call that a repetition is: of a library that takes a context by an option or another function, or
// of a helper that has a twin.
func (p *Package) contextlessCall(r *Repetition, scope *Scope) []Contextless {
	if r.Call == nil {
		return nil
	}
	common := r.Call.Common()
	whole := Contextless{Pos: p.token(r.Call), Name: calleeLabel(common), Call: r.Call, Whole: true, Scope: scope}
	if p.besideRetries(r) || deferredLiteral(r.Function) {
		return nil
	}
	if k := p.lookup(common); k != nil && k.row.Site != nil {
		whole.Name = k.library.Name + "'s " + calleeLabel(common)
		if k.row.Site.Context == "policy" {
			if form, ok := p.withoutContext(r, k); ok {
				whole.Fix, whole.Use = form, form.name(common)
				return []Contextless{whole}
			}
			return nil
		}
	}
	if s, given := p.givenTo(common); given && s.origin == detachedOrigin && !p.takesOwnContext(r) {
		whole.Use = scope.Name
		whole.Pos = p.token(s.at)
		if !insideOf(s.at.Parent(), r.Function) {
			whole.Pos = p.token(r.Call)
		}
		whole.Fix = ContextForm{}
		return []Contextless{whole}
	}
	if call, ok := r.Call.(*ssa.Call); ok {
		if made := p.requestWithout(call, Step{}); made != nil && !p.boundLater(made) {
			return []Contextless{{Pos: p.token(made), Name: calleeLabel(&made.Call), Use: p.contextTwin(&made.Call), Call: made, Scope: scope}}
		}
	}
	if use := p.contextTwin(common); use != "" && p.relevantCall(r.Call) {
		whole.Use = use
		return []Contextless{whole}
	}
	if p.sleepsWithoutContext(common) {
		return []Contextless{whole}
	}
	return nil
}

// sleepsWithoutContext reports whether a call is of a helper of this package that takes no context, and sleeps between its
// attempts.
func (p *Package) sleepsWithoutContext(call *ssa.CallCommon) bool {
	callee := resolve(call.StaticCallee())
	if callee == nil || callee.Pkg != p.SSA || p.scopeOf(callee, 0) != nil || receiverField(callee) != nil {
		return false
	}
	for _, param := range callee.Params {
		if isSignal(param.Type()) {
			return false
		}
	}
	for _, s := range p.Sites(callee) {
		for _, instr := range s.Waiting {
			if wait, ok := instr.(*ssa.Call); ok && s.Role == sites.Retry && isSleep(&wait.Call) && s.Longest(instr, p).Max > shortest {
				return true
			}
		}
	}
	return false
}

// relevantCall reports whether the error of a call is looked at, or it returns none.
func (p *Package) relevantCall(call ssa.CallInstruction) bool {
	c, ok := call.(*ssa.Call)
	return ok && !afterFailure(c)
}

// givenTo returns where the context comes from that a call is given.
func (p *Package) givenTo(call *ssa.CallCommon) (s contextSource, given bool) {
	for _, a := range call.Args {
		if isContextType(a.Type()) {
			s = p.sourceOf(a, nil)
			return s, s.at != nil || s.origin != detachedOrigin
		}
	}
	return contextSource{}, false
}

// takesOwnContext reports whether the operation is given the context by what repeats it: then it is the attempt that is
// detached.
func (p *Package) takesOwnContext(r *Repetition) bool {
	for _, fn := range r.Operations {
		for _, param := range fn.Params {
			if isContextType(param.Type()) && len(*param.Referrers()) > 0 {
				return true
			}
		}
	}
	return len(r.Operations) == 0
}
