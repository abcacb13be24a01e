package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// What an attempt opens is left open if a way leads on from there, to the next attempt or out of the function with a failure,
// without closing it.

// An Opened is a call whose result is to be closed.
type Opened struct {
	Call *ssa.Call
	// Closes reports whether an instruction closes the result, or hands it on to somebody who does.
	Closes func(ssa.Instruction) bool
	// Part reports whether a value is the result, or the part of it that is closed: there is one wherever the call has succeeded.
	Part func(ssa.Value) bool
}

// LeavesOpen reports whether the site can execute the call again while its result is still open.
func (s *Site) LeavesOpen(o Opened, values Evaluator) bool {
	if !s.Holds(o.Call) {
		return false
	}
	l := newLeak(o, values)
	l.within = s.region
	l.follow(state{block: o.Call.Block(), from: indexOf(o.Call) + 1, env: l.open()})
	return l.again
}

// FailsOpen returns a return statement by which the function of the call fails with the result still open, nil if there is none.
func FailsOpen(o Opened, values Evaluator) *ssa.Return {
	l := newLeak(o, values)
	l.follow(state{block: o.Call.Block(), from: indexOf(o.Call) + 1, env: l.open()})
	return l.fails
}

type leak struct {
	*walker
	Opened
	within *region
	seen   map[string]bool
	again  bool
	fails  *ssa.Return
}

func newLeak(o Opened, values Evaluator) *leak {
	fn := o.Call.Parent()
	w := newWalker(wholeRegion(fn), nil, failed, memoryOf(fn), values)
	w.markErrors(w.region)
	w.markReturned(fn)
	return &leak{walker: w, Opened: o, seen: map[string]bool{}}
}

// open is what is known after the call, if there is something to close: its error is nil.
func (l *leak) open() env {
	e := env{}
	for _, ref := range *l.Call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && typename.IsError(x.Type()) {
			e[x] = fact{kind: isNil}
		} else if ok {
			e[x] = fact{kind: notNil}
		}
	}
	return e
}

const maxLeakSteps = 3000

func (l *leak) follow(s state) {
	key := l.key(s)
	if l.steps++; l.seen[key] || l.steps > maxLeakSteps || l.again || l.fails != nil {
		return
	}
	l.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		if instr == ssa.Instruction(l.Call) {
			l.again = true
			return
		}
		if l.Closes(instr) {
			return
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			e = l.store(instr, e)
		case *ssa.UnOp:
			if l.Part(instr) {
				e = e.with(instr, fact{kind: notNil})
			}
		case *ssa.Return:
			l.leave(instr, e)
		}
	}
	next, _ := l.successors(s, e)
	for _, n := range next {
		if l.within == nil || l.within.blocks[n.block] {
			l.follow(n)
		}
	}
}

func (l *leak) leave(ret *ssa.Return, e env) {
	for _, v := range ret.Results {
		if !typename.IsError(v.Type()) {
			continue
		}
		if isNil, known := foundNil(v, ret.Block()); known && !isNil || l.fact(v, e).kind == notNil {
			l.fails = ret
		}
	}
}

// MayFailAfter reports whether the function of instr can still fail once instr was executed: it returns an error that may be
// other than nil, or has none to return.
func MayFailAfter(instr ssa.Instruction, values Evaluator) bool {
	fn := instr.Parent()
	w := newWalker(wholeRegion(fn), nil, failed, memoryOf(fn), values)
	w.markErrors(w.region)
	w.markReturned(fn)
	c := &returns{walker: w, seen: map[string]bool{}}
	c.follow(state{block: instr.Block(), from: indexOf(instr) + 1, env: env{}})
	for _, ret := range c.found {
		if ret.Error == nil || !ret.ErrorIsNil {
			return true
		}
	}
	return false
}
