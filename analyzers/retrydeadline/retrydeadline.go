package retrydeadline

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports retries that ignore the caller's deadline or cancellation.
var Analyzer = rule.New("retrydeadline", source, check)

func check(pass *rule.Pass) {
	told := map[*ssa.Call]bool{} // detached contexts, by the call that makes them
	for i := range pass.Known.Repetitions {
		r := &pass.Known.Repetitions[i]
		if r.Hop.Foreign || r.Function == nil {
			continue
		}
		checkCancels(pass, r)
		if !pass.Result.Repeats(r) {
			continue
		}
		checkSleeps(pass, r)
		checkContexts(pass, r, told)
		checkDone(pass, r)
		checkOverrun(pass, r)
	}
}

// checkCancels looks at loops that repeat something because it failed, whatever they are for: what they defer piles up.
func checkCancels(pass *rule.Pass, r *callgraph.Repetition) {
	switch r.Role {
	case sites.Retry, sites.Poll, sites.Reconnect, sites.CAS:
	default:
		return
	}
	for _, d := range pass.Result.DeferredCancels(r) {
		pass.Report("defercancel", analysis.Diagnostic{
			Pos:            d.Pos(),
			Message:        "the cancel function of each attempt's context is deferred until the function returns: contexts and timers of attempts that are over pile up",
			SuggestedFixes: fixCancel(pass, d),
		})
	}
}

func checkSleeps(pass *rule.Pass, r *callgraph.Repetition) {
	for _, s := range pass.Result.Sleeps(r) {
		d := analysis.Diagnostic{
			Pos:     s.Pos,
			Message: fmt.Sprintf("%s between attempts doesn't watch %s: a caller that has gone is waited for%s", s.Name, s.Scope.Name, upTo(s.Longest)),
		}
		if r.Site != nil {
			d.SuggestedFixes = fixSleep(pass, s)
		}
		pass.Report("sleep", d)
	}
}

// upTo adds for how long something goes on, if that is known.
func upTo(longest time.Duration) string {
	if longest == 0 {
		return ""
	}
	return fmt.Sprintf(", up to %v", longest)
}

func checkContexts(pass *rule.Pass, r *callgraph.Repetition, told map[*ssa.Call]bool) {
	contextless := pass.Result.Contextless(r)
	for _, d := range pass.Result.Detached(r) {
		if d.Made == nil && slices.ContainsFunc(contextless, func(c callgraph.Contextless) bool { return c.Pos == d.Pos }) {
			continue // there is one like it that takes a context
		}
		if d.Here || d.Made == nil || !told[d.Made] { // one context that many attempts end up with is one fault
			reportDetached(pass, d)
		}
		told[d.Made] = d.Made != nil
	}
	for _, c := range contextless {
		reportContextless(pass, c)
	}
}

func reportDetached(pass *rule.Pass, d callgraph.Detached) {
	made := "context." + d.By
	diagnostic := analysis.Diagnostic{
		Pos: d.Pos, SuggestedFixes: fixDetached(pass, d),
		Message: fmt.Sprintf("the attempt runs under %s although %s is in scope: it goes on when its caller has gone", made, d.Scope.Name),
	}
	if !d.Here {
		diagnostic.Message = fmt.Sprintf("the attempt ends up under %s although %s is in scope: it goes on when its caller has gone", made, d.Scope.Name)
		if d.Made != nil {
			diagnostic.Related = []analysis.RelatedInformation{{Pos: d.Made.Pos(), Message: "the context is made here"}}
		}
	}
	pass.Report("detached", diagnostic)
}

func reportContextless(pass *rule.Pass, c callgraph.Contextless) {
	what := "the attempt calls " + c.Name + " without a context"
	if c.Whole {
		what = c.Name + " isn't given " + c.Scope.Name + ", and waits on when that is done"
	} else if c.Call == nil {
		what = "the attempt ends up calling " + c.Name + " without a context"
	}
	if !c.Whole {
		what += " although " + c.Scope.Name + " is in scope"
	}
	if c.Use != "" && c.Use != c.Scope.Name {
		what += "; " + c.Use + " takes one"
	}
	pass.Report("nocontext", analysis.Diagnostic{Pos: c.Pos, Message: what, SuggestedFixes: fixContextless(pass, c)})
}

func checkDone(pass *rule.Pass, r *callgraph.Repetition) {
	watches, endless := pass.Result.GoesOn(r)
	for _, w := range watches {
		pass.Report("ignoresdone", analysis.Diagnostic{
			Pos:     pass.Result.Token(w.Instr),
			Message: "the loop goes on from here to another attempt when its context is done",
		})
	}
	if endless {
		pass.Report("ignoresdone", analysis.Diagnostic{
			Pos:     r.Pos,
			Message: "the loop goes on for ever once its context is done: each attempt fails then, and no check of the context or the error stops it",
		})
	}
}

func checkOverrun(pass *rule.Pass, r *callgraph.Repetition) {
	for _, o := range pass.Result.Overruns(r) {
		pass.Report("overrun", analysis.Diagnostic{Pos: o.Pos, Message: overrunMessage(o)})
	}
}

func overrunMessage(o callgraph.Overrun) string {
	if o.Attempts == 0 {
		return fmt.Sprintf("the time limit of %v leaves room for one try of up to %v: if that uses up its time, there is no other", o.Deadline, o.Attempt)
	}
	schedule := fmt.Sprintf("%d tries", o.Attempts)
	if o.Attempt > 0 {
		schedule += fmt.Sprintf(" of up to %v", o.Attempt)
	}
	if o.Inner != nil {
		schedule += fmt.Sprintf(" (each has %d in %s)", o.Inner.Attempts, o.Inner.Of.Hop.Function)
	}
	if o.Waits > 0 {
		schedule += fmt.Sprintf(" and waits of at least %v", o.Waits)
	}
	limit := map[callgraph.Limiter]string{
		callgraph.ByContext: "the deadline of %v", callgraph.ByClient: "the client's Timeout of %v, which is for all tries together,",
		callgraph.ByHandler: "the handler's time of %v",
	}[o.By]
	return fmt.Sprintf(limit+" leaves room for %d of %s", o.Deadline, o.Fits, schedule)
}
