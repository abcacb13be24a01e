// Package plugin makes the rules of retrylint a module plugin of golangci-lint. A build of golangci-lint that imports it has a
// linter called retrylint; see golangci-build for such a build, and .golangci.example.yml for its configuration.
//
// The linter is configured in golangci-lint's file alone. golangci-lint keeps results in a cache of its own, which knows of
// changes in that file but not in .retrylint.yml; so the latter is not obeyed here.
package plugin

import (
	"errors"
	"slices"
	"strings"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers"
	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/report"
	"github.com/retrylint/retrylint/internal/rules"
)

func init() { register.Plugin("retrylint", New) }

// New makes the plugin from what stands below settings in golangci-lint's configuration.
func New(conf any) (register.LinterPlugin, error) {
	settings, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, err
	}
	c, mistakes := settings.config()
	filter, err := settings.Rules.filter()
	if err := errors.Join(err, mistakes); err != nil {
		return nil, err
	}
	config.Use(c) // for good: golangci-lint runs once a process
	return linter{filter}, nil
}

type linter struct{ filter config.Filter }

// BuildAnalyzers returns the rules.
func (l linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	var list []*analysis.Analyzer
	stripped := map[*analysis.Analyzer]*analysis.Analyzer{}
	for _, a := range analyzers.All() {
		if err := l.enable(a); err != nil {
			return nil, err
		}
		stripped[a] = l.reporting(a)
		list = append(list, stripped[a])
	}
	for _, a := range list { // else what is required would run beside what is listed
		a.Requires = slices.Clone(a.Requires)
		for i, required := range a.Requires {
			if own := stripped[required]; own != nil {
				a.Requires[i] = own
			}
		}
	}
	return list, nil
}

// GetLoadMode asks for types. golangci-lint analyses dependencies from source where it has no facts of them yet.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }

// enable makes an analyzer report what is opt-in and wanted.
func (l linter) enable(a *analysis.Analyzer) error {
	r := rules.Find(a.Name)
	if r == nil || a.Flags.Lookup("enable") == nil {
		return nil
	}
	var wanted []string
	for _, c := range r.Categories {
		if c.OptIn && l.wants(r.Name, c.Name) {
			wanted = append(wanted, c.Name)
		}
	}
	return a.Flags.Set("enable", strings.Join(wanted, ","))
}

func (l linter) wants(rule, category string) bool {
	return config.Wanted([]config.Filter{l.filter}, rule, category)
}

// reporting is the analyzer without what isn't wanted, and without related positions, which golangci-lint would show as issues of
// their own. Nothing is lost but places to jump to: the message tells the whole chain.
func (l linter) reporting(a *analysis.Analyzer) *analysis.Analyzer {
	stripped := *a
	stripped.Run = func(pass *analysis.Pass) (any, error) {
		silent := *pass
		silent.Report = func(d analysis.Diagnostic) {
			if rule, category, is := strings.Cut(d.Category, "."); is && !l.wants(rule, category) {
				return
			}
			if a == nestedretry.Analyzer && !report.Exceeds(d.Message, l.filter.MaxAttempts) {
				return
			}
			d.Related = nil
			pass.Report(d)
		}
		return a.Run(&silent)
	}
	return &stripped
}
