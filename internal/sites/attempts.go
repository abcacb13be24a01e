package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

const (
	maxExecutions = 3000  // an operation that is executed more often has no end, or one that is unknown
	maxSteps      = 60000 // states of one walk; what it hasn't found by then is unknown
)

// endless is the number of executions of a region that doesn't end by itself, lost that of one whose walk was given up.
const (
	endless = -1
	lost    = -2
)

// attempts returns how often the operation is executed at most, if it has the outcome each time (failed, or succeeded with a
// status that isn't accepted): a number, a sum of unknown integers and a number, or, if ok is false, no end that the region
// itself decides. The number is unknown if the walk was given up.
//
// Unknown integers get values by trial. If the number of executions is a sum c + a·x + b·y at all points tried, that sum is
// the answer: for i := 0; i <= max; i++ makes max + 1. How often a policy lets itself be asked is such an integer.
// A boolean that a caller gives, and that switches the repetitions off, becomes a condition of the answer (switches.go).
func attempts(
	r *region, inner *region, operation ssa.CallInstruction, o outcome, boolean bool, asks []*ask, m *memory, values Evaluator,
) (t value.Term, ok bool) {
	var given *switches
	if r.recursive == nil { // a recursion may give itself another boolean
		given = &switches{}
	}
	walk := func(unknown []value.Term, trial []int64, durations bool) (int, []value.Term) {
		w := newWalker(r, operation, o, m, values)
		w.boolean, w.durations, w.unknown, w.trial, w.asks, w.switches = boolean, durations, unknown, trial, asks, given
		return walkAttempts(w, inner), w.unknown
	}
	c := &counter{walk: walk, switches: given}
	base := c.settle()
	if base == endless {
		c = &counter{walk: walk, switches: given, durations: true}
		if base = c.settle(); base == 1 && len(c.unknown) > 0 {
			base = endless // the trial value is less than the first delay
		}
	}
	switch base {
	case endless:
		return value.Term{}, false
	case lost:
		return value.Term{}, true
	}
	if t, ok = c.interpolate(base); ok {
		t = c.unlessOff(c.unlessZero(t))
	}
	return t, ok
}

func walkAttempts(w *walker, inner *region) int {
	l := &longest{walker: w, inner: inner, memo: map[string]int{}, open: map[string]int{}}
	most := 0
	for _, s := range w.begin() {
		n := l.from(s, 0)
		if n == endless {
			most = endless
			break
		}
		most = max(most, n)
	}
	if l.gaveUp {
		return lost
	}
	return most
}

// counter repeats walks with different trial values.
type counter struct {
	// walk returns the number of executions, and the integers met that nobody knows.
	walk      func(unknown []value.Term, trial []int64, durations bool) (n int, met []value.Term)
	durations bool
	unknown   []value.Term
	trial     []int64
	starts    int           // so many of unknown, the first ones, are where something begins to count
	fixed     map[int]int64 // integers that have one value, by their index
	switches  *switches     // nil where none count
}

const firstTrial = 7

// settle runs until all unknown integers that matter are met, and returns the number of executions.
func (c *counter) settle() int {
	n := c.run()
	for range 4 {
		if len(c.unknown) == len(c.trial) {
			break
		}
		for len(c.trial) < len(c.unknown) {
			c.trial = append(c.trial, c.trialOf(len(c.trial)))
		}
		n = c.run()
	}
	return n
}

// trialOf returns the first trial value of the unknown integer i: no two alike, so that no test for equality hits. What counts
// begins below its bound, and another policy's limit lies beyond what a policy counts itself.
func (c *counter) trialOf(i int) int64 {
	if i < c.starts {
		return 1 + int64(i)
	}
	n := firstTrial + 3*int64(i)
	if isLimit(c.unknown[i]) {
		n += limitTrial
	}
	return n
}

const limitTrial = 40

func (c *counter) run() int {
	trial := append([]int64(nil), c.trial...)
	for i, n := range c.fixed {
		if i < len(trial) {
			trial[i] = n
		}
	}
	n, met := c.walk(c.unknown, trial, c.durations)
	c.unknown = met
	return n
}

// unlessZero adds to t what happens where an integer that bounds the attempts is zero or negative: there may be no bound then.
func (c *counter) unlessZero(t value.Term) value.Term {
	for i, u := range c.unknown {
		if i >= len(c.trial) || isLimit(u) {
			continue
		}
		if c.endlessAt(i, 0) {
			t = value.Choose(value.Operation("==", u, value.Number(0)), value.Unending(""), t)
		}
		if c.endlessAt(i, -1) {
			t = value.Choose(value.Operation("<", u, value.Number(0)), value.Unending(""), t)
		}
	}
	return t
}

func (c *counter) endlessAt(i int, n int64) bool {
	c.fixed = map[int]int64{i: n}
	defer func() { c.fixed = nil }()
	return c.run() == endless
}

// interpolate finds the weights of the unknown integers, and checks them at one more point.
func (c *counter) interpolate(base int) (value.Term, bool) {
	weights := make([]int64, len(c.trial))
	for i := range c.trial {
		if _, isFixed := c.fixed[i]; isFixed {
			continue
		}
		weight, ok := c.weight(i, base)
		if !ok {
			return c.inexact(i), true
		}
		if weight == 0 {
			if weight, base = c.weightOfStart(i, base); base < 0 {
				return value.Term{}, false
			}
		}
		weights[i] = weight
	}
	rest := int64(base)
	for i, weight := range weights {
		rest -= weight * c.trial[i]
	}
	if len(c.trial) > 0 && !c.confirmed(rest, weights) {
		return c.inexact(heaviest(weights)), true
	}
	sum := value.Number(rest)
	for _, positive := range []bool{true, false} { // max - start reads better than 0 - start + max
		for i, weight := range weights {
			if weight != 0 && (weight > 0) == positive {
				sum = weighted(sum, c.unknown[i], weight)
			}
		}
	}
	return sum, true
}

// weight returns by how much the number of executions grows with the unknown integer i. ok is false if it doesn't grow evenly.
func (c *counter) weight(i, base int) (weight int64, ok bool) {
	const step = 4
	c.trial[i] += step
	n := c.run()
	c.trial[i] -= step
	if n < 0 || base < 0 {
		return 0, n == base
	}
	return int64(n-base) / step, (n-base)%step == 0
}

// weightOfStart tries an integer that makes no difference at its first trial value as the start of a counter: below its bound.
func (c *counter) weightOfStart(i, base int) (weight int64, newBase int) {
	before := c.trial[i]
	c.trial[i] = startTrial
	n := c.run()
	if n >= 0 {
		if weight, ok := c.weight(i, n); ok && weight < 0 {
			return weight, n
		}
	}
	c.trial[i] = before
	return 0, base
}

// startTrial is a value below most bounds.
const startTrial = -8

// heaviest returns the unknown integer that matters most.
func heaviest(weights []int64) int {
	best := 0
	for i, w := range weights {
		if max(w, -w) > max(weights[best], -weights[best]) {
			best = i
		}
	}
	return best
}

// weighted returns sum + weight·x, written the way people do.
func weighted(sum, x value.Term, weight int64) value.Term {
	term := x
	if weight != 1 && weight != -1 {
		term = value.Operation("*", x, value.Number(max(weight, -weight)))
	}
	if n, isNumber := sum.IsInt(); isNumber && weight > 0 {
		return value.Operation("+", term, value.Number(n))
	}
	if weight > 0 {
		return value.Operation("+", sum, term)
	}
	return value.Operation("-", sum, term)
}

func (c *counter) confirmed(rest int64, weights []int64) bool {
	want := rest
	for i, weight := range weights {
		c.trial[i] += 2
		want += weight * c.trial[i]
	}
	return int64(c.run()) == want
}

// inexact stands for a number that depends on an unknown integer in a way that is no sum.
func (c *counter) inexact(i int) value.Term {
	return value.Term{Kind: value.Symbol, Name: c.unknown[i].Text()}
}

// longest finds the path with the most executions of the operation. The paths of a region whose counters are known form a
// graph without cycles; a cycle with an execution in it has no end.
type longest struct {
	*walker
	inner  *region // the loop inside of the region that holds the operation: entering it counts, not the operation itself
	memo   map[string]int
	open   map[string]int // executions on the path when a state was begun
	gaveUp bool
}

func (l *longest) from(s state, executed int) int {
	key := l.key(s)
	if n, ok := l.memo[key]; ok {
		return n
	}
	if before, ok := l.open[key]; ok {
		if executed > before {
			return endless
		}
		return 0
	}
	l.steps++
	if tired := l.steps > maxSteps || l.memory.exhausted(); tired || executed > maxExecutions {
		l.gaveUp = tired || l.exits // a counter would end it, beyond what is looked at
		return endless
	}
	l.open[key] = executed
	n := l.through(s, executed)
	delete(l.open, key)
	l.memo[key] = n
	return n
}

// through executes the block of s and what follows.
func (l *longest) through(s state, executed int) int {
	e, own := s.env, 0
	for _, instr := range s.block.Instrs[s.from:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = l.store(instr, e)
		case *ssa.Call:
			if instr == l.operation && l.inner == nil {
				own++
			}
			e = l.ask(instr, e)
			if l.region.recursive[instr] {
				return add(own, l.from(l.restart(instr, e), executed+own))
			}
		}
	}
	next, _ := l.successors(state{block: s.block, env: e}, e)
	most := 0
	for _, n := range next {
		entered := 0
		if l.inner != nil && n.block == l.inner.head && !l.inner.blocks[s.block] {
			entered = 1
		}
		more := add(entered, l.from(n, executed+own+entered))
		if more == endless {
			return endless
		}
		most = max(most, more)
	}
	return own + most
}

func add(n, more int) int {
	if more == endless {
		return endless
	}
	return n + more
}
