package sites

import "golang.org/x/tools/go/ssa"

// A Return is a way in which a function returns after one of its calls failed.
type Return struct {
	// Error is the error that is returned, nil if the function returns none; ErrorIsNil tells that it is nil on this way.
	Error      ssa.Value
	ErrorIsNil bool
	// Bool is the boolean that is returned beside it; BoolIs is its value where BoolKnown.
	Bool              ssa.Value
	BoolKnown, BoolIs bool
}

// ReturnsAfterFailure lists the ways in which fn returns after call failed.
func ReturnsAfterFailure(fn *ssa.Function, call *ssa.Call, values Evaluator) []Return {
	return returnsAfter(fn, call, failed, values)
}

// ReturnsAfterSuccess lists the ways in which fn returns after call, if nothing fails.
func ReturnsAfterSuccess(fn *ssa.Function, call *ssa.Call, values Evaluator) []Return {
	return returnsAfter(fn, call, succeeded, values)
}

func returnsAfter(fn *ssa.Function, call *ssa.Call, o outcome, values Evaluator) []Return {
	r := &region{function: fn, head: fn.Blocks[0], blocks: map[*ssa.BasicBlock]bool{}}
	for _, b := range fn.Blocks {
		r.blocks[b] = true
	}
	m := memoryOf(fn)
	w := newWalker(r, call, o, m, values)
	w.boolean = outcomeOf(call) == byBool
	c := &returns{walker: w, seen: map[string]bool{}}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for _, v := range ret.Results {
			c.mark(v)
		}
	}
	c.follow(state{block: call.Block(), from: indexOf(call) + 1, env: env{}})
	return c.found
}

type returns struct {
	*walker
	seen  map[string]bool
	found []Return
}

func (c *returns) follow(s state) {
	key := c.key(s)
	if c.steps++; c.seen[key] || c.steps > 2000 {
		return
	}
	c.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = c.store(instr, e)
		case *ssa.Return:
			c.found = append(c.found, c.read(instr, e))
		}
	}
	next, _ := c.successors(s, e)
	for _, n := range next {
		c.follow(n)
	}
}

func (c *returns) read(ret *ssa.Return, e env) Return {
	var r Return
	for _, v := range ret.Results {
		switch {
		case isError(v.Type()):
			r.Error = v
			r.ErrorIsNil = c.fact(v, e).kind == isNil
		case isBoolean(v.Type()):
			r.Bool = v
			if f := c.fact(v, e); f.kind == boolean {
				r.BoolKnown, r.BoolIs = true, f.n != 0
			}
		}
	}
	return r
}
