package retryidempotency

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/value"
)

// noKeys reports writes that are repeated though nobody knows whether they have been done, with nothing in sight by which the
// other side could tell.
func noKeys(pass *rule.Pass, a *attempt) {
	if a.Hop.Kind == "client" {
		byClient(pass, a)
		return
	}
	if a.Call != nil {
		if _, again := callgraph.TransactionOf(a.Call.Common()); again {
			return // what isn't committed is undone
		}
	}
	for _, step := range a.steps {
		call, ok := step.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		w := a.write(call, step)
		if w == nil || w.by != "" && dropsFailure(step) || w.protected(a) || w.transactional && !a.commits() || a.looksFirst(w, step) {
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

// looksFirst reports whether an attempt asks whether the write was done before it does it: something that reads comes first, and
// its answer decides. In a loop it may also stand where an attempt has failed.
func (a *attempt) looksFirst(w *write, step callgraph.Step) bool {
	for _, earlier := range a.steps {
		call, ok := earlier.Instr.(*ssa.Call)
		if !ok || call == w.call || !a.reads(call, earlier) {
			continue
		}
		inLoop := a.Site != nil && a.Site.Holds(call) && a.Site.Holds(outermost(step)) // the next round comes after it
		if !inLoop && (call.Parent() != w.call.Parent() || !before(call, w.call)) {
			continue
		}
		if decides(call, 0) {
			return true
		}
	}
	return false
}

// reads reports whether a call asks the other side for something: by its statement, or its name.
func (a *attempt) reads(call *ssa.Call, step callgraph.Step) bool {
	if s, _ := a.statement(call, step); s != nil {
		return s.kind == harmless
	}
	_, typ, name := calleeParts(call.Common())
	return typ != "" && slices.Contains([]string{"get", "find", "lookup", "exists", "has", "is", "already", "check", "list", "fetch", "query", "search"}, firstWord(name))
}

// decides reports whether a result of a call, other than its error, or what it is read into, is tested.
func decides(call *ssa.Call, depth int) bool {
	for _, arg := range call.Call.Args {
		for _, v := range append(elements(arg), arg) {
			if cell, ok := plain(v).(*ssa.Alloc); ok && tested(cell, 0) {
				return true
			}
		}
	}
	for _, ref := range referrers(call) {
		next, ok := ref.(*ssa.Call) // QueryRow(...).Scan(&n)
		if ok && depth < 2 && len(next.Call.Args) > 0 && (next.Call.Args[0] == call || next.Call.Value == call) && decides(next, depth+1) {
			return true
		}
	}
	return tested(call, 0)
}

// tested reports whether a branch hangs on v, errors aside.
func tested(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	for _, ref := range referrers(v) {
		switch ref := ref.(type) {
		case *ssa.If:
			return true
		case *ssa.BinOp:
			if !isErrorValue(ref.X) && tested(ref, depth+1) {
				return true
			}
		case *ssa.Extract:
			if !isErrorValue(ref) && tested(ref, depth+1) {
				return true
			}
		case *ssa.UnOp:
			if !isErrorValue(ref) && tested(ref, depth+1) {
				return true
			}
		case *ssa.FieldAddr:
			if tested(ref, depth+1) {
				return true
			}
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
		if i, _ := catalog.RunsInTransaction(callgraph.CalleeName(call.Common())); i >= 0 {
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
	if w == nil || w.protected(a) || w.method != "" && !a.configRepeats(w.method) {
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

// configRepeats reports whether the service configs that decide about a client, if there are any, let it repeat a method.
func (a *attempt) configRepeats(method string) bool {
	configs, repeats := 0, false
	a.Settings().Any(func(t value.Term) bool {
		if t.Kind == value.String && strings.Contains(t.Name, "methodConfig") {
			configs++
			repeats = repeats || catalog.GRPCRepeats(t.Name, method)
		}
		return false
	})
	return configs == 0 || repeats || len(repeatingLayers(a.Repetition)) > 0
}

// isSet reports whether a number was set, by what is said of how it came about.
func isSet(why string) bool { return why != "" && !strings.Contains(why, "default") }

func reportNoKey(pass *rule.Pass, a *attempt, w *write, at ssa.CallInstruction) {
	d := analysis.Diagnostic{
		Pos:     a.Token(at),
		Message: fmt.Sprintf("this %s, and again if the answer to the first attempt is lost: no idempotency key or precondition is in sight", w.said()),
	}
	if !a.inFunction(at) && a.Call != nil {
		d.Pos = a.Token(a.Call)
	}
	if place := a.Token(w.call); place != d.Pos {
		d.Related = []analysis.RelatedInformation{{Pos: place, Message: "the write"}}
	}
	pass.Report("nokey", d)
}

// said ends a sentence about the call.
func (w *write) said() string {
	if w.by != "" {
		return "calls " + w.by + ", which " + w.does
	}
	return w.does
}
