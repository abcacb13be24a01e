package plugin

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/analyzers/retrybudget"
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/rules"
)

// settings have the form in which golangci-lint hands them over.
func settings(helpers, clients []any, more ...map[string]any) map[string]any {
	all := map[string]any{"helpers": helpers, "clients": clients}
	for _, m := range more {
		maps.Copy(all, m)
	}
	return all
}

func TestSettings(t *testing.T) {
	defer config.Use(new(config.Config))()
	made, err := register.GetPlugin("retrylint")
	if err != nil {
		t.Fatal(err)
	}
	_, err = made(settings([]any{
		map[string]any{"function": "example.com/m/retry.Do", "operation": 1, "attempts": 3},
		map[string]any{"function": "(*example.com/m/retry.Policy).Do", "operation": 0, "attempts": map[string]any{"argument": 2, "unit": "retries"}},
	}, []any{
		map[string]any{"type": "*example.com/m/api.Client", "methods": []any{"Get"}, "attempts": 4},
	}, map[string]any{
		"writes": []any{map[string]any{"function": "example.com/m/ledger.Book", "key": 1}},
		"keys":   []any{"X-Shop-Order"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	want := &config.Config{
		Helpers: []config.Helper{
			{Function: "example.com/m/retry.Do", Operation: 1, Attempts: config.Attempts{Number: 3}},
			{Function: "(*example.com/m/retry.Policy).Do", Attempts: config.Attempts{Argument: 2, Retries: true}},
		},
		Clients: []config.Client{{Type: "*example.com/m/api.Client", Methods: []string{"Get"}, Attempts: config.Attempts{Number: 4}}},
		Writes:  []config.Write{{Function: "example.com/m/ledger.Book", Key: new(1)}},
		Keys:    []string{"X-Shop-Order"},
	}
	if got := config.Current(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestNoSettings(t *testing.T) {
	defer config.Use(new(config.Config))()
	if _, err := New(nil); err != nil {
		t.Error(err)
	}
}

func TestMistakesInSettings(t *testing.T) {
	for _, c := range []struct {
		conf any
		want string
	}{
		{map[string]any{"helper": []any{}}, `unknown field "helper"`},
		{settings([]any{map[string]any{"function": "a.F", "operation": 0, "attempts": map[string]any{"arg": 1}}}, nil), `unknown field "arg"`},
		{settings([]any{map[string]any{"function": "Do"}}, nil), "helpers[0]: function needs the import path"},
		{settings([]any{map[string]any{"function": "a.F", "attempts": 3}}, nil), "helpers[0]: operation must be"},
		{settings([]any{map[string]any{"function": "a.F", "operation": 0}}, nil), "helpers[0]: attempts must be a number from 1"},
		{settings([]any{map[string]any{"function": "a.F", "operation": 0, "attempts": map[string]any{"argument": 1, "unit": "times"}}}, nil), `not "times"`},
		{settings(nil, []any{map[string]any{"type": "*a.T", "attempts": 2}}), "clients[0]: methods must list"},
		{settings(nil, []any{map[string]any{"type": "*a.T", "methods": []any{"Get"}}}), "clients[0]: attempts must be"},
		{map[string]any{"writes": []any{map[string]any{"function": "Book", "key": -1}}}, "writes[0]: key must be"},
		{map[string]any{"writes": []any{map[string]any{"function": "Book"}}}, "writes[0]: function needs"},
		{map[string]any{"keys": []any{"--"}}, `keys[0]: "--" is no name`},
		{map[string]any{"rules": map[string]any{"disabled": []any{}}}, `unknown field "disabled"`},
		{map[string]any{"rules": map[string]any{"disable": []any{"retrybaund"}}}, `rules.disable: unknown rule "retrybaund": did you mean retrybound?`},
		{map[string]any{"rules": map[string]any{"max-attempts": 0}}, "rules.max-attempts must be"},
	} {
		if _, err := New(c.conf); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.conf, err, c.want)
		}
	}
}

func TestAnalyzers(t *testing.T) {
	list, err := linter{}.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(list); err != nil {
		t.Error(err)
	}
	var names []string
	for _, a := range list {
		names = append(names, a.Name)
	}
	want := []string{inventory.Analyzer.Name}
	for _, r := range rules.All {
		want = append(want, r.Name)
	}
	if !slices.Equal(names, want) {
		t.Errorf("analyzers %q, want %q", names, want)
	}
}

// TestReports reports what is wanted, and without related positions.
func TestReports(t *testing.T) {
	chain := func(text string) analysis.Diagnostic {
		return analysis.Diagnostic{Category: "nestedretry.amplification", Message: text, Related: []analysis.RelatedInformation{{Message: "r"}}}
	}
	for _, c := range []struct {
		filter config.Filter
		want   []string
	}{
		{config.Filter{}, []string{"up to 4 attempts: a", "up to 12 attempts: b"}},
		{config.Filter{MaxAttempts: 9}, []string{"up to 12 attempts: b"}},
		{config.Filter{Disable: []rules.Name{{Rule: "nestedretry"}}}, nil},
		{config.Filter{Only: []rules.Name{{Rule: "retrybound"}}}, nil},
	} {
		original := nestedretry.Analyzer.Run
		nestedretry.Analyzer.Run = func(pass *analysis.Pass) (any, error) {
			pass.Report(chain("up to 4 attempts: a"))
			pass.Report(chain("up to 12 attempts: b"))
			return 1, nil
		}
		var got []string
		result, err := linter{c.filter}.reporting(nestedretry.Analyzer).Run(&analysis.Pass{Report: func(d analysis.Diagnostic) {
			got = append(got, d.Message)
			if d.Related != nil {
				t.Errorf("%s has related positions", d.Message)
			}
		}})
		nestedretry.Analyzer.Run = original
		if result != 1 || err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: result %v, %v, diagnostics %q, want %q", c.filter, result, err, got, c.want)
		}
	}
}

// TestOptIn enables what is off by default.
func TestOptIn(t *testing.T) {
	defer config.Use(new(config.Config))()
	for want, conf := range map[string]any{
		"":             nil,
		"attemptsonly": map[string]any{"rules": map[string]any{"enable": []any{"retrybudget.attemptsonly"}}},
	} {
		made, err := New(conf)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := made.BuildAnalyzers(); err != nil {
			t.Fatal(err)
		}
		if got := retrybudget.Analyzer.Flags.Lookup("enable").Value.String(); got != want {
			t.Errorf("%v: enabled %q, want %q", conf, got, want)
		}
	}
}
