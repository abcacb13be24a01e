package sites

import "golang.org/x/tools/go/ssa"

// ofNil returns what a function of this package answers when its parameter i, an error, is nil: classifiers of errors mostly
// say no.
func ofNil(fn *ssa.Function, i int, values Evaluator, depth int) (fact, bool) {
	r := &region{function: fn, head: fn.Blocks[0], blocks: map[*ssa.BasicBlock]bool{}}
	for _, b := range fn.Blocks {
		r.blocks[b] = true
	}
	m := memoryOf(fn)
	w := &walker{region: r, outcome: failed, memory: m, values: values, relevant: relevant(r, m), depth: depth}
	c := &answers{walker: w, seen: map[string]bool{}}
	c.follow(state{block: r.head, env: env{fn.Params[i]: {kind: isNil}}})
	if len(c.found) != 1 || c.steps > 400 {
		return fact{}, false
	}
	for f := range c.found {
		return f, f.kind == boolean || f.kind == isNil
	}
	return fact{}, false
}

// answers collects what a function can return.
type answers struct {
	*walker
	seen  map[string]bool
	found map[fact]bool
}

func (c *answers) follow(s state) {
	if c.found == nil {
		c.found = map[fact]bool{}
	}
	key := c.key(s)
	if c.steps++; c.seen[key] || c.steps > 400 {
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
