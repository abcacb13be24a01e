package sites

import (
	"go/token"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// An Ending is a way in which a function returns although the last attempt has failed.
type Ending struct {
	// Call is what has failed.
	Call   *ssa.Call
	Return *ssa.Return
	// Error is the value that the error is on this way: it is no phi, and no variable.
	Error ssa.Value
	Verdict
	// Told is set if something is written about it on the way: then nobody forgot. Literal is set if the return statement itself
	// spells the error out, as nil or as a new one. Sifted is set if the way leads through a test that what a function made of the
	// failure, such as one that leaves out a kind of errors, isn't nil.
	Told, Literal, Sifted bool
}

// A Verdict says what the caller learns of the last failure.
type Verdict uint8

const (
	Passed  Verdict = iota // the failure, or something that may be made of it
	Nothing                // nil
	Idle                   // the error of a context that isn't done: nil
	Fresh                  // an error that isn't made of the failure
	Missed                 // an error that is meant for this, behind a test of the counter that is never true
)

// Endings tells how the function of the site returns once the attempts are used up, where the site decides that itself: by
// counting, by the time that has passed, or by asking a policy or iterator.
func (s *Site) Endings(values Evaluator) []Ending {
	if s.Kind == Straight {
		return s.endingsOfSecond(values)
	}
	if s.region == nil {
		return nil
	}
	found := s.emptyHanded(values)
	for _, b := range s.region.inOrder() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if ok && s.Repeated[call] && outcomeOf(call) == byError && !values.Local(call) {
				found = append(found, s.endingsOf(call, values)...)
			}
		}
	}
	return found
}

// endingsOfSecond follows the failure of the second of two attempts.
func (s *Site) endingsOfSecond(values Evaluator) []Ending {
	for instr := range s.Repeated {
		if call, ok := instr.(*ssa.Call); ok && instr != ssa.Instruction(s.Operation) {
			return EndingsAfter(call, values)
		}
	}
	return nil
}

// emptyHanded lists the returns behind attempts of which no status was accepted that return no result, and no error.
func (s *Site) emptyHanded(values Evaluator) []Ending {
	call, ok := s.Operation.(*ssa.Call)
	if !ok || s.outcome != succeeded || s.region.recursive != nil {
		return nil
	}
	m := memoryOf(s.Function)
	var found []Ending
	for _, b := range s.region.inOrder() {
		for _, succ := range b.Succs {
			if s.region.blocks[succ] || !usesUp(b, s.region, call, m, values) {
				continue
			}
			if ret, isReturn := succ.Instrs[0].(*ssa.Return); isReturn && len(ret.Results) > 1 && allNil(ret.Results) {
				found = append(found, Ending{Call: call, Return: ret, Error: ret.Results[len(ret.Results)-1], Verdict: Nothing, Literal: true})
			}
		}
	}
	return found
}

// allNil reports whether the results are nil, all of them.
func allNil(results []ssa.Value) bool {
	return !slices.ContainsFunc(results, func(v ssa.Value) bool { return !isNilConst(v) })
}

// endingsOf follows the failure of one of the calls that are repeated. Counters are executed, with trial values for what nobody
// knows: a way out that no count can reach is none, and a test of the counter behind the loop has one answer.
func (s *Site) endingsOf(call *ssa.Call, values Evaluator) []Ending {
	var a *aftermath
	c := &counter{walk: func(unknown []value.Term, trial []int64, _ bool) (int, []value.Term) {
		a = newAftermath(s.region, call, values)
		a.within, a.unknown, a.trial = s.region, unknown, trial
		for _, begin := range a.entries() {
			a.follow(begin, trail{})
		}
		return a.steps, a.unknown
	}}
	c.settle()
	return a.result()
}

// EndingsAfter tells how the function of call returns after call has failed.
func EndingsAfter(call *ssa.Call, values Evaluator) []Ending {
	if outcomeOf(call) != byError {
		return nil
	}
	a := newAftermath(wholeRegion(call.Parent()), call, values)
	a.follow(state{block: call.Block(), from: indexOf(call) + 1, env: env{}}, trail{failed: true, left: true})
	return a.result()
}

// Swallowed lists the ways in which an operation, which a site executes until it returns nil, returns nil although a call in it
// has failed: those on which the failure has just been found to be one that counts, or all, if the operation never fails.
func Swallowed(fn *ssa.Function, values Evaluator) []Ending {
	var found []Ending
	fails := mayFail(fn)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || values.Local(call) || passesError(call) || isMaker(call) {
				continue
			}
			for _, e := range EndingsAfter(call, values) {
				if e.Verdict == Nothing && !e.Told && (e.Sifted || !fails) {
					found = append(found, e)
				}
			}
		}
	}
	return found
}

// mayFail reports whether fn has an error to return that isn't nil, whatever happens.
func mayFail(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) == 0 {
			continue
		}
		if v := ret.Results[len(ret.Results)-1]; !isNilConst(v) && !knownNil(v, b) {
			return true
		}
	}
	return false
}

// aftermath follows the ways of a function on which an operation fails, to its end.
type aftermath struct {
	*walker
	within *region // the attempts are used up where it is left; nil if the operation isn't repeated here
	seen   map[string]bool
	found  []Ending
	passed map[*ssa.Return]bool // return statements behind a test of the counter that says no
}

// trail is what happened on a way.
type trail struct {
	failed   bool // the operation, at least once
	left     bool // the attempts are used up
	told     bool // something was written about it
	operated bool // something else was tried since
	named    bool // the failure was found to be a certain one, since
	canceled bool // a context was found to be done, since
	sifted   bool // what a function made of the failure was found to be other than nil
	tested   bool // it was asked whether there was a failure, since
	rejected bool // the site was left since a classifier doesn't repeat the failure, whatever it is
}

func newAftermath(r *region, call *ssa.Call, values Evaluator) *aftermath {
	fn := call.Parent()
	w := newWalker(r, call, failed, memoryOf(fn), values)
	whole := wholeRegion(fn)
	maps.Copy(w.relevant, relevant(whole, w.memory))
	w.origins = true
	w.markErrors(whole)
	w.markReturned(fn)
	return &aftermath{walker: w, seen: map[string]bool{}, passed: map[*ssa.Return]bool{}}
}

// read is what is known of v where it is assigned to something, and where it comes from.
func (w *walker) read(v ssa.Value, e env) fact {
	f := w.fact(v, e)
	if !w.origins {
		return f
	}
	if f.from == nil && typename.IsError(v.Type()) {
		f.from = v
	}
	return f
}

// entries are the states in which the region begins.
func (c *aftermath) entries() []state {
	var list []state
	head := c.within.head
	for _, pred := range head.Preds {
		if !c.within.blocks[pred] {
			list = append(list, c.enter(pred, head, c.stored()))
		}
	}
	if len(head.Preds) == 0 {
		list = append(list, state{block: head, env: c.stored()})
	}
	return list
}

// stored is what the variables in memory hold when the region begins.
func (c *aftermath) stored() env {
	e := env{}
	for cell := range c.relevant {
		if v := c.memory.initial(c.within, cell); v != nil {
			if f := c.read(v, nil); f.known() {
				e[cell] = f
			}
		}
	}
	return e
}

func (c *aftermath) follow(s state, t trail) {
	key := c.key(s) + t.key()
	if c.steps++; c.seen[key] || c.steps > maxEndingSteps || c.memory.exhausted() {
		return
	}
	c.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = c.store(instr, e)
		case *ssa.Call:
			if t = c.passes(instr, t); c.within != nil && c.within.recursive[instr] {
				c.follow(c.restart(instr, e), t)
				return
			}
		case *ssa.Return:
			c.arrive(instr, e, t)
		}
	}
	if t.left {
		c.pass(s.block, e)
	}
	for _, succ := range c.open(s.block, e) {
		if u, ok := c.goesOn(s.block, succ, e, t); ok {
			c.follow(c.enter(s.block, succ, c.refine(s.block, succ, e)), u)
		}
	}
}

const maxEndingSteps = 8000

// pass notes a return statement of an error that isn't reached, since what the counter is compared with is its bound, and the
// comparison says no.
func (c *aftermath) pass(b *ssa.BasicBlock, e env) {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || c.within == nil {
		return
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	f := c.fact(branch.Cond, e)
	if !ok || f.kind != boolean || !f.moving || !isInteger(test.X.Type()) || !c.bounds(test) {
		return
	}
	other := b.Succs[f.n]
	ret, ok := other.Instrs[len(other.Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) == 0 {
		return
	}
	v := ret.Results[len(ret.Results)-1]
	if stored := storedIn(other, v); stored != nil {
		v = stored
	}
	if typename.IsError(v.Type()) && c.isMade(v) {
		c.passed[ret] = true
	}
}

// bounds reports whether test compares with the same number as a test that ends the attempts.
func (c *aftermath) bounds(test *ssa.BinOp) bool {
	for _, b := range c.within.inOrder() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || c.within.blocks[b.Succs[0]] && c.within.blocks[b.Succs[1]] || !c.usedUp(b) {
			continue
		}
		end, ok := branch.Cond.(*ssa.BinOp)
		if !ok {
			continue
		}
		bound := c.values.Term(end.Y)
		if bound.Known() && value.Equal(bound, c.values.Term(test.Y)) {
			return true
		}
	}
	return false
}

// missed lists the return statements that no way reaches.
func (c *aftermath) missed() []Ending {
	var list []Ending
	for _, b := range c.operation.Parent().Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if ok && c.passed[ret] && !slices.ContainsFunc(c.found, func(e Ending) bool { return e.Return == ret }) {
			list = append(list, Ending{Call: c.operation.Value(), Return: ret, Verdict: Missed})
		}
	}
	return list
}

// open lists the blocks that may follow b, in the region and beyond.
func (c *aftermath) open(b *ssa.BasicBlock, e env) []*ssa.BasicBlock {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return b.Succs
	}
	if f := c.fact(branch.Cond, e); f.kind == boolean {
		return b.Succs[1-f.n : 2-f.n]
	}
	return b.Succs
}

// passes notes what a call does on the way.
func (c *aftermath) passes(call *ssa.Call, t trail) trail {
	if ssa.CallInstruction(call) == c.operation {
		t.failed = true
		return t
	}
	if !t.left || isMaker(call) || passesError(call) && outcomeOf(call) == byError {
		return t
	}
	switch {
	case outcomeOf(call) == noOutcome && tells(call):
		t.told = true
	case outcomeOf(call) == byError && !c.values.Local(call) && calleeName(&call.Call) != "Close":
		t.told = t.told || tells(call)
		t.operated = t.operated || !tells(call) && !isContextError(call)
	}
	return t
}

// goesOn reports whether the way from b to succ is one to follow: out of the region only where the attempts are used up.
func (c *aftermath) goesOn(b, succ *ssa.BasicBlock, e env, t trail) (trail, bool) {
	if !t.left && c.leaves(b, succ) {
		t.rejected = !c.usedUp(b)
		t.left = t.failed && (!t.rejected || c.rejects(b, succ, e))
		return t, t.left
	}
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] || !t.left {
		return t, true
	}
	yes := succ == b.Succs[0]
	t.named = t.named || c.names(branch.Cond, yes, e) || t.tested && c.asksElse(branch.Cond, e)
	t.sifted = t.sifted || c.sifts(branch.Cond, yes, e)
	t.tested = t.tested || c.testsFailure(branch.Cond, e)
	t.canceled = t.canceled || boundOf(branch.Cond, 0) == "context"
	return t, true
}

// leaves reports whether there is no other attempt once control goes from b to succ.
func (c *aftermath) leaves(b, succ *ssa.BasicBlock) bool {
	if c.within.recursive == nil {
		return c.within.blocks[b] && !c.within.blocks[succ]
	}
	return len(b.Succs) > 1 && c.recurs(b) && !c.recurs(succ)
}

// recurs reports whether control can get from the begin of b to a call that begins a recursive region again.
func (c *aftermath) recurs(b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool { return c.within.recursive[i] }) || slices.ContainsFunc(b.Succs, visit)
	}
	return visit(b)
}

// rejects reports whether the branch from b to succ is taken since a classifier says that the failure isn't one to repeat: it
// is none in particular.
func (c *aftermath) rejects(b, succ *ssa.BasicBlock, e env) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return false
	}
	call, ok := strip(branch.Cond).(*ssa.Call)
	return ok && isBoolean(call.Type()) && passesError(call) && !c.names(branch.Cond, succ == b.Succs[0], e)
}

// names reports whether cond, with the given answer, says that the failure is a certain one: errors.Is, a code, a type.
func (c *aftermath) names(cond ssa.Value, yes bool, e env) bool {
	cond, yes = Unnegated(cond, yes)
	if test, ok := cond.(*ssa.BinOp); ok {
		if isNilConst(test.X) || isNilConst(test.Y) {
			return c.sifts(cond, !yes, e)
		}
		if test.Op == token.NEQ {
			yes = !yes
		}
	}
	return yes && dependsOn(cond, c.operation.Value(), wholeRegion(c.operation.Parent()), c.memory) || yes && c.asksFailure(cond)
}

// sifts reports whether cond, with the given answer, says that what a function made of an error isn't nil.
func (c *aftermath) sifts(cond ssa.Value, yes bool, e env) bool {
	subject, ok := nilTested(cond)
	if !ok {
		return false
	}
	test := cond.(*ssa.BinOp)
	call, ok := c.read(subject, e).from.(*ssa.Call)
	return ok && typename.IsError(call.Type()) && passesError(call) && !isMaker(call) && (test.Op == token.NEQ) == yes
}

// nilTested returns the error that cond compares with nil.
func nilTested(cond ssa.Value) (subject ssa.Value, ok bool) {
	test, ok := cond.(*ssa.BinOp)
	if !ok || !isNilConst(test.Y) || !typename.IsError(test.X.Type()) || test.Op != token.EQL && test.Op != token.NEQ {
		return nil, false
	}
	return test.X, true
}

// testsFailure reports whether cond asks whether there was a failure.
func (c *aftermath) testsFailure(cond ssa.Value, e env) bool {
	subject, ok := nilTested(cond)
	return ok && c.carries(c.read(subject, e).from)
}

// asksElse reports whether cond asks for something that isn't decided by the failure: where it was found before, what is
// returned is an answer to more than that.
func (c *aftermath) asksElse(cond ssa.Value, e env) bool {
	if _, isNilTest := nilTested(cond); isNilTest || c.fact(cond, e).kind == boolean {
		return false
	}
	call, isCall := strip(cond).(*ssa.Call)
	return !isCall || !passesError(call)
}

// asksFailure reports whether cond is made of a call that is given an error.
func (c *aftermath) asksFailure(cond ssa.Value) bool {
	switch v := cond.(type) {
	case *ssa.Call:
		return passesError(v)
	case *ssa.BinOp:
		return typename.IsError(v.X.Type()) || c.asksFailure(v.X) || c.asksFailure(v.Y)
	case *ssa.Extract:
		return c.asksFailure(v.Tuple)
	case *ssa.TypeAssert:
		return typename.IsError(v.X.Type())
	}
	return false
}

// usedUp reports whether the branch at the end of b leaves the region because attempts or time are used up.
func (c *aftermath) usedUp(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond := strip(branch.Cond)
	if call, isCall := cond.(*ssa.Call); isCall && (c.values.Iterator(call) || ofContext(call, 0)) {
		return true // the context's deadline would pass, but hasn't yet
	}
	if boundOf(cond, 0) == "elapsed" {
		return true
	}
	test, ok := cond.(*ssa.BinOp)
	if !ok || !isInteger(test.X.Type()) || boundOf(cond, 0) != "" {
		return false
	}
	k := &counting{aftermath: c, seen: map[ssa.Value]bool{}}
	return k.only(test.X) && k.only(test.Y) && k.moves
}

// counting tells whether a value is made of counters, delays and what the region doesn't change.
type counting struct {
	*aftermath
	seen  map[ssa.Value]bool
	moves bool // it changes from attempt to attempt
}

func (k *counting) only(v ssa.Value) bool {
	if v == nil || k.seen[v] {
		return true
	}
	k.seen[v] = true
	if k.within.carried(v) && isInteger(v.Type()) {
		k.moves = true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || !k.within.blocks[instr.Block()] {
		return true
	}
	switch v := v.(type) {
	case *ssa.Call:
		if isDuration(v.Type()) {
			k.moves = true
			return true // the policy's next delay
		}
		if _, isBuiltin := v.Call.Value.(*ssa.Builtin); !isBuiltin && !k.values.Local(v) {
			return false
		}
	case *ssa.Phi:
		if !isInteger(v.Type()) {
			return false
		}
		k.moves = true
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return k.variable(v.X)
		}
	}
	for _, op := range instr.Operands(nil) {
		if !k.only(*op) {
			return false
		}
	}
	return true
}

func (k *counting) variable(addr ssa.Value) bool {
	cell := k.memory.cell(addr)
	for _, s := range k.memory.stores[cell] {
		if k.within.blocks[s.Block()] {
			k.moves = true
		}
		if !k.only(s.Val) {
			return false
		}
	}
	return true
}

// arrive judges a return statement.
func (c *aftermath) arrive(ret *ssa.Return, e env, t trail) {
	last := len(ret.Results) - 1
	if !t.left || t.operated || t.named || last < 0 || !typename.IsError(ret.Results[last].Type()) || c.saysNo(ret, e) {
		return
	}
	v := ret.Results[last]
	f := c.read(v, e)
	if f.from == nil || writtenElsewhere(v) && (storedIn(ret.Block(), v) == nil || writtenLate(v)) {
		return
	}
	if stored := storedIn(ret.Block(), v); stored != nil {
		v = stored
	}
	_, isConst := v.(*ssa.Const)
	_, isMade := v.(*ssa.Call)
	verdict := c.verdict(f, ret, t)
	if verdict == Nothing && slices.ContainsFunc(ret.Results, c.carriesError) {
		return // the error lies in another result
	}
	if t.rejected && verdict != Nothing {
		return // what comes of a failure that isn't repeated is for the classifier's owner to say
	}
	c.found = append(c.found, Ending{
		Call: c.operation.Value(), Return: ret, Error: f.from, Told: t.told, Literal: isConst || isMade, Sifted: t.sifted,
		Verdict: verdict,
	})
}

// saysNo reports whether a boolean beside the error is false: that tells, too.
func (c *aftermath) saysNo(ret *ssa.Return, e env) bool {
	for _, v := range ret.Results {
		if f := c.fact(v, e); isBoolean(v.Type()) && f.kind == boolean && f.n == 0 {
			return true
		}
	}
	return false
}

// storedIn returns what b itself assigns to the variable that v reads: how a return statement sets a named result.
func storedIn(b *ssa.BasicBlock, v ssa.Value) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	for _, instr := range slices.Backward(b.Instrs) {
		if s, isStore := instr.(*ssa.Store); isStore && s.Addr == load.X {
			return s.Val
		}
	}
	return nil
}

// writtenElsewhere reports whether v is read from a variable that a function literal assigns to: what is in it isn't followed.
func writtenElsewhere(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL || load.X.Referrers() == nil {
		return false
	}
	for _, ref := range *load.X.Referrers() {
		if mc, isClosure := ref.(*ssa.MakeClosure); isClosure && writes(mc, load.X) {
			return true
		}
	}
	return false
}

// writtenLate reports whether a deferred function literal assigns to the variable that v is read from.
func writtenLate(v ssa.Value) bool {
	for _, ref := range *v.(*ssa.UnOp).X.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok || !writes(mc, v.(*ssa.UnOp).X) {
			continue
		}
		for _, use := range *mc.Referrers() {
			if _, isDefer := use.(*ssa.Defer); isDefer {
				return true
			}
		}
	}
	return false
}

func (c *aftermath) verdict(f fact, ret *ssa.Return, t trail) Verdict {
	switch {
	case f.kind == isNil || knownNil(f.from, ret.Block()):
		return Nothing
	case isContextErrorValue(f.from) && !t.canceled && c.within != nil:
		return Idle
	case t.told && isAnswer(f.from):
		return Passed // clients aren't told everything; the log is
	case c.isMade(f.from) && !c.carries(f.from) && !c.asksFor(f.from):
		return Fresh
	}
	return Passed
}

func isAnswer(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	callee := call.Call.StaticCallee()
	return callee != nil && callee.Object() != nil && catalog.Does(fullName(callee)) == "make-answer"
}

// isMade reports whether v is an error that is made here, or a sentinel, or encloses one.
func (c *aftermath) isMade(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Call:
		if inner := enclosed(v); inner != nil {
			return c.isMade(inner)
		}
		return isMaker(v)
	case *ssa.MakeInterface:
		return true
	case *ssa.UnOp:
		_, isGlobal := v.X.(*ssa.Global)
		return isGlobal && v.Op == token.MUL
	}
	return false
}

// asksFor reports whether v is a sentinel that something compares errors with: then it is the failure by another name.
func (c *aftermath) asksFor(v ssa.Value) bool {
	name := variableOf(v, c.values)
	if name == "" {
		return false
	}
	tests := testsIn(c.operation.Parent(), nil, c.values, 0)
	return tests[fault.Is(name)] || tests[fault.Same(name)]
}

// knownNil reports whether a branch before block b has found v to be nil.
func knownNil(v ssa.Value, b *ssa.BasicBlock) bool {
	isNil, known := foundNil(v, b)
	return known && isNil
}

// foundNil tells what a branch before block b has found out about v: whether it is nil.
func foundNil(v ssa.Value, b *ssa.BasicBlock) (isNil, known bool) {
	for d := b; d != nil; d = d.Idom() {
		above := d.Idom()
		if above == nil || len(d.Preds) != 1 || d.Preds[0] != above {
			continue
		}
		branch, ok := above.Instrs[len(above.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		test, ok := branch.Cond.(*ssa.BinOp)
		if !ok || test.X != v && test.Y != v || !isNilConst(test.X) && !isNilConst(test.Y) {
			continue
		}
		return (test.Op == token.EQL) == (d == above.Succs[0]), true
	}
	return false, false
}

func isContextErrorValue(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && isContextError(call)
}

// isContextError reports whether call asks a context for its error.
func isContextError(call *ssa.Call) bool {
	return call.Call.IsInvoke() && isContext(call.Call.Value.Type()) && call.Call.Method.Name() == "Err"
}

func (c *aftermath) result() []Ending {
	if c.steps > maxEndingSteps || c.keeps() {
		return nil
	}
	return append(c.found, c.missed()...)
}

func (t trail) key() string {
	b := []byte("/---------")
	for i, set := range []bool{t.failed, t.left, t.told, t.operated, t.named, t.canceled, t.sifted, t.rejected, t.tested} {
		if set {
			b[i+1] = '+'
		}
	}
	return string(b)
}
