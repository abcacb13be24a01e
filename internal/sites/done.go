package sites

import (
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// What a region does once its context is done is found by a walk that supposes that: every context says so when it is asked,
// a select takes the case of a done channel, and calls that are given a context fail with its error. Control that comes back to
// the operation all the same isn't stopped by the context.

// A Watch is a place in a region that learns that a context is done: a select, a wait that is given the context.
type Watch struct {
	Instr ssa.Instruction
	// Falls tells that the case of the done channel leads back to the operation.
	Falls bool
}

// doneFaults are the errors of a context that is done.
var doneFaults = []fault.Error{fault.Sentinel("context.Canceled"), fault.Sentinel("context.DeadlineExceeded")}

// GoesOnWhenDone returns the watches whose news leads back to the operation, if nothing else stops the attempts once the context
// is done. endless tells that there is no watch at all, and that the failure of an attempt that is given a context that is done
// leads to another attempt always.
func (s *Site) GoesOnWhenDone(values Evaluator) (watches []Watch, endless bool) {
	if s.region == nil || s.region.recursive != nil {
		return nil, false
	}
	if _, isCall := s.Operation.(*ssa.Call); !isCall {
		return nil, false
	}
	for _, given := range doneFaults {
		if comesBack, _ := s.whenDone(fault.Of(given), values); !comesBack {
			return nil, false
		}
	}
	list := s.watchesOf(values)
	for _, w := range list {
		if w.Falls = s.falls(w.Instr, values); w.Falls {
			watches = append(watches, w)
		}
	}
	if len(list) > 0 || !takesContext(s.Operation.Common()) {
		return watches, false
	}
	_, mayStop := s.whenDone("", values)
	return nil, !mayStop
}

// whenDone walks from the operation, which fails with given if it was given a context, till it is reached again. mayStop tells
// that a way leaves the region otherwise than by a counter or the clock.
func (s *Site) whenDone(given fault.Set, values Evaluator) (comesBack, mayStop bool) {
	w := s.doneWalk(given, values)
	w.from(state{block: s.Operation.Block(), from: indexOf(s.Operation) + 1, env: env{}})
	return w.arrived || w.cut, w.stops || w.cut
}

// falls reports whether each way from a watch, once the context is done, leads back to the operation, unless a counter or the
// clock ends the attempts.
func (s *Site) falls(watch ssa.Instruction, values Evaluator) bool {
	w := s.doneWalk("", values)
	w.from(state{block: watch.Block(), from: indexOf(watch), env: env{}})
	return w.arrived && !w.stops && !w.cut
}

func (s *Site) doneWalk(given fault.Set, values Evaluator) *doneWalk {
	w := newWalker(s.region, s.Operation, failed, memoryOf(s.Function), values)
	w.boolean = outcomeOf(s.Operation.(*ssa.Call)) == byBool
	w.done = true
	if !takesContext(s.Operation.Common()) {
		given = ""
	}
	w.trace(given)
	return &doneWalk{walker: w, seen: map[string]bool{}}
}

// doneWalk follows the ways through a region whose context is done.
type doneWalk struct {
	*walker
	seen                map[string]bool
	arrived, stops, cut bool
}

const maxDoneSteps = 4000

func (d *doneWalk) from(s state) {
	if d.steps++; d.steps > maxDoneSteps || d.memory.exhausted() {
		d.cut = true
		return
	}
	key := d.key(s)
	if d.seen[key] {
		return
	}
	d.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		if instr == ssa.Instruction(d.operation) {
			d.arrived = true
			return
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			e = d.store(instr, e)
		case *ssa.Call:
			if isFatal(instr) {
				d.stops = true
				return
			}
		}
	}
	next, leaves := d.successors(s, e)
	if leaves && !d.usedUp(s.block) {
		d.stops = true
	}
	for _, n := range next {
		d.from(n)
	}
}

// isFatal reports whether call ends the program by a method of an interface, or by a function value: a field or variable that is
// called Fatal, like the functions that loggers agree on. Where the function itself is known, nothing follows on its call.
func isFatal(call *ssa.Call) bool {
	if call.Call.IsInvoke() {
		return strings.HasPrefix(call.Call.Method.Name(), "Fatal") && call.Call.Signature().Results().Len() == 0
	}
	load, ok := call.Call.Value.(*ssa.UnOp)
	if !ok {
		return false
	}
	fa, ok := load.X.(*ssa.FieldAddr)
	return ok && strings.HasPrefix(fieldName(fa), "Fatal")
}

// usedUp reports whether the branch at the end of b leaves since attempts or time are used up.
func (d *doneWalk) usedUp(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	return usesUp(b, d.region, d.operation, d.memory, d.values) || limitsTime(branch.Cond)
}

// whenDone is what is known of v since the context is done.
func (w *walker) whenDone(v ssa.Value) (fact, bool) {
	if !w.done {
		return fact{}, false
	}
	switch v := v.(type) {
	case *ssa.Call:
		return w.doneResult(v, v)
	case *ssa.Extract:
		switch t := v.Tuple.(type) {
		case *ssa.Call:
			return w.doneResult(t, v)
		case *ssa.Select:
			if i := doneState(t); i >= 0 && v.Index == 0 {
				return fact{kind: integer, n: int64(i)}, true
			}
		}
	}
	return fact{}, false
}

// doneResult is what is known of v, a result of call: contexts say that they are done, and calls that wait for them fail.
func (w *walker) doneResult(call *ssa.Call, v ssa.Value) (fact, bool) {
	if ssa.CallInstruction(call) == w.operation {
		return fact{}, false
	}
	switch {
	case typename.IsError(v.Type()) && asksContext(call):
		return fact{kind: notNil, fault: fault.Of(doneFaults...)}, true
	case typename.IsError(v.Type()) && takesContext(&call.Call) && !passesError(call):
		return fact{kind: notNil}, true
	case isBoolean(v.Type()) && watchesDone(&call.Call):
		return w.doneAnswer(call)
	}
	return fact{}, false
}

// doneAnswer is what a function of this package answers that is given a context or a done channel which is done.
func (w *walker) doneAnswer(call *ssa.Call) (fact, bool) {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 || len(callee.Blocks) > 25 || w.depth > 2 {
		return fact{}, false
	}
	r, m := wholeRegion(callee), memoryOf(callee)
	inner := &walker{region: r, outcome: failed, memory: m, values: w.values, relevant: relevant(r, m), depth: w.depth + 1, done: true}
	inner.markReturned(callee)
	c := &answers{walker: inner, seen: map[string]bool{}, found: map[fact]bool{}}
	c.follow(state{block: r.head, env: env{}})
	if len(c.found) != 1 {
		return fact{}, false
	}
	for f := range c.found {
		return f, f.kind == boolean
	}
	return fact{}, false
}

// asksContext reports whether call asks a context why it is done.
func asksContext(call *ssa.Call) bool {
	common := &call.Call
	if common.IsInvoke() {
		return isContext(common.Value.Type()) && common.Method.Name() == "Err"
	}
	callee := common.StaticCallee()
	return callee != nil && callee.Object() != nil && fullName(callee) == "context.Cause"
}

// takesContext reports whether a call is given a context that may be done, or a request or value that carries one.
func takesContext(call *ssa.CallCommon) bool {
	for _, a := range call.Args {
		if isContext(a.Type()) && !neverDone(a, 0) || carriesContext(a.Type()) {
			return true
		}
	}
	return false
}

// watchesDone is like takesContext for a done channel as well.
func watchesDone(call *ssa.CallCommon) bool {
	if takesContext(call) {
		return true
	}
	for _, a := range call.Args {
		if isEmptyStruct(a.Type()) {
			return true
		}
	}
	return false
}

// carriesContext reports whether t is a request that carries a context.
func carriesContext(t types.Type) bool {
	ptr, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(ptr.Elem(), "net/http", "Request")
}

// neverDone reports whether v is a context that no caller can end.
func neverDone(v ssa.Value, depth int) bool {
	if depth > 4 {
		return false
	}
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	switch fullName(call.Call.StaticCallee()) {
	case "context.Background", "context.TODO", "context.WithoutCancel":
		return true
	case "context.WithTimeout", "context.WithDeadline", "context.WithCancel", "context.WithValue":
		return neverDone(call.Call.Args[0], depth+1)
	}
	return false
}

// doneState returns the index of the state of a select that receives from a done channel, -1 if there is none.
func doneState(sel *ssa.Select) int {
	for i, s := range sel.States {
		if s.Dir == types.RecvOnly && isEmptyStruct(s.Chan.Type()) && isDoneChannel(s.Chan) {
			return i
		}
	}
	return -1
}

// isDoneChannel reports whether a channel is that of a context, or is called something that says that all is over. Others may be
// there to wake the region up.
func isDoneChannel(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		name := calleeName(&v.Call)
		return name == "Done" || overWord.MatchString(name)
	case *ssa.Parameter:
		return overWord.MatchString(v.Name())
	case *ssa.UnOp:
		switch x := v.X.(type) {
		case *ssa.FieldAddr:
			return overWord.MatchString(fieldName(x))
		case *ssa.FreeVar, *ssa.Global:
			return overWord.MatchString(x.Name())
		case *ssa.Alloc:
			return overWord.MatchString(x.Comment)
		}
	}
	return false
}

var overWord = regexp.MustCompile(`(?i)^(is|was|ch)?_?(done|stop|quit|exit|clos|shut|cancel|term|kill|abort)`)

// watchesOf lists what learns in the region that a context is done.
func (s *Site) watchesOf(values Evaluator) []Watch {
	var list []Watch
	for _, b := range s.region.inOrder() {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Select:
				if doneState(instr) >= 0 {
					list = append(list, Watch{Instr: instr})
				}
			case *ssa.Call:
				if values.Waits(instr) && !passesError(instr) && watchesDone(&instr.Call) && waitResult(instr) {
					list = append(list, Watch{Instr: instr})
				}
			}
		}
	}
	return list
}

// waitResult reports whether a wait ends when what it is given is done: it tells so by an error or a boolean, or is seen to look.
func waitResult(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	if callee := call.Call.StaticCallee(); callee != nil && len(callee.Blocks) > 0 && (results.Len() == 0 || !looks(callee)) {
		return looks(callee)
	}
	return results.Len() == 1 && (typename.IsError(results.At(0).Type()) || isBoolean(results.At(0).Type()))
}

// looks reports whether a function asks a context, or a done channel, whether to stop, or hands a context on.
func looks(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if watches(instr) {
				return true
			}
			if call, ok := instr.(*ssa.Call); ok && takesContext(&call.Call) {
				return true
			}
		}
	}
	return false
}

// EndsWithSuccess reports whether nothing but a failure of the operation sends the region round: one that waits until something
// answers does, one that waits for a state doesn't.
func (s *Site) EndsWithSuccess(values Evaluator) bool {
	call, ok := s.Operation.(*ssa.Call)
	if !ok || s.region == nil {
		return false
	}
	ways, leaves := again(s.region, call, outcomeOf(call) == byBool, succeeded, inputs{}, memoryOf(s.Function), values)
	return leaves && len(rounds(ways)) == 0
}
