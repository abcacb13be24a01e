package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

const (
	maxExecutions = 3000  // an operation that is executed more often counts as unlimited
	maxSteps      = 60000 // states of one walk; what it hasn't found by then counts as unlimited
)

// endless is the number of executions of a region that doesn't end by itself.
const endless = -1

// attempts returns how often the operation is executed at most, if it has the outcome each time (failed, or succeeded with a
// status that isn't accepted): a number, a sum of unknown integers and a number, or, if ok is false, no end that the region
// itself decides.
//
// Unknown integers get values by trial. If the number of executions is a sum c + a·x + b·y at all points tried, that sum is
// the answer: for i := 0; i <= max; i++ makes max + 1.
func attempts(
	r *region, inner *region, operation ssa.CallInstruction, o outcome, boolean bool, m *memory, values Evaluator,
) (t value.Term, ok bool) {
	c := &counter{region: r, inner: inner, operation: operation, outcome: o, boolean: boolean, memory: m, values: values}
	base := c.settle()
	if base == endless {
		c.durations = true
		c.unknown, c.trial = nil, nil
		if base = c.settle(); base == endless {
			return value.Term{}, false
		}
	}
	return c.interpolate(base)
}

// counter repeats walks with different trial values.
type counter struct {
	region, inner *region
	operation     ssa.CallInstruction
	outcome       outcome
	boolean       bool
	memory        *memory
	values        Evaluator
	durations     bool
	unknown       []value.Term
	trial         []int64
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
			c.trial = append(c.trial, firstTrial+3*int64(len(c.trial))) // no two alike, so that no test for equality hits
		}
		n = c.run()
	}
	return n
}

func (c *counter) run() int {
	w := newWalker(c.region, c.operation, c.outcome, c.memory, c.values)
	w.boolean, w.durations, w.unknown, w.trial = c.boolean, c.durations, c.unknown, c.trial
	l := &longest{walker: w, inner: c.inner, memo: map[string]int{}, open: map[string]int{}}
	most := 0
	for _, s := range w.begin() {
		n := l.from(s, 0)
		if n == endless {
			most = endless
			break
		}
		most = max(most, n)
	}
	c.unknown = w.unknown
	if l.gaveUp {
		return endless
	}
	return most
}

// interpolate finds the weights of the unknown integers, and checks them at one more point.
func (c *counter) interpolate(base int) (value.Term, bool) {
	weights := make([]int64, len(c.trial))
	for i := range c.trial {
		weight, ok := c.weight(i, base)
		if !ok {
			return c.inexact(i), true
		}
		if weight == 0 {
			if weight, base = c.weightOfStart(i, base); base == endless {
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
	if n == endless || base == endless {
		return 0, n == base
	}
	return int64(n-base) / step, (n-base)%step == 0
}

// weightOfStart tries an integer that makes no difference at its first trial value as the start of a counter: below its bound.
func (c *counter) weightOfStart(i, base int) (weight int64, newBase int) {
	before := c.trial[i]
	c.trial[i] = startTrial
	n := c.run()
	if n != endless {
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
		l.gaveUp = tired
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
