package callgraph

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// A state told as an error: operations that went well answer with a variable such as ErrLocked, which comes of nothing that
// failed, and whoever repeats them goes on after no other error. That waits for the state to change and is a poll; what fails
// below leaves it.

// statesOf lists the package variables by which fn tells a state: none of them comes of a call that failed, or of a status.
func (p *Package) statesOf(fn *ssa.Function) []string {
	var states []string
	for _, g := range p.errorsNamedIn(fn) {
		if p.tellsState(g) {
			states = append(states, p.Sentinel(g).Variable())
		}
	}
	slices.Sort(states)
	return slices.Compact(states)
}

// errorsNamedIn lists the error variables of the package that fn names outside of a question.
func (p *Package) errorsNamedIn(fn *ssa.Function) []*ssa.Global {
	var named []*ssa.Global
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			load, ok := instr.(*ssa.UnOp)
			if !ok || load.Op != token.MUL || onlyAsked(load) {
				continue
			}
			if g, ok := load.X.(*ssa.Global); ok && g.Pkg == p.SSA && typename.IsError(load.Type()) && p.Sentinel(g).Variable() != "" {
				named = append(named, g)
			}
		}
	}
	return named
}

// onlyAsked reports whether an error is only compared with others.
func onlyAsked(load *ssa.UnOp) bool {
	for _, ref := range *load.Referrers() {
		switch ref := ref.(type) {
		case *ssa.BinOp, *ssa.DebugRef:
		case *ssa.Call:
			if callee := ref.Call.StaticCallee(); callee == nil || callee.Name() != "Is" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// tellsState reports whether none of the functions of the package that answer with g does so because something failed.
func (p *Package) tellsState(g *ssa.Global) bool {
	tells, known := p.states[g]
	if !known {
		tells = p.tellsOnlyState(g)
		p.states[g] = tells
	}
	return tells
}

func (p *Package) tellsOnlyState(g *ssa.Global) bool {
	var answering []*ssa.Function
	for _, instr := range p.global[g] {
		if load, ok := instr.(*ssa.UnOp); ok && !onlyAsked(load) && !slices.Contains(answering, load.Parent()) {
			answering = append(answering, load.Parent())
		}
	}
	if len(answering) > maxAnswering {
		return false
	}
	return !slices.ContainsFunc(answering, func(fn *ssa.Function) bool { return !p.comesOfNoFailure(g, fn) })
}

// maxAnswering is the number of functions beyond which an error isn't taken for a state; maxTelling that of the blocks of one.
const (
	maxAnswering = 4
	maxTelling   = 60
)

// comesOfNoFailure reports whether fn answers with g after calls that succeeded, and that had no status of their own.
func (p *Package) comesOfNoFailure(g *ssa.Global, fn *ssa.Function) bool {
	if len(fn.Blocks) > maxTelling {
		return false
	}
	asked := fault.Is(p.Sentinel(g).Variable())
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !returnsError(call) {
				continue
			}
			after := sites.FailuresAfter(fn, call, fault.Of(fault.Tail), p, nil)
			if !after.Known() || sites.AsksStatus(fn, call) {
				return false
			}
			for _, e := range after.Errors() {
				if yes, _ := e.Ask(asked); yes {
					return false
				}
			}
		}
	}
	return true
}

// waitsForState reports whether a site goes on only while its operation answers that some state isn't reached.
func (c *composer) waitsForState(h Hop, operation value.Term) bool {
	if operation.Kind != value.Func {
		return false
	}
	states := c.statesNamed(operation.Name)
	if len(states) == 0 {
		return false
	}
	if answer, ok := h.Repeats.Beside(states); ok && answer == fault.No {
		return true
	}
	keeper := c.close(h.Keeper)
	if keeper.Kind != value.Func {
		return false
	}
	answer, ok := c.casesNamed(keeper.Name).Beside(states)
	return ok && answer != fault.Unsure && h.GateEnds.After(answer == fault.Yes)
}
