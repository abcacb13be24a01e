// Package rule is what the analyzers of rules have in common: each reads what is known of a package, and reports findings by
// category. What they find lies in the findings' own packages; how a finding gets out is decided here, once.
package rule

import (
	"fmt"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/page"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/directive"
	"github.com/retrylint/retrylint/internal/rules"
)

// Internal is the category of a diagnostic that says that a package could not be analysed.
const Internal = "internal"

// A Pass is the application of a rule to a package.
type Pass struct {
	*analysis.Pass
	// Result is what is known of the package; Known holds its places and chains.
	Result *callgraph.Result
	Known  callgraph.Known

	rule    string
	filter  *config.Filter
	ignored *directive.Index
	told    map[finding]bool
}

// A finding is told once: two sites may lead to the same place.
type finding struct {
	pos      token.Pos
	category string
}

// New returns the analyzer of a rule, whose documentation is the section "name: summary" of the package comment in source.
// check is not called for packages that aren't looked into; a panic in it is reported, and ends that rule for that package
// only.
func New(name, source string, check func(*Pass)) *analysis.Analyzer {
	filter := new(config.Filter)
	a := &analysis.Analyzer{
		Name:     name,
		Doc:      page.Doc(source, name),
		URL:      page.URL(name),
		Requires: []*analysis.Analyzer{callgraph.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			run(name, filter, pass, check)
			return nil, nil
		},
	}
	a.Flags.Var(&categories{name, &filter.Enable}, "enable", "report these categories as well, separated by commas")
	a.Flags.Var(&categories{name, &filter.Disable}, "disable", "don't report these categories, separated by commas")
	return a
}

// categories are the value of a flag: categories of a rule, separated by commas.
type categories struct {
	rule string
	to   *[]rules.Name
}

func (c *categories) String() string {
	var list []string
	if c.to != nil {
		for _, name := range *c.to {
			list = append(list, name.Category)
		}
	}
	return strings.Join(list, ",")
}

// Set reads a list in place of what was set before.
func (c *categories) Set(list string) error {
	*c.to = nil
	for category := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' }) {
		name, err := rules.Parse(c.rule + "." + strings.TrimSpace(category))
		if err != nil {
			return err
		}
		*c.to = append(*c.to, name)
	}
	return nil
}

func run(name string, filter *config.Filter, pass *analysis.Pass, check func(*Pass)) {
	result := pass.ResultOf[callgraph.Analyzer].(*callgraph.Result)
	known := result.Known()
	if known.Panic != "" || !result.Analysed() {
		return // the analyzer of the inventory tells of panics
	}
	defer func() {
		if r := recover(); r != nil {
			Panicked(pass, fmt.Sprintf("%s: %v", name, r))
		}
	}()
	p := &Pass{Pass: pass, Result: result, Known: known, rule: name, filter: filter, ignored: directive.Of(pass), told: map[finding]bool{}}
	result.InTurn(func() { check(p) })
}

// Panicked reports that a package could not be analysed.
func Panicked(pass *analysis.Pass, reason string) {
	pass.Report(analysis.Diagnostic{
		Pos: pass.Files[0].Package, Category: Internal, Message: "retrylint could not analyse this package: " + reason,
	})
}

// Report reports a finding of a category, unless it isn't wanted, a directive suppresses it, or the same place was already told of
// it. Findings without a place, which lie in code that nobody wrote, are dropped.
func (p *Pass) Report(category string, d analysis.Diagnostic) {
	f := finding{d.Pos, category}
	if !d.Pos.IsValid() || p.told[f] || !p.wants(category) || p.ignored.Suppressed(d.Pos, p.rule, category) {
		return
	}
	p.told[f] = true
	d.Category = p.rule + "." + category
	p.Pass.Report(d)
}

// wants goes by the flags of the analyzer, except in runs of the command, which selects after the run.
func (p *Pass) wants(category string) bool {
	return directive.Deferred || config.Wanted([]config.Filter{*p.filter}, p.rule, category)
}
