package callgraph_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/callgraph"
)

// result hands what the rules get to a test. It is an analyzer of its own since analysistest expects a comment for each fact
// of the analyzer it runs.
var result = &analysis.Analyzer{
	Name:       "result",
	Doc:        "hand the result to the test",
	Requires:   []*analysis.Analyzer{callgraph.Analyzer},
	ResultType: reflect.TypeFor[*callgraph.Result](),
	Run:        func(pass *analysis.Pass) (any, error) { return pass.ResultOf[callgraph.Analyzer], nil },
}

// TestGivens has policies that count attempts from 0 or from 1, as the site that asks them does, and one that never goes on.
func TestGivens(t *testing.T) {
	want := []string{
		"wired.newClient 0 Delay 0 negative: 1",
		"wired.newClient 0 Delay 0 negative 0: 1",
		"wired.newClient 0 Delay 0 negative 0: 9",
		"wired.newClient 0 Delay 0 negative 1: 1",
		"wired.newClient 0 Delay 0 negative 1: 8",
	}
	for _, r := range analysistest.Run(t, analysistest.TestData(), result, "wired") {
		var got []string
		for _, g := range r.Result.(*callgraph.Result).Givens {
			got = append(got, fmt.Sprintf("%s %d %s: %s", g.Function, g.Param, g.Asked, g.Count))
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
