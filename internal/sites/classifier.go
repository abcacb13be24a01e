package sites

import (
	"golang.org/x/tools/go/ssa"
)

// answer returns what a function of this package answers when this is given of its parameters, if that decides.
func (m *memory) answer(fn *ssa.Function, given env, values Evaluator, depth int) (fact, bool) {
	key := string(m.describe([]byte(fn.String()), given))
	if f, ok := m.answers[key]; ok {
		return f, f.kind != nothing
	}
	f := answerOf(fn, given, values, depth)
	m.answers[key] = f
	return f, f.kind != nothing
}

func answerOf(fn *ssa.Function, given env, values Evaluator, depth int) fact {
	r, m := wholeRegion(fn), memoryOf(fn)
	w := &walker{region: r, outcome: failed, memory: m, values: values, relevant: relevant(r, m), depth: depth}
	w.markReturned(fn)
	for _, f := range given {
		if f.fault.Known() {
			w.trace("")
		}
	}
	c := &answers{walker: w, seen: map[string]bool{}, found: map[fact]bool{}}
	c.follow(state{block: r.head, env: given})
	if len(c.found) != 1 || c.steps > maxAnswerSteps {
		return fact{}
	}
	for f := range c.found {
		if f.kind == boolean || f.kind == isNil {
			return f
		}
	}
	return fact{}
}

// maxAnswerSteps bounds the walk through a classifier.
const maxAnswerSteps = 400

// answers collects what a function can return.
type answers struct {
	*walker
	seen  map[string]bool
	found map[fact]bool
}

func (c *answers) follow(s state) {
	key := c.key(s)
	if c.steps++; c.seen[key] || c.steps > maxAnswerSteps {
		return
	}
	c.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = c.store(instr, e)
		case *ssa.Return:
			if len(instr.Results) == 0 {
				return
			}
			f := c.fact(instr.Results[0], e)
			c.found[fact{kind: f.kind, n: f.n}] = true
		}
	}
	next, _ := c.successors(s, e)
	for _, n := range next {
		c.follow(n)
	}
}
