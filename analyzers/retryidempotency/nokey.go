package retryidempotency

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
)

// noKeys reports writes that are repeated though nobody knows whether they have been done, with nothing in sight by which the
// other side could tell.
func noKeys(pass *rule.Pass, a *attempt) {
	if a.Hop.Kind == "client" {
		byClient(pass, a)
		return
	}
	for _, step := range a.steps {
		call, ok := step.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		w := a.write(call, step)
		if w == nil || w.protected(a) || w.transactional && !a.commits() {
			continue
		}
		at, ok := outermost(step).(ssa.CallInstruction)
		if !ok || !a.again(at) || !a.ambiguous(at) {
			continue
		}
		reportNoKey(pass, a, w, at)
	}
}

// again reports whether the failure of a call of the repeated code, or of what is made of its result, leads to another attempt.
func (a *attempt) again(at ssa.CallInstruction) bool {
	if a.LeadsToAttempt(at) {
		return true
	}
	v, ok := at.(*ssa.Call)
	if !ok {
		return false
	}
	for _, ref := range referrers(v) { // rdb.Incr(ctx, key).Err()
		if call, isCall := ref.(*ssa.Call); isCall && len(call.Call.Args) > 0 && call.Call.Args[0] == v && a.LeadsToAttempt(call) {
			return true
		}
	}
	return false
}

// commits reports whether an attempt commits a transaction of its own: what is undone before that is no harm, what becomes of a
// commit whose answer is lost nobody knows.
func (a *attempt) commits() bool {
	for _, step := range a.steps {
		call, ok := step.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		if i, _ := catalog.RunsInTransaction(calleeName(call.Common())); i >= 0 {
			return true
		}
		_, typ, name := calleeParts(call.Common())
		for _, commit := range catalog.OfEffects().Transactions.Commits {
			if typ != "" && name == commit {
				return true
			}
		}
	}
	return false
}

// byClient reports a write that a client repeats by itself.
func byClient(pass *rule.Pass, a *attempt) {
	call, ok := a.Call.(*ssa.Call)
	if !ok || !a.clientRepeatsWrites() {
		return
	}
	w := a.write(call, callgraph.Step{Instr: call})
	if w == nil || w.protected(a) {
		return
	}
	reportNoKey(pass, a, w, call)
}

// clientRepeatsWrites reports whether the client, or a layer that its call goes through, repeats writes on its own.
func (a *attempt) clientRepeatsWrites() bool {
	known := catalog.OfEffects()
	if !a.Count.One() && known.Repeats(a.Hop.Library, isSet(a.Why)) {
		return true
	}
	for _, link := range repeatingLayers(a.Repetition) {
		if known.Repeats(link.Library, isSet(link.Why)) {
			return true
		}
	}
	return false
}

// isSet reports whether a number was set, by what is said of how it came about.
func isSet(why string) bool { return why != "" && !strings.Contains(why, "default") }

func reportNoKey(pass *rule.Pass, a *attempt, w *write, at ssa.CallInstruction) {
	d := analysis.Diagnostic{
		Pos:     a.Token(at),
		Message: fmt.Sprintf("this %s, and again if the answer to the first attempt is lost: no idempotency key or precondition is in sight", w.does),
	}
	if !a.inFunction(at) && a.Call != nil {
		d.Pos = a.Token(a.Call)
	}
	if place := a.Token(w.call); place != d.Pos {
		d.Related = []analysis.RelatedInformation{{Pos: place, Message: "the write"}}
	}
	pass.Report("nokey", d)
}
