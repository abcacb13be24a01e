package sites_test

import (
	"fmt"
	"go/ast"
	"reflect"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
)

// stock hands the inventory of a package to the test. It is an analyzer of its own since analysistest expects a comment for
// each fact of the analyzer it runs.
var stock = &analysis.Analyzer{
	Name:       "stock",
	Doc:        "hand the inventory to the test",
	Requires:   []*analysis.Analyzer{callgraph.Analyzer},
	ResultType: reflect.TypeFor[*callgraph.Result](),
	Run: func(pass *analysis.Pass) (any, error) {
		return pass.ResultOf[callgraph.Analyzer], nil
	},
}

// TestForms compares what is found in testdata/src/forms with the comments there.
func TestForms(t *testing.T) {
	for _, r := range analysistest.Run(t, analysistest.TestData(), stock, "forms") {
		known := r.Result.(*callgraph.Result).Known()
		if known.Panic != "" {
			t.Fatal(known.Panic)
		}
		got := map[string][]string{}
		for _, s := range known.Repetitions {
			if place := r.Pass.Fset.Position(s.Pos); retries(s) {
				at := fmt.Sprintf("%s:%d", base(place.Filename), place.Line)
				got[at] = append(got[at], describe(s))
			}
		}
		compare(t, got, expected(r.Pass))
	}
}

// retries reports whether s is a retry written out; calls of helpers and clients are for other tests.
func retries(s callgraph.Repetition) bool { return s.Role == sites.Retry && s.Site != nil }

func base(file string) string { return file[strings.LastIndexByte(file, '/')+1:] }

// describe renders a place the way the comments do.
func describe(s callgraph.Repetition) string {
	attempts := s.Count.String()
	if s.Count.Kind == count.Symbol && s.Count.HasDefault {
		attempts += fmt.Sprintf("(%d)", s.Count.N)
	}
	return fmt.Sprintf("%s %s %s", s.Hop.Kind, s.Role, attempts)
}

// expected reads the comments, by file and line.
func expected(pass *analysis.Pass) map[string][]string {
	want := map[string][]string{}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, c := range group.List {
				place := pass.Fset.Position(c.Pos())
				if text, ok := strings.CutPrefix(c.Text, "// site "); ok && !isDoc(file, group) {
					at := fmt.Sprintf("%s:%d", base(place.Filename), place.Line)
					want[at] = append(want[at], text)
				}
			}
		}
	}
	return want
}

func isDoc(file *ast.File, group *ast.CommentGroup) bool { return file.Doc == group }

func compare(t *testing.T, got, want map[string][]string) {
	t.Helper()
	places := map[string]bool{}
	for at := range got {
		places[at] = true
	}
	for at := range want {
		places[at] = true
	}
	for _, at := range sorted(places) {
		sort.Strings(got[at])
		if !reflect.DeepEqual(got[at], want[at]) {
			t.Errorf("%s: found %q, want %q", at, got[at], want[at])
		}
	}
}

func sorted(set map[string]bool) []string {
	list := make([]string, 0, len(set))
	for s := range set {
		list = append(list, s)
	}
	sort.Strings(list)
	return list
}
