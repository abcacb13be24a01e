package callgraph

import (
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
)

// Inner is the schedule of a repetition that each attempt of another one executes.
type Inner struct {
	Of       *Repetition
	Attempts int64
	// Attempt is the limit of one of its attempts, 0 if none is known, and Waits the least that is waited between all of them.
	Attempt, Waits time.Duration

	below []*ssa.Function // that its attempts call
}

// takes is how long it takes if each of its attempts uses up its limit.
func (i *Inner) takes() time.Duration { return time.Duration(i.Attempts)*i.Attempt + i.Waits }

// limits reports whether a call sets a limit anew for each attempt of the inner repetition.
func (i *Inner) limits(call *ssa.Call) bool {
	return i.Of.Repeats(call) || slices.Contains(i.below, call.Parent())
}

// innerOf returns the one of others that takes longest of those that an attempt of r executes in other functions of this package, nil
// if none takes any time that is known. Where r tells errors apart, what the inner one gives up with may end it: then nothing is
// said.
func (p *Package) innerOf(r *Repetition, others []Repetition) *Inner {
	if r.TellsErrorsApart() {
		return nil
	}
	var longest *Inner
	for step := range r.Attempt() {
		if len(step.Calls) == 0 && r.Site != nil || alone(step) || !r.repeatsStep(step) {
			continue
		}
		if inner := p.innerAt(step.Instr, others); inner != nil && inner.takes() > 0 && (longest == nil || inner.takes() > longest.takes()) {
			longest = inner
		}
	}
	return longest
}

// innerAt returns the schedule of the repetition that instr is, or whose operation it is; nil if it is none.
func (p *Package) innerAt(instr ssa.Instruction, others []Repetition) *Inner {
	i := slices.IndexFunc(others, func(q Repetition) bool {
		return q.Role == sites.Retry && (q.Call != nil && q.Call == instr || q.Site != nil && q.Site.Operation == instr)
	})
	if i < 0 {
		return nil
	}
	q := &others[i]
	n, known := q.Count.Value()
	if q.Count.Kind != count.Number || !known || n < 2 || n > 1000 {
		return nil
	}
	inner := &Inner{Of: q, Attempts: n, Attempt: p.attemptLimit(q), Waits: p.waited(q, n)}
	for step := range q.Attempt() {
		if len(step.Calls) > 0 {
			inner.below = append(inner.below, step.Instr.Parent())
		}
	}
	return inner
}

// attemptLimit is the shortest limit that each attempt of r sets itself, or that its client gives each request; 0 if there is none.
func (p *Package) attemptLimit(r *Repetition) time.Duration {
	shortest := p.clientLimit(r)
	for _, timed := range p.timedAttempts(r) {
		for _, call := range timed.limits {
			if d, ok := p.limitOf(call); ok && d > 0 && p.perAttempt(r, call, nil) && (shortest == 0 || d < shortest) {
				shortest = d
			}
		}
	}
	return shortest
}
