package callgraph_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/callgraph"
)

// silent doesn't mind that fixtures of programs expect no facts.
type silent struct{}

func (silent) Errorf(string, ...any) {}

// program links the packages of a module under testdata, as they come out of the text that they travel as.
func program(t *testing.T, dir string) (*callgraph.Program, []*analysistest.Result) {
	t.Helper()
	abs, err := filepath.Abs(filepath.Join("testdata", dir))
	if err != nil {
		t.Fatal(err)
	}
	var raws []*callgraph.Raw
	results := analysistest.Run(silent{}, abs, callgraph.Analyzer, "./...")
	for _, r := range results {
		raw, panicked := r.Result.(*callgraph.Result).Raw()
		if panicked != "" {
			t.Fatal(panicked)
		}
		if raw == nil {
			continue // external tests
		}
		text, err := raw.Encode()
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := callgraph.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		raws = append(raws, decoded)
	}
	return callgraph.NewProgram(raws), results
}

// TestEdges compares the functions that each call can run with the comment beside it.
func TestEdges(t *testing.T) {
	g, results := program(t, "program")
	got := map[string][]string{}
	for _, e := range g.Edges() {
		key := fmt.Sprintf("%s:%d", e.File, e.Line)
		got[key] = append(got[key], shown(e.Callee))
	}
	want := comments(results, "-> ")
	for _, key := range keys(got, want) {
		g, w := unique(got[key]), want[key]
		if slices.Equal(w, []string{"-"}) {
			w = nil
		}
		if !slices.Equal(g, unique(w)) {
			t.Errorf("%s: calls %v, want %v", key, g, w)
		}
	}
}

// TestProgramChains compares the chains that begin in each function with the comment beside it.
func TestProgramChains(t *testing.T) {
	g, results := program(t, "program")
	got := map[string][]string{}
	chains, _ := g.Chains()
	for _, c := range chains {
		var sites []string
		for _, l := range c.Links {
			sites = append(sites, strings.Trim(strings.Split(l.Function, ")")[0], "(*"))
		}
		text := fmt.Sprintf("%d of %s", c.Product.N, strings.Join(sites, " "))
		if strings.Contains(c.Message(c.Links[0].Module), "assumed") {
			text += " assumed"
		}
		got[c.Links[0].File] = append(got[c.Links[0].File], text)
	}
	want := map[string][]string{}
	for key, list := range comments(results, "chain: ") {
		file := key[:strings.LastIndexByte(key, ':')]
		want[file] = append(want[file], strings.Join(list, " "))
	}
	for _, key := range keys(got, want) {
		if !slices.Equal(unique(got[key]), unique(want[key])) {
			t.Errorf("%s: chains %q, want %q", key, got[key], want[key])
		}
	}
}

// TestProgramCounts compares the numbers that only the program knows with the comments beside the sites.
func TestProgramCounts(t *testing.T) {
	g, results := program(t, "program")
	got := map[string][]string{}
	for place, n := range g.Counts() {
		if strings.HasPrefix(place.File, "wired/") {
			got[fmt.Sprintf("%s:%d", place.File, place.Line)] = []string{n.String()}
		}
	}
	want := comments(results, "counts: ")
	for _, key := range keys(got, want) {
		if !slices.Equal(got[key], want[key]) {
			t.Errorf("%s: counts %v, want %v", key, got[key], want[key])
		}
	}
}

// comments reads what the fixtures expect, by file and line.
func comments(results []*analysistest.Result, mark string) map[string][]string {
	list := map[string][]string{}
	for _, r := range results {
		for _, f := range r.Pass.Files {
			for _, group := range f.Comments {
				for _, c := range group.List {
					_, text, ok := strings.Cut(c.Text, "// "+mark)
					if !ok {
						continue
					}
					at := r.Pass.Fset.Position(c.Pos())
					key := fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(at.Filename)), filepath.Base(at.Filename), at.Line)
					for _, part := range strings.Split(text, ",") {
						list[key] = append(list[key], strings.TrimSpace(part))
					}
				}
			}
		}
	}
	return list
}

var importPath = regexp.MustCompile(`[a-z.]+/program/`)

// shown is how the comments call a function: pkg.F, (*T).M, without the package for methods.
func shown(id string) string {
	id = importPath.ReplaceAllString(id, "")
	return regexp.MustCompile(`\((\*?)[a-z]+\.`).ReplaceAllString(id, "($1")
}

func keys(maps ...map[string][]string) []string {
	var list []string
	for _, m := range maps {
		for k := range m {
			list = append(list, k)
		}
	}
	return unique(list)
}

func unique(list []string) []string {
	sorted := slices.Clone(list)
	sort.Strings(sorted)
	return slices.Compact(sorted)
}
