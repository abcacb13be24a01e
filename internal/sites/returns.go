package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Return is a way in which a function returns after one of its calls failed.
type Return struct {
	// Error is the error that is returned, nil if the function returns none; ErrorIsNil tells that it is nil on this way.
	Error      ssa.Value
	ErrorIsNil bool
	// Fault tells which errors it can be, where errors are traced.
	Fault fault.Set
	// Bool is the boolean that is returned beside it; BoolIs is its value where BoolKnown.
	Bool              ssa.Value
	BoolKnown, BoolIs bool
}

// ReturnsAfterFailure lists the ways in which fn returns after call failed.
func ReturnsAfterFailure(fn *ssa.Function, call *ssa.Call, values Evaluator) []Return {
	return returnsAfter(fn, call, failed, values).run()
}

// ReturnsAfterFailureWith lists the ways in which fn returns after call failed with one of the errors given; none if there are too
// many to tell.
func ReturnsAfterFailureWith(fn *ssa.Function, call *ssa.Call, given fault.Set, values Evaluator) []Return {
	return returnsWith(fn, call, given, nil, values)
}

// ReturnsAfterSuccess lists the ways in which fn returns after call, if nothing fails.
func ReturnsAfterSuccess(fn *ssa.Function, call *ssa.Call, values Evaluator) []Return {
	return returnsAfter(fn, call, succeeded, values).run()
}

// returnsWith lists the ways in which fn returns after call failed with given. If within isn't nil, only ways count that leave
// that region because its attempts are used up.
func returnsWith(fn *ssa.Function, call *ssa.Call, given fault.Set, within *region, values Evaluator) []Return {
	c := returnsAfter(fn, call, failed, values)
	c.trace(given)
	c.within = within
	ways := c.run()
	if c.steps > maxReturnSteps {
		return nil
	}
	return ways
}

func returnsAfter(fn *ssa.Function, call *ssa.Call, o outcome, values Evaluator) *returns {
	c := returnsFrom(fn, call, o, values)
	c.boolean = outcomeOf(call) == byBool
	return c
}

func returnsFrom(fn *ssa.Function, call ssa.CallInstruction, o outcome, values Evaluator) *returns {
	w := newWalker(wholeRegion(fn), call, o, memoryOf(fn), values)
	c := &returns{walker: w, seen: map[string]bool{}}
	w.markReturned(fn)
	return c
}

// run walks from the call on.
func (c *returns) run() []Return {
	c.follow(state{block: c.operation.Block(), from: indexOf(c.operation) + 1, env: env{}})
	return c.found
}

type returns struct {
	*walker
	seen   map[string]bool
	found  []Return
	within *region
}

const maxReturnSteps = 2000

func (c *returns) follow(s state) {
	key := c.key(s)
	if c.steps++; c.seen[key] || c.steps > maxReturnSteps {
		return
	}
	c.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		switch instr := instr.(type) {
		case *ssa.Store:
			e = c.store(instr, e)
		case *ssa.Call:
			e = c.forget(instr, e)
		case *ssa.Return:
			c.found = append(c.found, c.read(instr, e))
		}
	}
	next, _ := c.successors(s, e)
	for _, n := range next {
		if c.within != nil && c.within.blocks[s.block] && !c.within.blocks[n.block] && !usesUp(s.block, c.within, c.operation, c.memory, c.values) {
			continue
		}
		n.env = c.taken(s.block, n)
		c.follow(n)
	}
}

// taken adds to what is known in n that the branch at the end of b led there: a boolean result is true or false.
func (c *returns) taken(b *ssa.BasicBlock, n state) env {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || !c.traces || b.Succs[0] == b.Succs[1] {
		return n.env
	}
	x, isResult := strip(branch.Cond).(*ssa.Extract)
	if !isResult || c.plain(x, n.env).kind == boolean {
		return n.env
	}
	return n.env.with(x, truth((n.block == b.Succs[0]) == (branch.Cond == ssa.Value(x))))
}

// forget drops what was known of the results of a call that is executed again.
func (c *returns) forget(call *ssa.Call, e env) env {
	for v := range e {
		if x, ok := v.(*ssa.Extract); ok && x.Tuple == ssa.Value(call) {
			e = e.with(v, fact{})
		}
	}
	return e
}

func (c *returns) read(ret *ssa.Return, e env) Return {
	var r Return
	for _, v := range ret.Results {
		switch {
		case typename.IsError(v.Type()):
			r.Error = v
			f := c.fact(v, e)
			r.ErrorIsNil, r.Fault = f.kind == isNil, f.fault
		case isBoolean(v.Type()):
			r.Bool = v
			if f := c.fact(v, e); f.kind == boolean {
				r.BoolKnown, r.BoolIs = true, f.n != 0
			}
		}
	}
	return r
}
