package retrybackoff

import (
	_ "embed"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports what is wrong with the waits between attempts.
var Analyzer = rule.New("retrybackoff", source, check)

func check(pass *rule.Pass) {
	timings := pass.Result.Timings()
	told := map[ssa.Instruction]bool{} // what functions do that many loops call is told once
	for i := range timings {
		site, timing := &pass.Known.Repetitions[i], &timings[i]
		checkLast(pass, timing)
		checkDelay(pass, site, timing)
		checkJitter(pass, site, timing, told)
		checkGrowth(pass, timing, told)
		checkRestarts(pass, timing)
		checkLibrary(pass, site, timing)
	}
}

func checkLast(pass *rule.Pass, timing *callgraph.Timing) {
	for _, wait := range timing.AfterLast {
		pass.Report("sleepafterlast", analysis.Diagnostic{
			Pos: place(wait), Message: "waits after the last attempt too, though no other follows", SuggestedFixes: skipLast(pass, wait),
		})
	}
}

// checkDelay reports repetitions without a wait.
func checkDelay(pass *rule.Pass, site *callgraph.Repetition, timing *callgraph.Timing) {
	if site.Site == nil || site.Site.Waits || timing.Within || timing.Remote == callgraph.Local || !atLeast(site.Count, 3) {
		return
	}
	pass.Report("nodelay", analysis.Diagnostic{
		Pos: site.Pos, Message: "asks again at once after a failure, without a wait between the attempts",
	})
}

// checkJitter reports delays that are the same for all callers.
func checkJitter(pass *rule.Pass, site *callgraph.Repetition, timing *callgraph.Timing, told map[ssa.Instruction]bool) {
	if timing.Remote != callgraph.Proven || len(timing.Delays) == 0 || !atLeast(site.Count, 3) || pass.Pkg.Name() == "main" {
		return
	}
	for _, d := range timing.Delays {
		if d.Random || !d.Known || d.Told {
			return
		}
	}
	first := timing.Delays[0]
	if told[first.Within] {
		return
	}
	told[first.Within] = first.Within != nil
	pass.Report("nojitter", analysis.Diagnostic{
		Pos: place(first.At), Message: "the delays have no random part, so that callers that fail together come back together",
	})
}

// checkGrowth reports delays without a maximum.
func checkGrowth(pass *rule.Pass, timing *callgraph.Timing, told map[ssa.Instruction]bool) {
	for _, d := range timing.Delays {
		cause, message := d.Overflows, "the delay overflows after many attempts, and becomes zero or negative before it is limited"
		if cause == nil {
			cause, message = d.Grows, "the delay grows without a maximum"
		}
		if cause == nil || told[cause] {
			continue
		}
		told[cause] = true
		reportGrowth(pass, d, cause, message)
	}
}

// reportGrowth reports what a delay comes to where it is computed or, if another function does that, where it is waited for.
func reportGrowth(pass *rule.Pass, delay sites.Delay, cause ssa.Instruction, message string) {
	d := analysis.Diagnostic{Pos: cause.Pos(), Message: message}
	if cause.Parent() != delay.At.Parent() {
		d.Pos = place(delay.At)
		d.Related = []analysis.RelatedInformation{{Pos: cause.Pos(), Message: "it is computed here"}}
	}
	pass.Report("uncapped", d)
}

// checkRestarts reports backoffs that begin anew.
func checkRestarts(pass *rule.Pass, timing *callgraph.Timing) {
	for _, r := range timing.Restarts {
		message := ""
		switch r.Kind {
		case sites.Lost:
			message = "the delay begins anew in each round: what it grows to here is never waited for"
		case sites.Made:
			message = "the backoff is made anew in each round, so that it never gets beyond its first delay"
		case sites.Reset:
			message = "the backoff is reset in each round, so that it never gets beyond its first delay"
		case sites.SharedByCalls:
			message = r.Shared.Name() + " is one backoff for all calls: it remembers its delays, so that calls at the same time disturb each other"
		}
		pass.Report("backoffreset", analysis.Diagnostic{Pos: r.At.Pos(), Message: message})
	}
}

// checkLibrary reports what is wrong with the policy of a library's call.
func checkLibrary(pass *rule.Pass, site *callgraph.Repetition, timing *callgraph.Timing) {
	library := timing.Library
	report := func(category, message string, fixes ...analysis.SuggestedFix) {
		pass.Report(category, analysis.Diagnostic{Pos: site.Pos, Message: message, SuggestedFixes: fixes})
	}
	many := atLeast(site.Count, 3)
	switch {
	case library.None && timing.Remote != callgraph.Local && many:
		report("nodelay", site.Hop.Label+" asks again at once after a failure, without a wait between the attempts")
	case library.Regular && !library.None && timing.Remote == callgraph.Proven && many && pass.Pkg.Name() != "main":
		report("nojitter", "the delays of "+site.Hop.Label+" have no random part, so that callers that fail together come back together",
			randomize(pass, site, library)...)
	}
	if library.Growing {
		report("uncapped", "the delay of "+site.Hop.Label+" grows without a maximum")
	}
	if library.Shared != "" {
		report("backoffreset", library.Shared+" is one policy for all calls: it remembers what was asked of it, so that calls at the same time disturb each other")
	}
}

// atLeast reports whether there are so many attempts, or no end. A number that isn't known counts as many.
func atLeast(c count.Count, n int64) bool {
	switch c.Kind {
	case count.Number:
		return c.N >= n
	case count.Symbol:
		return !c.HasDefault || c.N >= n
	}
	return c.Kind == count.Unlimited
}

// place is where a wait is reported: at the duration that it waits for, where that is written.
func place(instr ssa.Instruction) token.Pos {
	if sel, ok := instr.(*ssa.Select); ok {
		for _, s := range sel.States {
			if call, isCall := s.Chan.(*ssa.Call); isCall && call.Pos().IsValid() && len(call.Call.Args) == 1 {
				return call.Pos()
			}
		}
	}
	return instr.Pos()
}
