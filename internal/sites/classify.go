package sites

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// Find returns the sites in fn, outer ones first. syntax is the declaration or literal of fn; it only serves for positions.
func Find(fn *ssa.Function, values Evaluator) []*Site {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxBlocks {
		return nil
	}
	f := &finder{function: fn, memory: memoryOf(fn), values: values, loops: loopsOf(fn)}
	var sites []*Site
	if r := wholeFunction(fn); r != nil {
		if s := f.site(r, Recursion); s != nil {
			sites = append(sites, s)
		}
	}
	for _, r := range f.loops {
		if s := f.site(r, Loop); s != nil {
			sites = append(sites, s)
		}
	}
	return append(sites, f.straight(sites)...)
}

// maxBlocks limits the functions that are looked at: larger ones are generated tables and parsers.
const maxBlocks = 1500

type finder struct {
	function *ssa.Function
	memory   *memory
	values   Evaluator
	loops    []*region
}

// site returns the site that r is, or nil.
func (f *finder) site(r *region, kind Kind) *Site {
	if !f.promising(r) {
		return nil
	}
	var best *Site
	for _, call := range f.candidates(r) {
		v, o := f.judge(r, call)
		if v == "" || best != nil && !precedes(v, call, best) {
			continue
		}
		if s := f.newSite(r, kind, call, v, o); f.evident(s) {
			best = s
		}
	}
	if best == nil {
		return nil
	}
	best.Repeated = f.repeated(r)
	best.Repeated[best.Operation] = true
	best.AfterSuccess = f.comesRoundAfterSuccess(r, best)
	f.locate(best)
	return best
}

// precedes reports whether call, in the role that it has, is what the region is about, and not the operation of best before it:
// a retry goes before anything else, and what fails with an error before a boolean, which may be a flag that ends the retries.
func precedes(role Role, call ssa.CallInstruction, best *Site) bool {
	if best.Role != Retry {
		return role == Retry
	}
	return role == Retry && best.boolean && outcomeOf(call.(*ssa.Call)) == byError
}

// comesRoundAfterSuccess reports whether nothing ends the attempts of s once one has succeeded: its author forgot to leave.
func (f *finder) comesRoundAfterSuccess(r *region, s *Site) bool {
	if s.Role != Retry && s.Role != CAS || r.recursive != nil || outcomeOf(s.Operation.(*ssa.Call)) != byError {
		return false
	}
	if !counts(r) || !f.separatesFailures(r, s.Operation) {
		return false
	}
	in := inputsOf(r, s.Operation, f.memory)
	onSuccess, _ := again(r, s.Operation, false, succeeded, in, f.memory, f.values)
	onSuccess = rounds(onSuccess)
	if len(onSuccess) == 0 || byStatus(onSuccess) || anyWaits(onSuccess) {
		return false // one that waits after a success waits for the failure
	}
	onFailure, _ := again(r, s.Operation, false, failed, in, f.memory, f.values)
	failing := unchanged(rounds(onFailure), s.Operation, r, f.memory)
	return f.forgetsToLeave(r, s.Operation, failing, onSuccess)
}

// promising is the cheap look before the walks: something in r waits, counts, asks a policy, or speaks of retries, and r is
// no parser.
func (f *finder) promising(r *region) bool {
	if len(r.blocks) > maxRegion || f.exchanges(r) {
		return false
	}
	if r.recursive != nil {
		return len(r.function.Params) > 0
	}
	return f.worded(r) || f.waitsIn(r) || counts(r) || len(f.asksOf(r, nil)) > 0
}

// exchanges reports whether r itself, and no loop inside of it, hands values over channels: then it serves somebody, or
// waits for something, and the failure of an operation isn't what sends it round.
func (f *finder) exchanges(r *region) bool {
	for _, b := range r.inOrder() {
		if innermost(f.loops, b) != r && r.recursive == nil {
			continue
		}
		for _, instr := range b.Instrs {
			sel, ok := instr.(*ssa.Select)
			if !ok {
				continue
			}
			for _, s := range sel.States {
				place := s.Dir == types.SendOnly && !sel.Blocking && isEmptyStruct(s.Chan.Type()) // in a semaphore
				if s.Dir == types.SendOnly && !place || !carriesTime(s.Chan.Type()) && !isEmptyStruct(s.Chan.Type()) {
					return true
				}
			}
		}
	}
	return false
}

func carriesTime(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	return ok && isNamed(ch.Elem(), "time", "Time")
}

// maxRegion is the number of blocks of the largest loops that are looked at.
const maxRegion = 400

func (f *finder) waitsIn(r *region) bool {
	for _, b := range r.inOrder() {
		for _, instr := range b.Instrs {
			if f.values.Waits(instr) {
				return true
			}
		}
	}
	return false
}

// counts reports whether r has an integer that steps and is compared, and isn't the index of a range statement alone.
func counts(r *region) bool {
	for _, b := range r.inOrder() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		if test, isTest := strip(branch.Cond).(*ssa.BinOp); isTest && isInteger(test.X.Type()) && b.Comment != "rangeindex.loop" {
			return true
		}
	}
	return false
}

// candidates are the calls of r, in source order, whose outcome the program can ask for.
func (f *finder) candidates(r *region) []ssa.CallInstruction {
	var calls []ssa.CallInstruction
	for _, b := range f.function.Blocks {
		if !r.blocks[b] {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || r.recursive[call] || f.values.Local(call) || f.values.Waits(call) {
				continue
			}
			if outcomeOf(call) != noOutcome && !isMaker(call) && !passesError(call) {
				calls = append(calls, call)
			}
		}
	}
	return calls
}

type outcomeKind uint8

const (
	noOutcome outcomeKind = iota
	byError
	byBool
)

// outcomeOf tells how a call reports failure.
func outcomeOf(call *ssa.Call) outcomeKind {
	results := call.Call.Signature().Results()
	for i := range results.Len() {
		if typename.IsError(results.At(i).Type()) {
			return byError
		}
	}
	if results.Len() == 1 && isBoolean(results.At(0).Type()) {
		return byBool
	}
	return noOutcome
}

// judge returns the role of r with regard to the operation call, or "" if r doesn't repeat it, and the outcome that sends
// control round: a failure, or a success whose status isn't accepted.
func (f *finder) judge(r *region, call ssa.CallInstruction) (Role, outcome) {
	boolean := outcomeOf(call.(*ssa.Call)) == byBool
	in := inputsOf(r, call, f.memory)
	if in.item || in.indexed {
		return "", failed // another item, or another endpoint, each time
	}
	onFailure, _ := again(r, call, boolean, failed, in, f.memory, f.values)
	onFailure = rounds(onFailure)
	if len(onFailure) == 0 && errorAlone(call) {
		return "", failed // a failure ends it, and there is no status: the rule in parsers, where walks are long
	}
	onSuccess, leaves := again(r, call, boolean, succeeded, in, f.memory, f.values)
	onSuccess = rounds(onSuccess)
	if len(onFailure) == 0 && !byStatus(onSuccess) {
		return "", failed
	}
	if !f.reached(r, call) {
		return "", failed // handles the failure of something else
	}
	if !leaves {
		return "", failed // a success doesn't end it
	}
	failing := unchanged(onFailure, call, r, f.memory)
	status := byStatus(onSuccess)
	page := pagewise(onSuccess, failing, in) && finishes(r)
	switch {
	case len(failing) == 0 && status:
		return Retry, succeeded
	case len(failing) == 0:
		return "", failed
	case !status && !page && someState(onSuccess) && allTested(onSuccess):
		return Poll, failed
	case !status && !page && len(onSuccess) > 0 && !f.forgetsToLeave(r, call, failing, onSuccess):
		return "", failed
	case allConflict(failing):
		return CAS, failed
	case allExist(failing):
		return Poll, failed // until somebody else lets go
	case boolean && !f.repeatsByBool(r, failing):
		return "", failed
	case in.derived && !anyWaits(failing) && !f.worded(r):
		return "", failed // the counter makes another input each time: a port, a name
	case f.awaits(call):
		return Poll, failed
	}
	return Retry, failed
}

// forgetsToLeave reports whether everything but the missing exit on success says retry: a counter ends r, some failures of
// call leave it and others come round for the same operation again, and there is a wait, a word or a conflict on that way.
func (f *finder) forgetsToLeave(r *region, call ssa.CallInstruction, failing, onSuccess []arrival) bool {
	if !counts(r) || !f.separatesFailures(r, call) || len(unchanged(onSuccess, call, r, f.memory)) < len(onSuccess) {
		return false
	}
	if someState(onSuccess) || !anyWaits(failing) && !f.worded(r) && !someConflict(failing) {
		return false
	}
	_, ends := attempts(r, nil, call, failed, outcomeOf(call.(*ssa.Call)) == byBool, nil, f.memory, f.values)
	return ends
}

// separatesFailures reports whether a branch of r classifies the error of call: one side leaves, the other doesn't.
func (f *finder) separatesFailures(r *region, call ssa.CallInstruction) bool {
	for b := range r.blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || r.blocks[b.Succs[0]] && r.blocks[b.Succs[1]] {
			continue
		}
		classifier, isCall := strip(branch.Cond).(*ssa.Call)
		if isCall && passesError(classifier) && dependsOn(classifier, call.Value(), r, f.memory) {
			return true
		}
	}
	return false
}

func someConflict(list []arrival) bool {
	for _, a := range list {
		if a.conflict {
			return true
		}
	}
	return false
}

// errorAlone reports whether an error is all that call results in: there is no status that could send control round.
func errorAlone(call ssa.CallInstruction) bool {
	results := call.Common().Signature().Results()
	return results.Len() == 1 && typename.IsError(results.At(0).Type())
}

// reached reports whether call is executed in r when nothing fails.
func (f *finder) reached(r *region, call ssa.CallInstruction) bool {
	target, ok := call.(*ssa.Call)
	if !ok {
		return false
	}
	w := newWalker(r, call, succeeded, f.memory, f.values)
	x := &explorer{walker: w, seen: map[string]bool{}, asks: map[ssa.Value]bool{}}
	hit, _ := x.reaches(state{block: r.head, env: env{}}, target, false, 0)
	return hit
}

// finishes reports whether r has an exit beside those that a context, a signal or the clock opens: a daemon has none.
func finishes(r *region) bool {
	for _, b := range r.inOrder() {
		for _, succ := range b.Succs {
			if r.blocks[succ] {
				continue
			}
			branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
			if !ok || boundOf(branch.Cond, 0) == "" {
				return true
			}
		}
	}
	return false
}

var awaitWord = regexp.MustCompile(`(?i)^(wait|await|poll)|(until|is)_?(ready|up|healthy)|waitfor`)

// awaits reports whether fn waits for something to be ready: its name says so, and nothing but the error of the operation is
// used.
func (f *finder) awaits(call ssa.CallInstruction) bool {
	if !awaitWord.MatchString(f.function.Name()) {
		return false
	}
	v := call.Value()
	if v == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok {
			continue
		}
		for _, use := range *x.Referrers() {
			if c, isCall := use.(ssa.CallInstruction); !typename.IsError(x.Type()) && (!isCall || calleeName(c.Common()) != "Close") {
				return false
			}
		}
	}
	return true
}

// repeatsByBool asks more of operations that tell their outcome by a boolean: a wait, or a word.
func (f *finder) repeatsByBool(r *region, failing []arrival) bool {
	return anyWaits(failing) && f.worded(r)
}

// rounds keeps the ways that pass the head of the region.
func rounds(list []arrival) []arrival {
	var kept []arrival
	for _, a := range list {
		if a.head {
			kept = append(kept, a)
		}
	}
	return kept
}

// unchanged keeps the ways on which the operation's inputs stay the same, as far as they matter. An input that is made of
// the failure itself (an address named in the error) doesn't make another operation.
func unchanged(list []arrival, call ssa.CallInstruction, r *region, m *memory) []arrival {
	var kept []arrival
	for _, a := range list {
		if !a.advances(call, r, m) {
			kept = append(kept, a)
		}
	}
	return kept
}

func (a arrival) advances(call ssa.CallInstruction, r *region, m *memory) bool {
	for _, c := range a.changed {
		if !mayVary(c) && !madeOfFailure(c, call, r, m) {
			return true
		}
	}
	return false
}

func madeOfFailure(c ssa.Value, call ssa.CallInstruction, r *region, m *memory) bool {
	phi, ok := c.(*ssa.Phi)
	if !ok {
		for _, s := range m.stores[c] {
			if r.blocks[s.Block()] && !dependsOn(s.Val, call.Value(), r, m) {
				return false
			}
		}
		return len(m.stores[c]) > 0
	}
	for i, e := range phi.Edges {
		if r.blocks[phi.Block().Preds[i]] && e != c && !dependsOn(e, call.Value(), r, m) {
			return false
		}
	}
	return true
}

// byStatus reports whether a status of the result, and not an error, sends control round again: every way after a success
// asks for one.
func byStatus(onSuccess []arrival) bool {
	for _, a := range onSuccess {
		if !a.tested || a.asksState() {
			return false
		}
	}
	return len(onSuccess) > 0
}

// asksState reports whether a state of the result sends control round, and not a failure that it was found to be.
func (a arrival) asksState() bool { return a.state && !a.errored }

func someState(list []arrival) bool {
	for _, a := range list {
		if a.asksState() {
			return true
		}
	}
	return false
}

func allTested(list []arrival) bool {
	for _, a := range list {
		if !a.tested {
			return false
		}
	}
	return true
}

// pagewise reports whether the region both walks on after a success and repeats after a failure: each success changes an
// input, no failure does, and the failing way waits.
func pagewise(onSuccess, failing []arrival, in inputs) bool {
	for _, a := range onSuccess {
		if len(a.changed) == 0 {
			return false
		}
	}
	for _, a := range failing {
		if len(a.changed) > 0 || !a.waited {
			return false
		}
	}
	return len(failing) > 0 && len(in.carried) > 0
}

func allConflict(list []arrival) bool {
	for _, a := range list {
		if !a.conflict {
			return false
		}
	}
	return true
}

func allExist(list []arrival) bool {
	for _, a := range list {
		if !a.exists {
			return false
		}
	}
	return true
}

func anyWaits(list []arrival) bool {
	for _, a := range list {
		if a.waited {
			return true
		}
	}
	return false
}

// newSite measures the region around call.
func (f *finder) newSite(r *region, kind Kind, call ssa.CallInstruction, role Role, o outcome) *Site {
	boolean := outcomeOf(call.(*ssa.Call)) == byBool
	s := &Site{Kind: kind, Role: role, Function: f.function, Operation: call, region: r, outcome: o, boolean: boolean, Unlimited: true}
	var inner *region
	if m := innermost(f.loops, call.Block()); m != nil && m != r && len(m.blocks) < len(r.blocks) {
		inner = outermostWithin(m, r)
	}
	if t, ok := attempts(r, inner, call, o, boolean, f.asksOf(r, call), f.memory, f.values); ok {
		s.Attempts, s.Unlimited, s.Bounded = t, false, "counter"
	}
	if !ends(s.Attempts) {
		s.Bounded = ""
		f.bound(s)
	}
	w := newWalker(r, call, o, f.memory, f.values)
	w.boolean = boolean
	ways, _, _ := w.again(inputs{})
	s.Waits, s.Waiting = anyWaits(ways), w.waiting
	s.Counter = f.sharedCounter(r)
	s.Context = f.contextUse(r)
	s.Again = againWhen(r, call)
	s.Gate, s.GateEnds = f.gateOf(r, call, o, boolean)
	if s.Attempts.Known() && twinBefore(s) {
		s.Attempts = value.Operation("+", s.Attempts, value.Number(1))
	}
	if s.Attempts.Known() && f.twinAfter(s) {
		s.Attempts = value.Operation("+", s.Attempts, value.Number(1))
	}
	return s
}

// outermostWithin returns the largest loop around m that is still inside of r.
func outermostWithin(m, r *region) *region {
	for m.parent != nil && m.parent != r && r.blocks[m.parent.head] && len(m.parent.blocks) < len(r.blocks) {
		m = m.parent
	}
	return m
}

// bound notes what else may end an unlimited region.
func (f *finder) bound(s *Site) {
	for _, b := range f.function.Blocks {
		if !s.region.blocks[b] {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || s.region.blocks[b.Succs[0]] && s.region.blocks[b.Succs[1]] && s.region.recursive == nil {
			continue
		}
		if call, isCall := strip(branch.Cond).(*ssa.Call); isCall && f.values.Iterator(call) {
			s.Iterator, s.Bounded = call, "iterator"
			return
		}
		if by := boundOf(branch.Cond, 0); rank(by) > rank(s.Bounded) {
			s.Bounded = by
		}
		if by, waiter := f.refusal(s.region, branch.Cond); rank(by) > rank(s.Bounded) {
			s.Bounded, s.Waiter = by, waiter
		}
		if limitsTime(branch.Cond) && s.Bounded != "elapsed" {
			s.Bounded, s.Waiter = "elapsed", nil
		}
	}
}

func rank(bounded string) int {
	return map[string]int{"": 0, "signal": 1, "context": 2, "waiter": 3, "elapsed": 4}[bounded]
}

// Unnegated returns what a condition is the negation of, if it is one, and what that is where the condition is yes.
func Unnegated(cond ssa.Value, yes bool) (ssa.Value, bool) {
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return cond, yes
		}
		cond, yes = not.X, !yes
	}
}

func strip(cond ssa.Value) ssa.Value {
	cond, _ = Unnegated(cond, true)
	return cond
}

// boundOf says what a condition that leaves the region asks for.
func boundOf(v ssa.Value, depth int) string {
	if v == nil || depth > 6 {
		return ""
	}
	best := ""
	consider := func(by string) {
		if rank(by) > rank(best) {
			best = by
		}
	}
	switch v := v.(type) {
	case *ssa.Call:
		switch name := calleeName(&v.Call); {
		case ofContext(v, 0):
			return "context" // a time that the context sets
		case asksTime(&v.Call, name):
			consider("elapsed")
		case (name == "Err" || name == "Done") && len(v.Call.Args)+boolToInt(v.Call.IsInvoke()) > 0:
			consider("context")
		}
	case *ssa.Select:
		consider("signal")
		for _, st := range v.States {
			if call, ok := st.Chan.(*ssa.Call); ok && calleeName(&call.Call) == "Done" {
				consider("context")
			}
		}
	}
	if instr, ok := v.(ssa.Instruction); ok {
		if _, isPhi := v.(*ssa.Phi); !isPhi {
			for _, op := range instr.Operands(nil) {
				consider(boundOf(*op, depth+1))
			}
		}
	}
	return best
}

// asksTime reports whether a call tells how late it is: time.Since(start), clock.Now().After(deadline). Times that are
// compared with each other, and not with the present, tell nothing.
func asksTime(call *ssa.CallCommon, name string) bool {
	if name == "Since" || name == "Until" {
		return true
	}
	isTest := name == "After" || name == "Before" || name == "Sub" || name == "Compare"
	if !isTest || len(call.Args) != 2 || !isNamed(call.Args[0].Type(), "time", "Time") {
		return false
	}
	return present(call.Args[0], 0) || present(call.Args[1], 0)
}

// present reports whether a time is made from the present one.
func present(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		if calleeName(&v.Call) == "Now" {
			return true
		}
		for _, a := range v.Call.Args {
			if isNamed(a.Type(), "time", "Time") && present(a, depth+1) {
				return true
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if present(e, depth+2) {
				return true
			}
		}
	case *ssa.UnOp:
		return v.Op == token.MUL && storedPresent(v.X, depth)
	}
	return false
}

// storedPresent is like present for a variable in memory.
func storedPresent(addr ssa.Value, depth int) bool {
	if addr.Referrers() == nil {
		return false
	}
	for _, ref := range *addr.Referrers() {
		if s, ok := ref.(*ssa.Store); ok && s.Addr == addr && present(s.Val, depth+1) {
			return true
		}
	}
	return false
}

// ofContext reports whether v compares with the time that a context sets.
func ofContext(v ssa.Value, depth int) bool {
	if depth > 6 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Extract:
		return ofContext(v.Tuple, depth+1)
	case *ssa.Call:
		if calleeName(&v.Call) == "Deadline" {
			return true
		}
		for _, a := range v.Call.Args {
			if isNamed(a.Type(), "time", "Time") && ofContext(a, depth+1) {
				return true
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if ofContext(e, depth+2) {
				return true
			}
		}
	}
	return false
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// evident reports whether there is evidence beside the shape, which alone is right half the time only: a count, a wait, or a
// word.
func (f *finder) evident(s *Site) bool {
	if s.Iterator != nil {
		return true
	}
	switch {
	case s.Kind == Recursion:
		return s.counted()
	case s.Attempts.Known():
		return s.counted()
	case s.Waits:
		return true
	}
	return f.worded(s.region) && !f.fed(s)
}

// fed reports whether the operation works on what another call of the region fetched: the next task, not the same one.
func (f *finder) fed(s *Site) bool {
	for _, b := range f.function.Blocks {
		if !s.region.blocks[b] {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || ssa.CallInstruction(call) == s.Operation || outcomeOf(call) != byError || isMaker(call) || f.values.Waits(call) {
				continue
			}
			for _, a := range s.Operation.Common().Args {
				if callOf(a) == call {
					return true
				}
			}
		}
	}
	return false
}

// ends reports whether t is a number, whatever is found out about its parts.
func ends(t value.Term) bool {
	return t.Known() && !t.Any(func(part value.Term) bool { return part.Kind == value.Endless || part.Kind == value.Until })
}

func (s *Site) counted() bool {
	n, ok := s.Attempts.IsInt()
	return s.Attempts.Known() && (!ok || n > 1)
}

var retryWord = regexp.MustCompile(`(?i)retr(y|ies)|attempt|backoff|\btries|tries\b|\btry|again`)

// retryCall reports whether a function's name speaks of retries. A function that only tries, such as tryLock, doesn't.
func retryCall(name string) bool {
	return retryWord.MatchString(tryPrefix.ReplaceAllString(name, ""))
}

var tryPrefix = regexp.MustCompile(`^[tT]ry`)

// worded looks for the vocabulary of retries in the names of variables, callees and the function.
func (f *finder) worded(r *region) bool {
	if retryWord.MatchString(f.function.Name()) {
		return true
	}
	for _, b := range r.inOrder() {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Phi:
				if retryWord.MatchString(instr.Comment) {
					return true
				}
			case *ssa.Call:
				if retryCall(calleeName(&instr.Call)) {
					return true
				}
			}
		}
	}
	return false
}

// repeated returns the calls of r that are executed again after they fail.
func (f *finder) repeated(r *region) map[ssa.Instruction]bool {
	set := map[ssa.Instruction]bool{}
	for _, b := range r.inOrder() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || r.recursive[call] || outcomeOf(call) == noOutcome {
				continue
			}
			in := inputsOf(r, call, f.memory)
			boolean := outcomeOf(call) == byBool
			ways, _ := again(r, call, boolean, failed, in, f.memory, f.values)
			if !boolean {
				bad, _ := again(r, call, false, succeeded, in, f.memory, f.values)
				if byStatus(rounds(bad)) {
					ways = append(ways, bad...)
				}
			}
			if len(unchanged(rounds(ways), call, r, f.memory)) > 0 {
				set[call] = true
			}
		}
	}
	addSilent(r, set)
	return set
}

// addSilent adds calls that report no failure themselves but through a call on their result, as rdb.Get(key).Bytes() does.
func addSilent(r *region, set map[ssa.Instruction]bool) {
	work := make([]ssa.Instruction, 0, len(set))
	for instr := range set {
		work = append(work, instr)
	}
	for len(work) > 0 {
		call, ok := work[len(work)-1].(*ssa.Call)
		work = work[:len(work)-1]
		if !ok {
			continue
		}
		for _, arg := range append([]ssa.Value{call.Call.Value}, call.Call.Args...) {
			maker, isCall := arg.(*ssa.Call)
			if isCall && !set[maker] && r.blocks[maker.Block()] && outcomeOf(maker) == noOutcome {
				set[maker] = true
				work = append(work, maker)
			}
		}
	}
}

// againWhen tells which boolean result of call sends control round in r: "true", "false", or "" if none decides.
func againWhen(r *region, call ssa.CallInstruction) string {
	for _, b := range r.inOrder() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		x, isResult := strip(branch.Cond).(*ssa.Extract)
		if !isResult || x.Tuple != call.Value() || !isBoolean(x.Type()) {
			continue
		}
		negated := branch.Cond != ssa.Value(x)
		switch stays, leaves := r.blocks[b.Succs[0]], !r.blocks[b.Succs[0]]; {
		case leaves && r.blocks[b.Succs[1]]:
			return word(negated)
		case stays && !r.blocks[b.Succs[1]]:
			return word(!negated)
		}
	}
	return ""
}

func word(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// contextUse tells what r does with a context.
func (f *finder) contextUse(r *region) string {
	use := "none"
	for _, p := range f.function.Params {
		if isContext(p.Type()) {
			use = "ignored"
		}
	}
	for _, b := range r.inOrder() {
		for _, instr := range b.Instrs {
			if watches(instr) {
				return "watched"
			}
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			for _, a := range call.Call.Args {
				if isContext(a.Type()) {
					use = "given"
				}
			}
		}
	}
	return use
}

// watches reports whether instr asks a context, or a done channel, whether to stop.
func watches(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Call:
		call := &instr.Call
		return call.IsInvoke() && isContext(call.Value.Type()) && (call.Method.Name() == "Err" || call.Method.Name() == "Done")
	case *ssa.Select:
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly && isEmptyStruct(s.Chan.Type()) {
				return true
			}
		}
	}
	return false
}

func isEmptyStruct(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	st, ok := ch.Elem().Underlying().(*types.Struct)
	return ok && st.NumFields() == 0
}

// sharedCounter returns the variable behind a pointer parameter that the region counts with, if there is one.
func (f *finder) sharedCounter(r *region) ssa.Value {
	for _, b := range f.function.Blocks {
		if !r.blocks[b] {
			continue
		}
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		for _, op := range branch.Cond.(interface {
			Operands([]*ssa.Value) []*ssa.Value
		}).Operands(nil) {
			if c := counterCell(r, *op); c != nil {
				return c
			}
		}
	}
	return nil
}

// counterCell returns the variable that v reads, if others may count with it: the integer behind a pointer parameter, or a
// variable whose address a call in r is given.
func counterCell(r *region, v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || !isInteger(load.Type()) {
		return nil
	}
	switch cell := load.X.(type) {
	case *ssa.Parameter:
		return cell
	case *ssa.Alloc:
		for _, ref := range *cell.Referrers() {
			if _, isCall := ref.(*ssa.Call); isCall && r.blocks[ref.Block()] {
				return cell
			}
		}
	}
	return nil
}

// locate finds the position of the statement that loops.
func (f *finder) locate(s *Site) {
	s.Pos = s.Operation.Pos()
	if s.Kind == Recursion {
		s.Pos = f.function.Pos()
		return
	}
	if s.Kind == Straight {
		return
	}
	if stmt := enclosingLoop(f.function.Syntax(), s.region); stmt != nil {
		s.Pos = stmt.Pos()
		return
	}
	s.Kind = Goto
	if label := enclosingLabel(f.function.Syntax(), s.region); label != nil {
		s.Pos = label.Pos()
	}
}

// enclosingLoop returns the smallest for or range statement that holds all instructions of r.
func enclosingLoop(syntax ast.Node, r *region) ast.Node {
	first, last := extent(r)
	if syntax == nil || !first.IsValid() {
		return nil
	}
	var best ast.Node
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() <= first && last <= n.End() {
				best = n
			}
		}
		return true
	})
	return best
}

func enclosingLabel(syntax ast.Node, r *region) ast.Node {
	first, _ := extent(r)
	if syntax == nil || !first.IsValid() {
		return nil
	}
	var best ast.Node
	ast.Inspect(syntax, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok && l.Pos() <= first && (best == nil || l.Pos() > best.Pos()) {
			best = l
		}
		return true
	})
	return best
}

// extent returns the first and last position in r. Positions of the phis are left out: they are where variables are declared.
func extent(r *region) (first, last token.Pos) {
	for _, b := range r.inOrder() {
		for _, instr := range b.Instrs {
			if _, isPhi := instr.(*ssa.Phi); isPhi || !instr.Pos().IsValid() {
				continue
			}
			if _, isAlloc := instr.(*ssa.Alloc); isAlloc {
				continue
			}
			if !first.IsValid() || instr.Pos() < first {
				first = instr.Pos()
			}
			if instr.Pos() > last {
				last = instr.Pos()
			}
		}
	}
	return first, last
}

func calleeName(c *ssa.CallCommon) string {
	if c.IsInvoke() {
		return c.Method.Name()
	}
	if fn := c.StaticCallee(); fn != nil {
		if fn.Origin() != nil {
			fn = fn.Origin()
		}
		return fn.Name()
	}
	if load, ok := c.Value.(*ssa.UnOp); ok {
		if fa, isField := load.X.(*ssa.FieldAddr); isField {
			return fieldName(fa)
		}
	}
	return strings.TrimPrefix(c.Value.Name(), "*")
}

func fieldName(fa *ssa.FieldAddr) string {
	t := fa.X.Type().Underlying().(*types.Pointer).Elem().Underlying()
	if st, ok := t.(*types.Struct); ok {
		return st.Field(fa.Field).Name()
	}
	return ""
}
