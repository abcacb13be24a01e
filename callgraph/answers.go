package callgraph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// RepeatsAfter tells after which errors of a call in the repeated code there is another attempt, as far as the code there
// decides; nil if errors make no difference there.
func (r *Repetition) RepeatsAfter(instr ssa.CallInstruction) fault.Cases {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return nil
	}
	if r.Site != nil && r.Site.Holds(call) {
		return r.Site.RepeatsOn(call, r.pkg)
	}
	if r.Call == nil || !hasError(call.Parent()) {
		return nil
	}
	repeats, library := r.repeats()
	return sites.CasesAfter(call.Parent(), call, r.pkg, func(ret sites.Return) bool {
		return r.pkg.repeatsOn(ret, repeats, library)
	})
}

// LeadsToAttempt reports whether a failure of a call in the repeated code may lead to another attempt.
func (r *Repetition) LeadsToAttempt(instr ssa.CallInstruction) bool {
	if r.Site != nil && r.Site.Kind == sites.Straight {
		return instr == r.Site.Operation // nothing follows on the second one
	}
	if r.Site != nil {
		return r.Site.Repeated[instr]
	}
	repeats, library := r.repeats()
	return r.pkg.failsOutward(instr.Parent(), instr, repeats, library)
}

// repeats says which outcomes of its operation a call repeats, in the words of the catalogue, and whose marks count.
func (r *Repetition) repeats() (repeats, library string) {
	if r.Call == nil {
		return "all", "" // a function as a whole
	}
	k := r.pkg.lookup(r.Call.Common())
	if k == nil || k.row.Site == nil {
		return "all", ""
	}
	if op := r.pkg.operation(k.row.Site, k, r.Call.Common()); op != nil {
		return op.Repeats, op.Library
	}
	return "all", ""
}

// Answers tells what a classifier answers about an error that it is given; nil if nothing is known.
func (r *Repetition) Answers(fn *ssa.Function) fault.Cases { return sites.CasesOf(fn, r.pkg) }

// Text returns the constant string that a value is known to be.
func (r *Repetition) Text(v ssa.Value) (string, bool) {
	t := r.pkg.close(r.pkg.Term(v))
	if t.Kind == value.String {
		return t.Name, true
	}
	return "", false
}

// Name is how the source calls a value, "" if it has no name.
func (r *Repetition) Name(v ssa.Value) string { return r.pkg.Term(v).Text() }

// ComesBackAfterError reports whether an error of a call in the loop leads to another attempt, and not only a status.
func (r *Repetition) ComesBackAfterError(instr ssa.CallInstruction) bool {
	call, ok := instr.(*ssa.Call)
	return ok && r.Site != nil && r.Site.ComesBackAfter(call, r.pkg)
}

// Settings describes what decides the number of attempts, as far as the package shows it.
func (r *Repetition) Settings() value.Term { return r.pkg.close(r.Hop.Attempts) }
