package callgraph

import (
	"go/token"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Sleep is a wait between attempts that goes on when the context in scope is done.
type Sleep struct {
	Pos token.Pos
	// Instr is the waiting instruction; Name says how it waits: time.Sleep, <-timer.C, pause.
	Instr ssa.Instruction
	Name  string
	Scope *Scope
	// Longest is how long it can last at most, 0 if that isn't known.
	Longest time.Duration
}

// shortest is a wait that nobody needs to interrupt.
const shortest = int64(50 * time.Millisecond)

// sleeps lists the waits of a repetition that don't watch the context in scope of the function where they are.
func (p *Package) sleeps(r *Repetition) []Sleep {
	if r.Site != nil {
		return p.sleepsOf(r)
	}
	return p.sleepsBelow(r)
}

// sleepsOf looks at what lies between the attempts of a loop.
func (p *Package) sleepsOf(r *Repetition) []Sleep {
	scope := p.ScopeOf(r)
	var list []Sleep
	for _, instr := range r.Site.Waiting {
		if r.Site.Longest(instr, p).Max <= shortest || drains(instr) {
			continue
		}
		if call, ok := instr.(*ssa.Call); ok {
			list = append(list, p.sleepsIn(call, scope)...)
		} else if scope != nil && !interruptible(instr) {
			list = append(list, Sleep{Pos: instr.Pos(), Instr: instr, Name: channelName(instr), Scope: scope})
		}
		if last := len(list) - 1; last >= 0 && list[last].Instr == instr {
			list[last].Longest = time.Duration(r.Site.Lasts(instr, p))
		}
	}
	return list
}

// sleepsBelow looks for sleeps in what a helper or library repeats: a classifier that waits as long as the server has asked for.
// Loops in there have waits of their own.
func (p *Package) sleepsBelow(r *Repetition) []Sleep {
	var list []Sleep
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || !isSleep(&call.Call) || !followsFailure(call) || p.inOwnSite(call) || alone(step) {
			continue
		}
		if scope := p.scopeOf(call.Parent(), 0); scope != nil && !p.tinySleep(call) {
			list = append(list, Sleep{Pos: p.token(call), Instr: call, Name: calleeLabel(&call.Call), Scope: scope})
		}
	}
	return list
}

// followsFailure reports whether a sleep is a wait for another attempt, and no part of this one: the function is asked about an
// error, or a branch on an error leads there.
func followsFailure(call *ssa.Call) bool {
	for _, param := range call.Parent().Params {
		if typename.IsError(param.Type()) {
			return true
		}
	}
	for b := call.Block().Idom(); b != nil; b = b.Idom() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if ok && asksError(branch.Cond, 0) {
			return true
		}
	}
	return false
}

// asksError reports whether a condition is about an error.
func asksError(cond ssa.Value, depth int) bool {
	switch cond := cond.(type) {
	case *ssa.BinOp:
		return typename.IsError(cond.X.Type()) || typename.IsError(cond.Y.Type())
	case *ssa.UnOp:
		return depth < 3 && asksError(cond.X, depth+1)
	case *ssa.Extract:
		return depth < 3 && asksError(cond.Tuple, depth+1)
	case *ssa.TypeAssert:
		return typename.IsError(cond.X.Type())
	case *ssa.Call:
		for _, a := range cond.Call.Args {
			if typename.IsError(a.Type()) {
				return true
			}
		}
	}
	return false
}

// tinySleep reports whether a sleep is too short to matter.
func (p *Package) tinySleep(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		if n, ok := p.Term(a).IsInt(); ok && n <= shortest {
			return true
		}
	}
	return false
}

// inOwnSite reports whether an instruction is repeated by a loop of its own function.
func (p *Package) inOwnSite(instr ssa.Instruction) bool {
	for _, s := range p.Sites(instr.Parent()) {
		if s.Holds(instr) {
			return true
		}
	}
	return inLoop(instr.Block())
}

// inLoop reports whether control can come back to b.
func inLoop(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), b.Succs...)
	for len(work) > 0 {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		if next == b {
			return true
		}
		if !seen[next] {
			seen[next] = true
			work = append(work, next.Succs...)
		}
	}
	return false
}

// alone reports whether a step is taken by a deferred call, or by a goroutine whose outcome nobody waits for.
func alone(step Step) bool {
	for _, call := range step.Calls {
		switch call := call.(type) {
		case *ssa.Call:
		case *ssa.Go:
			if !handsOver(resolve(call.Call.StaticCallee())) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// handsOver reports whether a function sends an error, or something with one, over a channel: what it tells is waited for.
func handsOver(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if send, ok := instr.(*ssa.Send); ok && mayFail(send.X.Type()) {
				return true
			}
		}
	}
	return false
}

// mayFail reports whether t is an error or a struct with one.
func mayFail(t types.Type) bool {
	if typename.IsError(t) {
		return true
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if typename.IsError(st.Field(i).Type()) {
			return true
		}
	}
	return false
}

// sleepsIn looks at a call that waits: a sleep itself, or a function that sleeps. A function that has a context and doesn't
// watch it is at fault itself; one that has none is called where a context is in scope.
func (p *Package) sleepsIn(call *ssa.Call, scope *Scope) []Sleep {
	common := &call.Call
	callee := resolve(common.StaticCallee())
	if callee == nil || callee.Pkg != p.SSA && callee.Parent() == nil {
		if scope == nil || !p.sleepsBlindly(common) {
			return nil
		}
		return []Sleep{{Pos: p.token(call), Instr: call, Name: sleepName(common), Scope: scope}}
	}
	blind := p.blindIn(callee, 0)
	if len(blind) == 0 {
		return nil
	}
	var list []Sleep
	if own := p.scopeOf(callee, 0); own != nil && callee.Parent() == nil {
		for _, instr := range blind {
			if instr.Parent() == callee {
				list = append(list, Sleep{Pos: p.token(instr), Instr: instr, Name: waitName(instr), Scope: own})
			}
		}
		return list
	}
	if scope == nil {
		return nil
	}
	return []Sleep{{Pos: p.token(call), Instr: call, Name: sleepName(common), Scope: scope}}
}

func sleepName(call *ssa.CallCommon) string {
	if !call.IsInvoke() && call.StaticCallee() == nil {
		return "the sleep"
	}
	return calleeLabel(call)
}

// blindIn lists the waits in a function, and in those of this package that it calls, that nothing can interrupt; none if another
// way through it can be interrupted.
func (p *Package) blindIn(fn *ssa.Function, depth int) []ssa.Instruction {
	var list []ssa.Instruction
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if !p.Waits(instr) || drains(instr) {
				continue
			}
			call, isCall := instr.(*ssa.Call)
			switch {
			case !isCall && interruptible(instr):
				return nil
			case !isCall:
				list = append(list, instr)
			default:
				list = append(list, p.blindCall(call, depth)...)
			}
		}
	}
	return list
}

func (p *Package) blindCall(call *ssa.Call, depth int) []ssa.Instruction {
	callee := resolve(call.Call.StaticCallee())
	if callee != nil && (callee.Pkg == p.SSA || callee.Parent() != nil) {
		if depth < 3 && len(p.blindIn(callee, depth+1)) > 0 {
			return []ssa.Instruction{call}
		}
		return nil
	}
	if p.sleepsBlindly(&call.Call) && !p.tinySleep(call) {
		return []ssa.Instruction{call}
	}
	return nil
}

// sleepsBlindly reports whether a function of another package, or a method of an interface, sleeps and can't be interrupted: it
// is given nothing to watch. The receiver of a wait may hold a context; a clock that sleeps holds none.
func (p *Package) sleepsBlindly(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		if isContextType(a.Type()) || isSignal(a.Type()) || givesContext(a.Type()) || holdsContext(a.Type()) {
			return false
		}
	}
	if p.lookup(call) != nil {
		return false
	}
	if !call.IsInvoke() && call.StaticCallee() == nil {
		return saysSleep(call.Value)
	}
	if isSleep(call) {
		return true
	}
	callee := resolve(call.StaticCallee())
	if callee == nil || callee.Signature.Recv() != nil && !onlyNumbers(callee.Signature.Recv().Type()) {
		return false
	}
	f := p.summaryOf(callee)
	return f != nil && f.Waits
}

// holdsContext reports whether a type is a struct with a context in it.
func holdsContext(t types.Type) bool {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if isContextType(st.Field(i).Type()) {
			return true
		}
	}
	return false
}

// onlyNumbers reports whether a type is a struct of numbers, texts and durations: a backoff, and nothing that may hold a context.
func onlyNumbers(t types.Type) bool {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || st.NumFields() == 0 {
		return false
	}
	for i := range st.NumFields() {
		if _, isBasic := st.Field(i).Type().Underlying().(*types.Basic); !isBasic {
			return false
		}
	}
	return true
}

// isSleep reports whether a call sleeps for a duration: time.Sleep, or the method of a clock.
func isSleep(call *ssa.CallCommon) bool {
	name := ""
	if call.IsInvoke() {
		name = call.Method.Name()
	} else if callee := call.StaticCallee(); callee != nil {
		name = callee.Name()
	}
	if name != "Sleep" || !takesDuration(call) {
		return false
	}
	for _, a := range call.Args {
		if isContextType(a.Type()) || isSignal(a.Type()) {
			return false
		}
	}
	return true
}

// isSignal reports whether t is a channel that only tells that something is over.
func isSignal(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// interruptible reports whether a wait ends for another reason than that time has passed: a select that waits for something
// else as well, or a receive from a context that time ends.
func interruptible(instr ssa.Instruction) bool {
	if recv, ok := instr.(*ssa.UnOp); ok {
		return endsByTime(recv.X)
	}
	sel, ok := instr.(*ssa.Select)
	if !ok {
		return false
	}
	if !sel.Blocking {
		return true
	}
	for _, s := range sel.States {
		if !isTimeChannel(s.Chan.Type()) {
			return true
		}
	}
	return false
}

// drains reports whether a receive empties the channel of a timer that couldn't be stopped any more.
func drains(instr ssa.Instruction) bool {
	if _, ok := instr.(*ssa.UnOp); !ok {
		return false
	}
	b := instr.Block()
	if len(b.Preds) != 1 {
		return false
	}
	branch, ok := b.Preds[0].Instrs[len(b.Preds[0].Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond := branch.Cond
	if not, isNot := cond.(*ssa.UnOp); isNot && not.Op == token.NOT {
		cond = not.X
	}
	call, ok := cond.(*ssa.Call)
	return ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == "Stop"
}

func waitName(instr ssa.Instruction) string {
	if call, ok := instr.(*ssa.Call); ok {
		return calleeLabel(&call.Call)
	}
	return channelName(instr)
}

// channelName says what a wait receives from.
func channelName(instr ssa.Instruction) string {
	ch := ssa.Value(nil)
	switch instr := instr.(type) {
	case *ssa.UnOp:
		ch = instr.X
	case *ssa.Select:
		ch = instr.States[0].Chan
	}
	if call, ok := ch.(*ssa.Call); ok {
		return "<-" + calleeLabel(&call.Call)
	}
	return "the receive from a timer"
}

// goesOn finds watches of a context after which a loop goes on, or reports that a loop without end watches none.
func (p *Package) goesOn(r *Repetition) (watches []sites.Watch, endless bool) {
	watches, endless = r.Site.GoesOnWhenDone(p)
	return watches, endless && r.Site.Unlimited && r.Site.Bounded == "" && r.Site.Waits && p.ScopeOf(r) != nil
}

// token is where an instruction is reported: calls at the name of what is called.
func (p *Package) token(instr ssa.Instruction) token.Pos {
	if _, ok := instr.(ssa.CallInstruction); ok {
		return p.Token(instr.Parent(), instr.Pos())
	}
	return instr.Pos()
}
