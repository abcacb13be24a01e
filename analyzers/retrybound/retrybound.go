package retrybound

import (
	_ "embed"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports retries without an end.
var Analyzer = rule.New("retrybound", source, check)

func check(pass *rule.Pass) {
	timings := pass.Result.Timings()
	for _, circle := range pass.Result.Circles() {
		checkCircle(pass, circle)
	}
	for i := range timings {
		site := &pass.Known.Repetitions[i]
		if endless := timings[i].Endless; endless != nil {
			checkSite(pass, site, &timings[i])
		}
		if timings[i].Library.Endless {
			pass.Report("unbounded", analysis.Diagnostic{
				Pos: site.Pos, Message: "nothing ends the attempts: " + site.Hop.Label + " is given no number, no time limit and no context",
			})
		}
	}
}

// checkCircle reports functions that call themselves, or each other, without an end.
func checkCircle(pass *rule.Pass, c sites.Circle) {
	switch {
	case c.Reset != nil:
		pass.Report("counterreset", analysis.Diagnostic{
			Pos: c.Into.Pos(), Message: "the counter never reaches its limit: " + c.Reset.Parent().Name() + " sets it back in each round",
			Related: []analysis.RelatedInformation{{Pos: c.Reset.Pos(), Message: "set back here"}},
		})
	case c.Unchanged != nil:
		pass.Report("counterreset", analysis.Diagnostic{
			Pos: c.Closing.Pos(), Message: c.Unchanged.Name() + " never reaches its limit: the function calls itself without counting",
		})
	default:
		pass.Report("unbounded", analysis.Diagnostic{
			Pos: c.Closing.Pos(), Message: "nothing ends the attempts: the function calls itself after each failure",
		})
	}
}

func checkSite(pass *rule.Pass, site *callgraph.Repetition, timing *callgraph.Timing) {
	for _, clock := range timing.Endless.Restarted {
		pass.Report("counterreset", analysis.Diagnostic{
			Pos: clock.Pos(), Message: "the time limit never passes: the clock that it is compared with starts anew in each round",
		})
	}
	for _, call := range timing.Endless.Copied {
		pass.Report("counterreset", analysis.Diagnostic{
			Pos: call.Pos(), Message: "the counter never reaches its limit: " + call.Call.StaticCallee().Name() + " has a copy of its receiver, and counts in that",
			Related: []analysis.RelatedInformation{{Pos: call.Call.StaticCallee().Pos(), Message: "the receiver is no pointer"}},
		})
	}
	mayBeSet, reset := false, len(timing.Endless.Copied) > 0
	for _, stuck := range timing.Endless.Stuck {
		if d := counterFault(pass, site, stuck.Test); d != nil {
			pass.Report("counterreset", *d)
			reset = true
		}
		mayBeSet = mayBeSet || stuck.Settable
	}
	if timing.Endless.Unbounded && !reset && !mayBeSet {
		pass.Report("unbounded", analysis.Diagnostic{
			Pos: site.Pos, Message: "nothing ends the attempts: no number, no time limit, no context and no signal",
		})
	}
}
