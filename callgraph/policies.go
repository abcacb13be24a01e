package callgraph

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// Policies of a project's own: objects that a helper asks for the next delay until they say stop. How often they let
// themselves be asked is read from the bodies of their methods, as a term over their fields (sites.Ends); which policy is
// asked is known where a caller gives it.

// Until describes how often the policy of a is asked until it says stop.
func (p *Package) Until(a sites.Ask) value.Term {
	common := a.Call.Common()
	if p.lookup(common) != nil || p.Local(a.Call) && !a.GivesDelay() {
		return value.Term{}
	}
	t := p.untilOf(common, a)
	if known, ok := p.ask(t); ok {
		t = known
	}
	if t.Kind == value.Until && (!a.GivesDelay() || !asksOpen(t)) {
		return value.Term{}
	}
	return t
}

func (p *Package) untilOf(common *ssa.CallCommon, a sites.Ask) value.Term {
	switch {
	case common.IsInvoke():
		return value.AskedUntil(p.Term(common.Value), common.Method.Name(), a.Stop, a.Starts, a.Moves)
	case common.StaticCallee() != nil:
		return value.AskedUntil(p.function(common.StaticCallee(), nil), "", a.Stop, a.Starts, a.Moves)
	}
	return value.AskedUntil(p.Term(common.Value), "", a.Stop, a.Starts, a.Moves)
}

// asksOpen reports whether callers may know the policy that t asks.
func asksOpen(t value.Term) bool {
	policy := t.Args[0]
	return policy.Open() || callable(policy) || policy.Kind == value.Global
}

// ask resolves an Until whose policy has become known.
func (c *composer) ask(t value.Term) (value.Term, bool) {
	if t.Kind != value.Until || c.asking > maxDepth {
		return value.Term{}, false
	}
	c.asking++
	defer func() { c.asking-- }()
	policy := t.Args[0]
	switch policy.Kind {
	case value.Cond:
		then, ok := c.ask(of(t, policy.Args[1]))
		other, okToo := c.ask(of(t, policy.Args[2]))
		return value.Choose(policy.Args[0], then, other), ok && okToo
	case value.Either:
		return c.askEach(t, policy.Args)
	case value.Global:
		if len(policy.Args) == 1 {
			return c.ask(of(t, policy.Args[0]))
		}
	case value.Func:
		params, free := bind(policy, t.Args[1:])
		return c.askBody(c.endsOf(policy.Name), t, params, free)
	case value.Record:
		if m := c.methodID(policy, t.Name); m != "" && isMethodOf(m, policy.Name) {
			return c.askBody(c.endsOf(m), t, append([]value.Term{policy}, t.Args[1:]...), nil)
		}
	}
	return value.Term{}, false
}

// of returns t for another policy.
func of(t, policy value.Term) value.Term {
	other := t
	other.Args = append([]value.Term{policy}, t.Args[1:]...)
	return other
}

func (c *composer) askEach(t value.Term, policies []value.Term) (value.Term, bool) {
	var list []value.Term
	for _, policy := range policies {
		n, ok := c.ask(of(t, policy))
		if !ok {
			return value.Term{}, false
		}
		list = append(list, n)
	}
	return value.OneOf(list...), true
}

// isMethodOf tells a type's own method from one of a field that it embeds.
func isMethodOf(id, typ string) bool {
	return strings.HasPrefix(id, "(*"+typ+").") || strings.HasPrefix(id, "("+typ+").")
}

// askBody takes the number from what is known of the function that is asked, called with params.
func (c *composer) askBody(ends []sites.End, t value.Term, params, free []value.Term) (value.Term, bool) {
	end, ok := endFor(ends, t.Stop())
	if !ok || !c.movesAsAssumed(end, t, len(params)-len(t.Args)+1) {
		return value.Term{}, false
	}
	return c.frame(params, free).Substitute(end.Attempts), true
}

// endFor finds what a policy says of an answer: a delay of zero or less also stops where it answers with less.
func endFor(ends []sites.End, stop string) (sites.End, bool) {
	for _, e := range ends {
		if e.Stop == stop {
			return e, true
		}
	}
	index, answer, _ := strings.Cut(stop, " ")
	for _, e := range ends {
		at, kind, _ := strings.Cut(e.Stop, " ")
		if at != index {
			continue
		}
		if kind == sites.AnyStop {
			return sites.End{Stop: stop, Attempts: stopping(e.Attempts, stop)}, true
		}
		if answer == sites.ZeroStop && kind == sites.Negative {
			return e, true
		}
	}
	return sites.End{}, false
}

// stopping gives the policies that t asks the answer that is asked for.
func stopping(t value.Term, stop string) value.Term {
	args := make([]value.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = stopping(a, stop)
	}
	if len(args) > 0 {
		t.Args = args
	}
	if t.Kind == value.Until && strings.HasSuffix(t.Stop(), sites.AnyStop) {
		return t.WithStop(stop)
	}
	return t
}

// movesAsAssumed reports whether the attempt numbers that decide in a policy's body do grow by one from call to call.
// offset is the number of parameters that come before the arguments of t.
func (c *composer) movesAsAssumed(end sites.End, t value.Term, offset int) bool {
	return !numberOf(end.Attempts, func(i int64) bool {
		arg := int(i) - offset
		return arg >= 0 && arg+1 < len(t.Args) && !t.Moves(arg)
	})
}

// numberOf reports whether a parameter that stands for a number of its own, and not for the struct of a field, satisfies f.
func numberOf(t value.Term, f func(param int64) bool) bool {
	switch t.Kind {
	case value.Param:
		return f(t.N)
	case value.Field:
		return false
	case value.Until:
		for i, a := range t.Args[1:] {
			if t.Moves(i) && numberOf(a, f) {
				return true
			}
		}
		return false
	}
	for _, a := range t.Args {
		if numberOf(a, f) {
			return true
		}
	}
	return false
}
