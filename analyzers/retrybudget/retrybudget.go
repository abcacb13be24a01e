package retrybudget

import (
	_ "embed"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/sites"
)

//go:embed doc.go
var source string

// Analyzer reports budgets that don't bound.
var Analyzer = rule.New("retrybudget", source, check)

func check(pass *rule.Pass) {
	c := newChecker(pass)
	if c == nil {
		return
	}
	for i := range pass.Known.Repetitions {
		r := &pass.Known.Repetitions[i]
		if r.Function == nil || r.Role != sites.Retry || r.Hop.Kind == "client" {
			continue
		}
		c.repetition(r)
	}
	c.declared()
	for _, t := range c.terms {
		c.checkLimit(t)
		c.checkAtomicity(t)
	}
	for _, g := range c.gates {
		c.checkRatio(g)
	}
}

// A term is a counter that decides about repetitions.
type term struct {
	counter  budget.Counter
	polarity budget.Polarity
}

type checker struct {
	*rule.Pass
	index *budget.Index
	pkg   *ssa.Package
	terms []term
	gates []*budget.Gate
}

func newChecker(pass *rule.Pass) *checker {
	functions := pass.Result.Functions()
	if len(functions) == 0 {
		return nil
	}
	return &checker{Pass: pass, pkg: functions[0].Pkg, index: pass.Result.Counters()}
}

// repetition looks for what gates r, and checks how r uses it.
func (c *checker) repetition(r *callgraph.Repetition) {
	found := r.Gates()
	for _, g := range found {
		c.take(g.State)
	}
	fed := found
	if loop := c.Result.HelperLoop(r); loop != nil && r.Site == nil {
		fed = append(fed, loop.Gates()...) // the operation may feed what its helper asks
	}
	c.checkFeedback(r, fed)
	c.checkOrder(r, found)
	c.checkScope(r, found)
	c.checkAttemptsOnly(r, found)
}

// take remembers the counters of a gate that something charges: one that nothing charges admits all, or nothing.
func (c *checker) take(g *budget.Gate) {
	if g == nil {
		return
	}
	c.gates = append(c.gates, g)
	for _, t := range g.Terms {
		one := term{t.Counter, t.Polarity}
		if !slices.Contains(c.terms, one) {
			c.terms = append(c.terms, one)
		}
	}
}

// aboutRetries is what code that is about retries is called. It only decides about a gate that isn't seen to gate a repetition,
// because a function value stands between: whether it is meant for one.
var aboutRetries = regexp.MustCompile(`(?i)retr(y|ies)|repeat|reattempt`)

// declared takes the gates that say by their names that they are about retries, and charge what they check.
func (c *checker) declared() {
	for _, fn := range c.index.Functions {
		if g := c.index.Decides(fn); g != nil && c.speaksOfRetries(fn, g) && !slices.ContainsFunc(g.Terms, func(t budget.Term) bool { return c.index.Symmetric(t.Counter) }) {
			c.take(g)
		}
	}
}

func (c *checker) speaksOfRetries(fn *ssa.Function, g *budget.Gate) bool {
	if aboutRetries.MatchString(fn.Name()) {
		return true
	}
	for _, p := range fn.Params {
		if aboutRetries.MatchString(p.Name()) || aboutRetries.MatchString(p.Type().String()) && p == fn.Params[0] {
			return true
		}
	}
	return slices.ContainsFunc(g.Terms, func(t budget.Term) bool { return aboutRetries.MatchString(t.Counter.Name()) })
}
