package rule_test

import (
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/rule"
)

// page has the sections of the rules below. One of them bears the name of a rule that exists, since directives name no others.
const page = `// Package shop has pages.
//
// # nestedretry: tell each site
//
// # broken: panic
package shop`

var (
	telling = rule.New("nestedretry", page, func(pass *rule.Pass) {
		for _, site := range pass.Known.Repetitions {
			for range 2 { // the second is dropped
				pass.Report("amplification", analysis.Diagnostic{Pos: site.Pos, Message: "told: " + site.Hop.Label})
			}
		}
	})
	broken = rule.New("broken", page, func(*rule.Pass) { panic("no such thing") })
)

// TestReports runs a rule that tells and one that panics over one package.
func TestReports(t *testing.T) {
	both := &analysis.Analyzer{
		Name: "both", Doc: "run both rules", Requires: telling.Requires,
		Run: func(pass *analysis.Pass) (any, error) {
			if _, err := telling.Run(pass); err != nil {
				return nil, err
			}
			return broken.Run(pass)
		},
	}
	for _, r := range analysistest.Run(t, analysistest.TestData(), both, "shop") {
		if len(r.Diagnostics) == 0 {
			t.Fatal("nothing was reported")
		}
		if got, want := categories(r.Diagnostics), []string{"nestedretry.amplification", rule.Internal}; !reflect.DeepEqual(got, want) {
			t.Errorf("categories %q, want %q", got, want)
		}
	}
}

func categories(list []analysis.Diagnostic) []string {
	var names []string
	for _, d := range list {
		names = append(names, d.Category)
	}
	return names
}
