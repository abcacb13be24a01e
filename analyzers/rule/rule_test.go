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
//
// # retrybudget: tell each site twice
package shop`

var (
	telling = rule.New("nestedretry", page, func(pass *rule.Pass) {
		for _, site := range pass.Known.Repetitions {
			for range 2 { // the second is dropped
				pass.Report("amplification", analysis.Diagnostic{Pos: site.Pos, Message: "told: " + site.Hop.Label})
			}
		}
	})
	optional = rule.New("retrybudget", page, func(pass *rule.Pass) {
		for _, site := range pass.Known.Repetitions[:1] {
			pass.Report("attemptsonly", analysis.Diagnostic{Pos: site.Pos, Message: "told: " + site.Hop.Label})
			pass.Report("order", analysis.Diagnostic{Pos: site.Pos, Message: "told: " + site.Hop.Label})
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
		if got, want := categoriesOf(r.Diagnostics), []string{"nestedretry.amplification", rule.Internal}; !reflect.DeepEqual(got, want) {
			t.Errorf("categories %q, want %q", got, want)
		}
	}
}

// TestFlags selects categories where no command does it after the run.
func TestFlags(t *testing.T) {
	const order, attemptsonly = "retrybudget.order", "retrybudget.attemptsonly"
	for _, c := range []struct {
		enable, disable string
		want            []string
	}{
		{"", "", []string{order}},
		{"attemptsonly", "", []string{attemptsonly, order}},
		{"attemptsonly", "order", []string{attemptsonly}},
		{"attemptsonly,order", "order,attemptsonly", nil},
	} {
		for name, value := range map[string]string{"enable": c.enable, "disable": c.disable} {
			if err := optional.Flags.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		quiet := *optional
		quiet.Run = func(pass *analysis.Pass) (any, error) {
			silent := *pass
			var got []analysis.Diagnostic
			silent.Report = func(d analysis.Diagnostic) { got = append(got, d) }
			_, err := optional.Run(&silent)
			if !reflect.DeepEqual(categoriesOf(got), c.want) {
				t.Errorf("-enable=%s -disable=%s: %q, want %q", c.enable, c.disable, categoriesOf(got), c.want)
			}
			return nil, err
		}
		analysistest.Run(silentT{t}, analysistest.TestData(), &quiet, "shop")
	}
	if err := optional.Flags.Set("enable", "atemptsonly"); err == nil {
		t.Error("no error for a category that doesn't exist")
	}
}

// silentT drops complaints about expectations that are those of another test.
type silentT struct{ t *testing.T }

func (silentT) Errorf(string, ...any) {}

func categoriesOf(list []analysis.Diagnostic) []string {
	var names []string
	for _, d := range list {
		names = append(names, d.Category)
	}
	return names
}
