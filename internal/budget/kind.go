package budget

import (
	"cmp"
	"slices"
)

// A Kind says what a budget bounds.
type Kind string

// The kinds. What is charged for a repetition and stays charged, until time or traffic refills it, bounds how many there are in
// relation to something. What is given back when the repetition is over bounds how many there are at once: while a dependency
// fails fast, any number of them fits in one after the other.
const (
	Rate        Kind = "rate"
	Concurrency Kind = "concurrency"
)

// State returns the counter that makes a budget of a gate, one that is charged and that callers share, and what it bounds; nil
// if there is none, as where one call counts its own attempts. A rate tells more than a cap beside it.
func (x *Index) State(g *Gate) (Counter, Kind) {
	terms := slices.DeleteFunc(slices.Clone(g.Terms), func(t Term) bool { return !x.charged(g, t) || !x.MadeForMany(t) })
	slices.SortFunc(terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(a.Counter.Pos(), b.Counter.Pos()), cmp.Compare(a.Polarity, b.Polarity))
	})
	var capped Counter
	for _, t := range terms {
		if !x.Permit(t.Counter, t.Polarity) {
			return t.Counter, Rate
		}
		if capped == nil {
			capped = t.Counter
		}
	}
	if capped == nil {
		return nil, ""
	}
	return capped, Concurrency
}

// Caps reports whether a gate only bounds how many repetitions there are at once.
func (x *Index) Caps(g *Gate) bool {
	lends := false
	for _, t := range g.Terms {
		if !x.charged(g, t) {
			continue
		}
		if !x.Permit(t.Counter, t.Polarity) {
			return false
		}
		lends = true
	}
	return lends
}

// charged reports whether anything charges the counter of a term. The base of a ratio pays for nothing.
func (x *Index) charged(g *Gate, t Term) bool {
	if t.Polarity == Balance && slices.ContainsFunc(g.Ratios, func(r Ratio) bool { return r.Base == t.Counter }) {
		return false
	}
	return slices.ContainsFunc(x.of[t.Counter], func(a Access) bool { return a.Charges(t.Polarity) })
}
