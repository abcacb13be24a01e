package callgraph

import (
	"fmt"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Timing is what rules about bounds and delays ask of a repetition.
type Timing struct {
	// AfterLast are the waits that also come after the last attempt.
	AfterLast []ssa.Instruction
	// Endless says what is wrong with the bound, nil if there may be one.
	Endless *sites.Endless
	// Delays say what the waits between attempts wait for. They are nil if that isn't found for each of them.
	Delays []sites.Delay
	// Restarts are where a backoff begins anew in each round.
	Restarts []sites.Restart
	// Library says what is wrong with the policy of a library's call.
	Library LibraryDelay
	// Within tells whether an attempt waits itself, in a function that it calls, where the loop doesn't.
	Within bool
	// Remote tells whether an attempt asks another process over a network.
	Remote Remote
}

// Remote tells what is known of where an attempt leads.
type Remote uint8

// An attempt may be Local, as far as is known; Likely asks an interface that takes a context and can fail; Proven is a client.
const (
	Local Remote = iota
	Likely
	Proven
)

// Timings returns what is known of the times of the repetitions of the package, in their order.
func (r *Result) Timings() []Timing {
	r.find()
	if r.timings == nil && r.pkg != nil {
		for i := range r.known.Repetitions {
			r.timings = append(r.timings, r.pkg.timing(&r.known.Repetitions[i]))
		}
		r.tellHelpers()
	}
	return r.timings
}

// tellHelpers tells the loops of helpers where the operations lead that they are given in this package.
func (r *Result) tellHelpers() {
	for i := range r.known.Repetitions {
		if loop := r.loopOf(&r.known.Repetitions[i]); loop >= 0 {
			r.timings[loop].Remote = max(r.timings[loop].Remote, r.timings[i].Remote)
		}
	}
}

// HelperLoop returns the loop, in this package, of the helper whose call a repetition is; nil if it isn't seen.
func (r *Result) HelperLoop(of *Repetition) *Repetition {
	if i := r.loopOf(of); i >= 0 {
		return &r.known.Repetitions[i]
	}
	return nil
}

// loopOf is the index of the loop of the helper whose call a repetition is, -1 if it isn't seen.
func (r *Result) loopOf(of *Repetition) int {
	if of.Hop.Helper == "" {
		return -1
	}
	return slices.IndexFunc(r.known.Repetitions, func(known Repetition) bool {
		return known.Site != nil && of.Hop.Helper == fmt.Sprintf("%s:%d", known.Hop.File, known.Hop.Line)
	})
}

// Circles returns the functions that call themselves, or each other, after a failure and without an end.
func (r *Result) Circles() []sites.Circle {
	r.find()
	if r.pkg == nil {
		return nil
	}
	var list []sites.Circle
	for _, c := range sites.Circles(r.pkg.functions, r.pkg) {
		if !slices.ContainsFunc(r.known.Repetitions, func(known Repetition) bool { return known.Function == c.Function && known.Site != nil }) {
			list = append(list, c)
		}
	}
	return list
}

func (p *Package) timing(r *Repetition) Timing {
	t := Timing{}
	if r.Role != sites.Retry {
		return t
	}
	t.Remote = p.remoteness(r)
	if r.Call != nil && r.Hop.Kind == "library-call" {
		t.Library = p.libraryDelay(r)
	}
	if r.Site == nil {
		return t
	}
	t.Within = !r.Site.Waits && p.attemptWaits(r)
	t.AfterLast, t.Endless = r.Site.WaitsAfterLast(p), r.Site.Endless(p)
	for _, restart := range r.Site.Restarts(p) {
		if restart.Kind != sites.SharedByCalls || mayRunTwice(r.Function) {
			t.Restarts = append(t.Restarts, restart)
		}
	}
	for _, instr := range r.Site.Waiting {
		found := r.Site.DelayOf(instr, p)
		if len(found) == 0 {
			t.Delays = nil
			break
		}
		t.Delays = append(t.Delays, found...)
	}
	return t
}

// attemptWaits reports whether a function that an attempt calls waits for nothing but time, or for being told to stop.
func (p *Package) attemptWaits(r *Repetition) bool {
	for step := range r.AttemptThroughValues() {
		if len(step.Calls) > 0 && !alone(step) && p.Waits(step.Instr) && !receivesData(step.Instr) {
			return true
		}
	}
	return false
}

// receivesData reports whether a select waits for a result, and for time to pass if that doesn't come.
func receivesData(instr ssa.Instruction) bool {
	sel, ok := instr.(*ssa.Select)
	return ok && slices.ContainsFunc(sel.States, func(s *ssa.SelectState) bool {
		return !isTimeChannel(s.Chan.Type()) && !isSignal(s.Chan.Type())
	})
}

// remoteness finds out whether an attempt of r leads to another process.
func (p *Package) remoteness(r *Repetition) Remote {
	best := Local
	for step := range r.Attempt() {
		call, ok := step.Instr.(ssa.CallInstruction)
		if !ok {
			continue
		}
		first := call // of the way that leads there
		if len(step.Calls) > 0 {
			first = step.Calls[0]
		}
		if best = max(best, p.leadsTo(call, r.Site == nil || r.Site.Repeated[first])); best == Proven {
			break
		}
	}
	return best
}

// leadsTo judges a call of an attempt; repeated tells that its failure is what the attempt is repeated for.
func (p *Package) leadsTo(call ssa.CallInstruction, repeated bool) Remote {
	common := call.Common()
	if k := p.lookup(common); k != nil && k.row.Site != nil && k.row.Site.Operation == "request" {
		return Proven
	}
	if takesCallOptions(common.Signature()) || catalog.Remote(remoteName(common)) {
		return Proven
	}
	if repeated && asksWithContext(common.Signature()) && (common.IsInvoke() || p.isClient(common)) {
		return Likely
	}
	return Local
}

var clientWord = regexp.MustCompile(`(Client|Service|API|Store|Repository|Registry|Gateway|DB|Database|Queue|Producer|Publisher)$`)

// isClient reports whether a call is one of a method of another package whose type is called like a client.
func (p *Package) isClient(common *ssa.CallCommon) bool {
	callee := resolve(common.StaticCallee())
	if callee == nil || callee.Signature.Recv() == nil || callee.Pkg == p.SSA {
		return false
	}
	return clientWord.MatchString(typename.Of(callee.Signature.Recv().Type()))
}

// remoteName is the type of the receiver, or the function that is called.
func remoteName(common *ssa.CallCommon) string {
	if common.IsInvoke() {
		return typename.Of(common.Value.Type())
	}
	callee := resolve(common.StaticCallee())
	if callee == nil {
		return ""
	}
	if recv := callee.Signature.Recv(); recv != nil {
		return typename.Of(recv.Type())
	}
	if callee.Object() == nil || callee.Object().Pkg() == nil {
		return ""
	}
	return callee.Object().Pkg().Path() + "." + callee.Name()
}

// takesCallOptions reports whether a method takes options of what asks another process, as those of generated clients do.
func takesCallOptions(sig *types.Signature) bool {
	if !sig.Variadic() {
		return false
	}
	last, ok := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	return ok && catalog.Remote(typename.Of(last.Elem()))
}

// asksWithContext reports whether a method takes a context and can fail.
func asksWithContext(sig *types.Signature) bool {
	if sig.Params().Len() == 0 || sig.Results().Len() == 0 || typename.Of(sig.Params().At(0).Type()) != "context.Context" {
		return false
	}
	return typename.IsError(sig.Results().At(sig.Results().Len() - 1).Type())
}
