package callgraph

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
)

// What rules ask about contexts and time is found when they ask, one repetition at a time.

// Repeats reports whether a repetition is a retry, or waits until something succeeds: a failure makes another attempt, a success
// ends it.
func (r *Result) Repeats(of *Repetition) bool {
	if of.Role == sites.Retry {
		return true
	}
	if of.Role != sites.Poll || of.Site == nil {
		return false
	}
	return of.Site.EndsWithSuccess(r.pkg)
}

// Sleeps lists the waits of a repetition that go on when the context in scope is done.
func (r *Result) Sleeps(of *Repetition) []Sleep {
	return r.pkg.sleeps(of)
}

// Detached lists the contexts of attempts that aren't done when the caller's is.
func (r *Result) Detached(of *Repetition) []Detached {
	return r.pkg.detached(of)
}

// Contextless lists the calls that aren't given the context in scope, although there is a way.
func (r *Result) Contextless(of *Repetition) []Contextless {
	return r.pkg.contextless(of)
}

// GoesOn lists the watches of a loop after whose news the loop goes on all the same. endless tells that the loop has no end and
// watches nothing, and that the failure of an attempt whose context is done leads to another attempt.
func (r *Result) GoesOn(of *Repetition) (watches []sites.Watch, endless bool) {
	if of.Site == nil {
		return nil, false
	}
	return r.pkg.goesOn(of)
}

// Overruns compares the schedule of a repetition with the deadlines around it; those that it fits into, or that aren't known, are
// left out.
func (r *Result) Overruns(of *Repetition) []Overrun {
	return r.pkg.overruns(of, r.known.Repetitions)
}

// DeferredCancels lists the deferred cancel functions of the contexts that each attempt of a loop makes.
func (r *Result) DeferredCancels(of *Repetition) []*ssa.Defer {
	return of.deferredCancels()
}

// Token is where an instruction is reported: calls at the name of what is called.
func (r *Result) Token(instr ssa.Instruction) token.Pos { return r.pkg.token(instr) }
