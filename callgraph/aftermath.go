package callgraph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
)

// Endings tells how the function of a repetition returns once the attempts are used up: where a loop ends, or after the call of
// a helper or library has failed.
func (r *Result) Endings(place *Repetition) []sites.Ending {
	if place.Site != nil {
		return place.Site.Endings(r.pkg)
	}
	call, ok := place.Call.(*ssa.Call)
	if !ok || place.Hop.Kind == "client" {
		return nil
	}
	return sites.EndingsAfter(call, r.pkg)
}

// Swallowed tells how an operation returns nil although a call in it has failed.
func (r *Result) Swallowed(operation *ssa.Function) []sites.Ending {
	return sites.Swallowed(operation, r.pkg)
}

// LeavesOpen reports whether a place can make another attempt while what a call of its region has opened is still open.
func (r *Result) LeavesOpen(place *Repetition, opened sites.Opened) bool {
	return place.Site.LeavesOpen(opened, r.pkg)
}

// FailsOpen returns a return statement by which a function fails while what a call has opened is still open, or nil.
func (r *Result) FailsOpen(opened sites.Opened) *ssa.Return {
	return sites.FailsOpen(opened, r.pkg)
}

// MayFailAfter reports whether the function of instr can still fail once instr was executed.
func (r *Result) MayFailAfter(instr ssa.Instruction) bool {
	return sites.MayFailAfter(instr, r.pkg)
}

// Callers lists the calls of fn in the package, and reports whether these are all: nothing else can call an unexported
// function that is never used as a value.
func (r *Result) Callers(fn *ssa.Function) (calls []ssa.CallInstruction, all bool) {
	return r.pkg.callers(fn)
}

func (p *Package) callers(fn *ssa.Function) (calls []ssa.CallInstruction, all bool) {
	obj := fn.Object()
	all = obj != nil && !obj.Exported()
	for _, other := range p.functions {
		if p.isTest(other) && !p.isTest(fn) {
			continue // what tests give isn't what the program does
		}
		for _, b := range other.Blocks {
			for _, instr := range b.Instrs {
				call, isCall := instr.(ssa.CallInstruction)
				if isCall && resolve(call.Common().StaticCallee()) == fn {
					calls = append(calls, call)
					continue
				}
				for _, op := range instr.Operands(nil) {
					if *op == ssa.Value(fn) {
						all = false
					}
				}
			}
		}
	}
	return calls, all && len(calls) > 0
}
