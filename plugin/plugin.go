// Package plugin makes the rules of retrylint a module plugin of golangci-lint. A build of golangci-lint that imports it has a
// linter called retrylint; see golangci-build for such a build, and .golangci.example.yml for its configuration.
//
// The linter is configured in golangci-lint's file alone. golangci-lint keeps results in a cache of its own, which knows of
// changes in that file but not in .retrylint.yml; so the latter is not obeyed here.
package plugin

import (
	"slices"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers"
	"github.com/retrylint/retrylint/internal/config"
)

func init() { register.Plugin("retrylint", New) }

// New makes the plugin from what stands below settings in golangci-lint's configuration.
func New(conf any) (register.LinterPlugin, error) {
	settings, err := register.DecodeSettings[Settings](conf)
	if err != nil {
		return nil, err
	}
	c, err := settings.config()
	if err != nil {
		return nil, err
	}
	config.Use(c) // for good: golangci-lint runs once a process
	return linter{}, nil
}

type linter struct{}

// BuildAnalyzers returns the rules.
func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	var list []*analysis.Analyzer
	stripped := map[*analysis.Analyzer]*analysis.Analyzer{}
	for _, a := range analyzers.All() {
		stripped[a] = withoutRelated(a)
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

// withoutRelated is the analyzer without related positions, which golangci-lint would show as issues of their own. Nothing is
// lost but places to jump to: the message tells the whole chain.
func withoutRelated(a *analysis.Analyzer) *analysis.Analyzer {
	stripped := *a
	stripped.Run = func(pass *analysis.Pass) (any, error) {
		silent := *pass
		silent.Report = func(d analysis.Diagnostic) {
			d.Related = nil
			pass.Report(d)
		}
		return a.Run(&silent)
	}
	return &stripped
}
