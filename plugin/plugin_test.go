package plugin

import (
	"reflect"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/internal/config"
)

// settings have the form in which golangci-lint hands them over.
func settings(helpers, clients []any) map[string]any {
	return map[string]any{"helpers": helpers, "clients": clients}
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
	if got, want := strings.Join(names, " "), "nestedretry retryidempotency retryignore retrysites"; got != want {
		t.Errorf("analyzers %q, want %q", got, want)
	}
}

func TestRelatedPositionsAreDropped(t *testing.T) {
	var got []analysis.Diagnostic
	a := withoutRelated(&analysis.Analyzer{Run: func(pass *analysis.Pass) (any, error) {
		pass.Report(analysis.Diagnostic{Message: "m", Related: []analysis.RelatedInformation{{Message: "r"}}})
		return 1, nil
	}})
	result, err := a.Run(&analysis.Pass{Report: func(d analysis.Diagnostic) { got = append(got, d) }})
	if result != 1 || err != nil || len(got) != 1 || got[0].Message != "m" || got[0].Related != nil {
		t.Errorf("result %v, %v, diagnostics %v", result, err, got)
	}
}
