package sites

import (
	"go/constant"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// An End says how often a function is asked until it answers stop, in terms of its parameters: it executes the function again
// and again, on what the call before has left in memory. Integer parameters grow by one from call to call: they are attempt
// numbers, as far as they decide.
type End struct {
	// Stop is the answer; AnyStop stands for the answers of a function that hands on what another one answers.
	Stop     string
	Attempts value.Term
}

// AnyStop is the answer of a function that only hands on answers.
const AnyStop = "any"

const (
	maxPolicyBlocks = 60    // of a function that may be a policy
	maxAsked        = 100   // a policy that is asked more often has no end
	maxPolicySteps  = 10000 // of one walk through policies
	maxZeros        = 5     // integers that may mean "no limit"
)

// Ends returns how often fn is asked until it stops, for each answer that it gives to say so.
func Ends(fn *ssa.Function, values Evaluator) []End {
	if len(fn.Blocks) == 0 || len(fn.Blocks) > maxPolicyBlocks || !mayBePolicy(fn) {
		return nil
	}
	p := &policy{function: fn, memory: memoryOf(fn), values: values}
	p.region = &region{function: fn, head: fn.Blocks[0], blocks: map[*ssa.BasicBlock]bool{}, recursive: map[ssa.Instruction]bool{}}
	for _, b := range fn.Blocks {
		p.region.blocks[b] = true
	}
	var list []End
	for _, stop := range p.stops() {
		if t := p.asked(stop); t.Known() {
			list = append(list, End{Stop: stopOf(stop.index, stop.answer), Attempts: t})
		}
	}
	if len(list) == 0 {
		return p.handedOn()
	}
	return list
}

// mayBePolicy reports whether fn answers with a delay, or with a boolean and counts in its receiver.
func mayBePolicy(fn *ssa.Function) bool {
	if isPolicyAnswer(fn.Signature) {
		return true
	}
	results := fn.Signature.Results()
	if results.Len() != 1 || !isBoolean(results.At(0).Type()) || fn.Signature.Recv() == nil {
		return false
	}
	return countsInReceiver(fn)
}

func countsInReceiver(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok || !isInteger(s.Val.Type()) {
				continue
			}
			if fa, isField := s.Addr.(*ssa.FieldAddr); isField && fa.X == ssa.Value(fn.Params[0]) {
				return true
			}
		}
	}
	return false
}

// policy is a function that is asked.
type policy struct {
	function *ssa.Function
	region   *region
	memory   *memory
	values   Evaluator
	asks     []*ask
}

type stopAnswer struct {
	index  int
	answer string
}

// stops lists the constant answers by which the function may say stop. A function with several delays below zero means
// something else by each.
func (p *policy) stops() []stopAnswer {
	var list []stopAnswer
	negatives := map[string]bool{}
	add := func(s stopAnswer) {
		for _, known := range list {
			if known == s {
				return
			}
		}
		list = append(list, s)
	}
	for _, ret := range p.returns() {
		for i, v := range ret.Results {
			if _, isComparison := v.(*ssa.BinOp); isComparison && isBoolean(v.Type()) {
				add(stopAnswer{i, NotTrue})
				add(stopAnswer{i, TrueStop})
			}
			for _, c := range constantsOf(v, 0) {
				switch {
				case c.Value == nil:
				case isInteger(c.Type()) && constant.Sign(c.Value) < 0:
					negatives[c.Value.ExactString()] = true
					add(stopAnswer{i, Negative})
				case isDuration(c.Type()) && constant.Sign(c.Value) == 0:
					add(stopAnswer{i, ZeroStop})
				case isBoolean(c.Type()):
					add(stopAnswer{i, word(constant.BoolVal(c.Value))})
				}
			}
		}
	}
	if len(negatives) > 1 {
		return nil
	}
	return list
}

func (p *policy) returns() []*ssa.Return {
	var list []*ssa.Return
	for _, b := range p.function.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			list = append(list, ret)
		}
	}
	return list
}

// constantsOf lists the constants that v may be, through variables that several ways assign.
func constantsOf(v ssa.Value, depth int) []*ssa.Const {
	switch v := v.(type) {
	case *ssa.Const:
		return []*ssa.Const{v}
	case *ssa.Phi:
		var list []*ssa.Const
		for _, e := range v.Edges {
			if depth < 4 {
				list = append(list, constantsOf(e, depth+1)...)
			}
		}
		return list
	}
	return nil
}

// asked returns how often the function is asked until it gives the answer.
func (p *policy) asked(stop stopAnswer) value.Term {
	p.asks = p.delegates(stop)
	e := &ender{policy: p, stop: stop}
	return e.tree(&counter{walk: e.run, durations: true, starts: e.starts()}, map[int]int64{})
}

// handedOn finds a function that does nothing but ask another one, whose answers mean what they mean there.
func (p *policy) handedOn() []End {
	returns := p.returns()
	if len(returns) != 1 {
		return nil
	}
	var list []End
	for i, v := range returns[0].Results {
		call, index := resultOf(v)
		if call == nil || index != i || !isDuration(v.Type()) && !isBoolean(v.Type()) {
			continue
		}
		if a := newAsk(p.region, call, index, AnyStop, p.memory, p.values); a != nil {
			list = append(list, End{Stop: stopOf(i, AnyStop), Attempts: a.limit})
		}
	}
	return list
}

// delegates are the policies that the function asks in its turn, and whose answer it hands on.
func (p *policy) delegates(stop stopAnswer) []*ask {
	var list []*ask
	seen := map[*ssa.Call]bool{}
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if phi, ok := v.(*ssa.Phi); ok && depth < 4 {
			for _, e := range phi.Edges {
				visit(e, depth+1)
			}
			return
		}
		call, index := resultOf(v)
		if call == nil || seen[call] || index != stop.index {
			return
		}
		seen[call] = true
		if a := newAsk(p.region, call, index, stop.answer, p.memory, p.values); a != nil {
			list = append(list, a)
		}
	}
	for _, ret := range p.returns() {
		if stop.index < len(ret.Results) {
			visit(ret.Results[stop.index], 0)
		}
	}
	return list
}

// ender executes a policy again and again, until all ways through it stop.
type ender struct {
	*policy
	stop   stopAnswer
	opaque bool // a condition that isn't known decided
	late   bool // all time has passed
}

// tree returns the number of calls where the integers in fixed have the values given there. Where zero, or a number below
// zero, takes a limit away, a condition tells.
func (e *ender) tree(c *counter, fixed map[int]int64) value.Term {
	t := e.leaf(c, fixed)
	for i := 0; i < len(c.unknown); i++ {
		u := c.unknown[i]
		if _, isFixed := fixed[i]; isFixed || len(fixed) >= maxZeros || isLimit(u) {
			continue
		}
		zero, below := with(fixed, i, 0), with(fixed, i, -1)
		atZero := e.lacks(c, zero, t, value.Replace(t, u, value.Number(0)))
		belowZero := e.lacks(c, below, t, value.Replace(t, u, value.Number(-1)))
		switch {
		case atZero && belowZero:
			t = value.Choose(value.Operation("<=", u, value.Number(0)), e.tree(c, zero), t)
		case atZero:
			t = value.Choose(value.Operation("==", u, value.Number(0)), e.tree(c, zero), t)
		case belowZero:
			t = value.Choose(value.Operation("<", u, value.Number(0)), e.tree(c, below), t)
		}
	}
	return t
}

// lacks reports whether, with the values in fixed, there is no limit any more or one that t, which is expected then, doesn't
// tell.
func (e *ender) lacks(c *counter, fixed map[int]int64, t, expected value.Term) bool {
	if t.Kind == value.Unknown || t.Kind == value.Endless && t.Name == "" {
		return false
	}
	c.fixed = fixed
	n := c.settle()
	c.fixed = nil
	if t.Kind == value.Endless {
		return n < 0 && e.leaf(c, fixed).Name == ""
	}
	m, known := c.at(expected).IsInt()
	return n < 0 || known && n > 1 && int64(n) > m+1
}

// at computes t with the trial values.
func (c *counter) at(t value.Term) value.Term {
	for i, u := range c.unknown {
		if i < len(c.trial) {
			t = value.Replace(t, u, value.Number(c.trial[i]))
		}
	}
	return t
}

func with(fixed map[int]int64, i int, n int64) map[int]int64 {
	c := map[int]int64{i: n}
	for j, m := range fixed {
		c[j] = m
	}
	return c
}

// isLimit reports whether t depends on how often another policy is asked.
func isLimit(t value.Term) bool {
	return t.Any(func(part value.Term) bool { return part.Kind == value.Until })
}

// leaf returns the number of calls without regard to what zero may mean.
func (e *ender) leaf(c *counter, fixed map[int]int64) value.Term {
	c.fixed = fixed
	defer func() { c.fixed = nil }()
	base := c.settle()
	if base >= 0 {
		if t, ok := c.interpolate(base); ok {
			return t
		}
	}
	if e.opaque || base == lost {
		return value.Term{} // something decides that isn't known
	}
	e.late = true
	late := c.run()
	e.late = false
	if late >= 0 {
		return value.Unending("elapsed")
	}
	return value.Unending("")
}

// starts returns the number of integers that the function counts with.
func (e *ender) starts() int {
	w := e.walk(nil, nil)
	w.begin()
	return len(w.unknown)
}

// run makes one walk, with trial values for the integers that nobody knows.
func (e *ender) run(unknown []value.Term, trial []int64, _ bool) (n int, met []value.Term) {
	w := e.walk(unknown, trial)
	x := &execution{walker: w, stop: e.stop, memo: map[string]int{}, open: map[string]bool{}}
	n = x.from(w.begin()[0], 0)
	e.opaque = e.opaque || x.opaque
	if x.gaveUp {
		n = lost
	}
	return n, w.unknown
}

func (e *ender) walk(unknown []value.Term, trial []int64) *walker {
	w := newWalker(e.region, nil, failed, e.memory, e.values)
	w.durations, w.unknown, w.trial, w.asks, w.late, w.policy = true, unknown, trial, e.asks, e.late, true
	for _, ret := range e.returns() {
		w.mark(ret.Results[e.stop.index])
	}
	return w
}

// execution finds the way with the most calls until the function stops.
type execution struct {
	*walker
	stop   stopAnswer
	memo   map[string]int
	open   map[string]bool
	opaque bool
	gaveUp bool
}

func (x *execution) from(s state, asked int) int {
	key := x.key(s)
	if n, ok := x.memo[key]; ok {
		return n
	}
	if x.open[key] || asked > maxAsked {
		return endless
	}
	if x.steps++; x.steps > maxPolicySteps {
		x.gaveUp = true
		return endless
	}
	x.open[key] = true
	n := x.through(s, asked)
	delete(x.open, key)
	x.memo[key] = n
	return n
}

// through executes the block of s and what follows, to the end of this call and of those after it.
func (x *execution) through(s state, asked int) int {
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = x.store(instr, e)
		case *ssa.Call:
			e = x.ask(instr, e)
		case *ssa.Return:
			if x.stops(instr.Results[x.stop.index], e) {
				return 1
			}
			return add(1, x.from(x.callAgain(e), asked+1))
		}
	}
	x.opaque = x.opaque || x.hidden(s.block, e)
	next, _ := x.successors(state{block: s.block, env: e}, e)
	most := 0
	if len(next) == 0 {
		return 1 // a panic
	}
	for _, n := range next {
		more := x.from(n, asked)
		if more == endless {
			return endless
		}
		most = max(most, more)
	}
	return most
}

// stops reports whether an answer is known to say stop.
func (x *execution) stops(v ssa.Value, e env) bool {
	f := x.fact(v, e)
	switch x.stop.answer {
	case Negative:
		return f.kind == integer && f.n < 0 && !f.tried
	case ZeroStop:
		return f.kind == integer && f.n == 0 && !f.tried
	}
	return f.kind == boolean && (f.n != 0) == (x.stop.answer == TrueStop)
}

// callAgain returns the state in which the next call begins: attempt numbers have grown, local variables are new.
func (x *execution) callAgain(e env) state {
	next := make(env, len(e))
	for k, f := range e {
		switch k := k.(type) {
		case *ssa.Phi, *ssa.Alloc:
		case *ssa.Parameter:
			if f.kind == integer {
				f.n++
			}
			next[k] = f
		default:
			next[k] = f
		}
	}
	return state{block: x.region.head, env: next}
}

// hidden reports whether the branch at the end of b is decided by a call that nothing is known of. A call that is given the
// error classifies it, and counts nothing.
func (x *execution) hidden(b *ssa.BasicBlock, e env) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || x.fact(branch.Cond, e).kind == boolean {
		return false
	}
	switch cond := strip(branch.Cond).(type) {
	case *ssa.Call:
		return !passesError(cond) && !x.values.Local(cond)
	case *ssa.BinOp:
		return x.grows(cond.X) || x.grows(cond.Y)
	}
	return false
}

// grows reports whether v is a delay that the policy keeps from call to call: it may end the attempts by its size.
func (x *execution) grows(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok || !isDuration(v.Type()) {
		return false
	}
	cell := x.memory.cell(load.X)
	_, local := cell.(*ssa.Alloc)
	return !local && x.memory.written(x.region, cell)
}
