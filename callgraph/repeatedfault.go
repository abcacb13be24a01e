package callgraph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
)

// FailureRepeatsOn reports whether what a helper or library repeats is made again when the call that step is fails with e: no
// classification on the way out takes e for one that stays.
func (r *Repetition) FailureRepeatsOn(step Step, e fault.Error) bool {
	call, ok := step.Instr.(ssa.CallInstruction)
	if !ok || r.Site != nil {
		return false
	}
	given := fault.Of(e)
	for i := len(step.Calls) - 1; i >= 0; i-- {
		if given, ok = r.pkg.passesOn(call, given, "unmarked", ""); !ok {
			return false
		}
		call = step.Calls[i]
	}
	word, library := r.repeats()
	if word == "" || word == "all" {
		word = "unmarked"
	}
	errors, ok := r.pkg.passesOn(call, given, word, library)
	if helper := r.Hop.Repeats; helper != nil && helper.Answer(errors) != fault.Yes {
		return false // the helper's loop tells errors apart
	}
	return ok
}

// passesOn tells with which errors the function around call returns, of those that are repeated, when call has failed with given.
func (p *Package) passesOn(call ssa.CallInstruction, given fault.Set, repeats, library string) (errors fault.Set, ok bool) {
	c, isCall := call.(*ssa.Call)
	if !isCall {
		return "", false
	}
	var sets []fault.Set
	for _, ret := range sites.ReturnsAfterFailureWith(c.Parent(), c, given, p) {
		if p.repeatsOn(ret, repeats, library) {
			sets = append(sets, ret.Fault)
		}
	}
	return fault.Union(sets...), len(sets) > 0
}
