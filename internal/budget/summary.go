package budget

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// What importers learn of a function, a letter for each fact.
const (
	// Refuses says that the function decides by a counter and charges it, Shared that the budget is made for many callers.
	Refuses = 'd'
	Shared  = 's'
	// Lends says that the budget takes back what it was charged when what it admits is over; Even, that it goes up and down by
	// the same step, so that whoever uses it may do that.
	Lends = 'l'
	Even  = 'e'
	// Feeds says that each call refills the budget that other functions decide by.
	Feeds = 'f'
)

// Summaries tells of the functions that belong to budgets what importers learn of them.
func (x *Index) Summaries() map[*ssa.Function]string {
	summaries := map[*ssa.Function]string{}
	if !x.anyMutable() {
		return summaries
	}
	var terms []Term
	for _, fn := range x.Functions {
		g := x.Decides(fn)
		if g == nil {
			continue
		}
		summaries[fn] = string(Refuses)
		if x.Caps(g) {
			summaries[fn] += string(Lends)
		} else if slices.ContainsFunc(g.Terms, func(t Term) bool { return x.Symmetric(t.Counter) }) {
			summaries[fn] += string(Even)
		}
		shared := false
		for _, t := range g.Terms {
			if x.Permit(t.Counter, t.Polarity) {
				continue
			}
			terms = append(terms, t)
			shared = shared || x.MadeForMany(t)
		}
		if shared {
			summaries[fn] += string(Shared)
		}
	}
	for _, fn := range x.Functions {
		if slices.ContainsFunc(terms, func(t Term) bool { return x.feeds(fn, t) }) {
			summaries[fn] += string(Feeds)
		}
	}
	return summaries
}

func (x *Index) anyMutable() bool {
	for c := range x.of {
		if x.Mutable(c) {
			return true
		}
	}
	return false
}

// MadeForMany reports whether a counter is refilled and guarded: it is made to be shared.
func (x *Index) MadeForMany(t Term) bool {
	refilled := slices.ContainsFunc(x.of[t.Counter], func(a Access) bool { return a.Refills(t.Polarity) })
	atomic := slices.ContainsFunc(x.of[t.Counter], func(a Access) bool { return a.Atomic })
	return refilled && (atomic || x.Guards(t.Counter))
}

// maxHandedOn is through how many functions a refill is followed.
const maxHandedOn = 3

// feeds reports whether each call of fn refills a counter, itself or by handing on to a function that does.
func (x *Index) feeds(fn *ssa.Function, t Term) bool { return x.feedsWithin(fn, t, maxHandedOn) }

func (x *Index) feedsWithin(fn *ssa.Function, t Term, depth int) bool {
	if x.Gates(fn, t.Counter) {
		return false
	}
	for _, a := range x.accesses[fn] {
		if a.Counter == t.Counter && a.Change.Depends && a.Refills(t.Polarity) && !x.TimedRefill(a, t.Polarity) && x.always(a) {
			return true
		}
	}
	return depth > 0 && x.handsOn(fn, t, depth-1)
}

// handsOn reports whether each call of fn calls a method that refills a counter.
func (x *Index) handsOn(fn *ssa.Function, t Term, depth int) bool {
	for _, b := range fn.Blocks {
		if len(Controls(b)) > 0 {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.StaticCallee() == nil {
				continue
			}
			for _, callee := range x.Callees(&call.Call) {
				if x.feedsWithin(callee, t, depth) {
					return true
				}
			}
		}
	}
	return false
}

// always reports whether only comparisons of the counter decide whether a is executed.
func (x *Index) always(a Access) bool {
	for _, c := range Controls(a.Instr.Block()) {
		test, ok := c.Branch.Cond.(*ssa.BinOp)
		if !ok || !x.about(test, a) && !isNil(test.X) && !isNil(test.Y) {
			return false
		}
	}
	return true
}
