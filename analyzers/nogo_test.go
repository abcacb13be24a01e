package analyzers_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/retrylint/retrylint/analyzers/nestedretry"
	"github.com/retrylint/retrylint/analyzers/retrybackoff"
	"github.com/retrylint/retrylint/analyzers/retrybound"
	"github.com/retrylint/retrylint/analyzers/retrybudget"
	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/analyzers/retrydeadline"
	"github.com/retrylint/retrylint/analyzers/retryidempotency"
	"github.com/retrylint/retrylint/analyzers/retryignore"
	"github.com/retrylint/retrylint/analyzers/retryoutcome"
	"github.com/retrylint/retrylint/analyzers/retryreplay"
	"github.com/retrylint/retrylint/internal/rules"
)

// deps are what a nogo rule lists: packages with a variable Analyzer, of any order, that know nothing of each other.
var deps = []*analysis.Analyzer{
	retryignore.Analyzer, retryreplay.Analyzer, retryoutcome.Analyzer, retryidempotency.Analyzer, retrydeadline.Analyzer,
	retryclassify.Analyzer, retrybudget.Analyzer, retrybound.Analyzer, retrybackoff.Analyzer, nestedretry.Analyzer,
}

// TestNogo does what Bazel's nogo does (rules_go, go/tools/builders/nogo_main.go): each package is analysed after those that it
// imports, those of the standard library are not, and so have no facts; analyzers run side by side, and learn neither of a module nor
// how to read a file. All rules find what they are to find.
func TestNogo(t *testing.T) {
	if len(deps) != len(rules.All) {
		t.Errorf("%d analyzers for %d rules", len(deps), len(rules.All))
	}
	dir := filepath.Join("testdata", "nogo")
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadAllSyntax | packages.NeedModule, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}, "./...")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatalf("the packages can't be loaded: %v", err)
	}
	n := &nogo{t: t, objectFacts: map[types.Object][]analysis.Fact{}, packageFacts: map[*types.Package][]analysis.Fact{}, found: map[place][]string{}}
	packages.Visit(loaded, nil, n.analyse) // after what it imports
	for _, pkg := range loaded {
		for _, file := range pkg.GoFiles {
			n.compare(file)
		}
	}
	found := map[string]bool{}
	for _, categories := range n.found {
		for _, c := range categories {
			rule, _, _ := strings.Cut(c, ".")
			found[rule] = true
		}
	}
	for _, a := range deps {
		if !found[a.Name] {
			t.Errorf("%s finds nothing", a.Name)
		}
	}
}

type place struct {
	file string
	line int
}

// A nogo analyses packages.
type nogo struct {
	t            *testing.T
	mu           sync.Mutex
	objectFacts  map[types.Object][]analysis.Fact
	packageFacts map[*types.Package][]analysis.Fact
	found        map[place][]string
}

func (n *nogo) analyse(pkg *packages.Package) {
	if pkg.Module == nil {
		return // the standard library
	}
	results := map[*analysis.Analyzer]any{}
	var run func(a *analysis.Analyzer)
	run = func(a *analysis.Analyzer) {
		if _, done := results[a]; done {
			return
		}
		for _, required := range a.Requires {
			run(required)
		}
		results[a] = n.run(pkg, a, results)
	}
	for _, a := range deps {
		for _, required := range a.Requires {
			run(required)
		}
	}
	var all sync.WaitGroup
	for _, a := range deps {
		all.Go(func() { n.run(pkg, a, results) })
	}
	all.Wait()
}

// run runs one analyzer over one package, with no more in its pass than nogo has.
func (n *nogo) run(pkg *packages.Package, a *analysis.Analyzer, results map[*analysis.Analyzer]any) any {
	pass := &analysis.Pass{
		Analyzer: a, Fset: pkg.Fset, Files: pkg.Syntax, Pkg: pkg.Types, TypesInfo: pkg.TypesInfo, TypesSizes: pkg.TypesSizes,
		ResultOf:          map[*analysis.Analyzer]any{},
		Report:            func(d analysis.Diagnostic) { n.report(pkg.Fset, d) },
		ImportObjectFact:  func(o types.Object, f analysis.Fact) bool { return find(n, n.objectFacts, o, f) },
		ExportObjectFact:  func(o types.Object, f analysis.Fact) { keep(n, n.objectFacts, o, f) },
		ImportPackageFact: func(p *types.Package, f analysis.Fact) bool { return find(n, n.packageFacts, p, f) },
	}
	pass.ExportPackageFact = func(f analysis.Fact) { keep(n, n.packageFacts, pass.Pkg, f) }
	for _, required := range a.Requires {
		pass.ResultOf[required] = results[required]
	}
	result, err := a.Run(pass)
	if err != nil {
		n.t.Errorf("%s in %s: %v", a.Name, pkg.PkgPath, err)
	}
	return result
}

func find[Key comparable](n *nogo, facts map[Key][]analysis.Fact, of Key, into analysis.Fact) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, f := range facts[of] {
		if reflect.TypeOf(f) == reflect.TypeOf(into) {
			reflect.ValueOf(into).Elem().Set(reflect.ValueOf(f).Elem())
			return true
		}
	}
	return false
}

// keep keeps a fact as what another process reads of it.
func keep[Key comparable](n *nogo, facts map[Key][]analysis.Fact, of Key, f analysis.Fact) {
	var b bytes.Buffer
	read := reflect.New(reflect.TypeOf(f).Elem()).Interface().(analysis.Fact)
	if err := gob.NewEncoder(&b).Encode(f); err != nil {
		n.t.Errorf("%T can't be written: %v", f, err)
	} else if err := gob.NewDecoder(&b).Decode(read); err != nil {
		n.t.Errorf("%T can't be read: %v", f, err)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	facts[of] = append(facts[of], read)
}

func (n *nogo) report(fset *token.FileSet, d analysis.Diagnostic) {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := fset.Position(d.Pos)
	key := place{at.Filename, at.Line}
	n.found[key] = append(n.found[key], d.Category)
	if strings.Contains(d.Category, "internal") {
		n.t.Errorf("%s: %s", at, d.Message)
	}
}

var expectation = regexp.MustCompile("`([a-z.]+)`")

// compare compares what was found in a file with what it says is to be found.
func (n *nogo) compare(file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		n.t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		_, comment, _ := strings.Cut(line, "// want ")
		want := []string{}
		for _, m := range expectation.FindAllStringSubmatch(comment, -1) {
			want = append(want, m[1])
		}
		if line == "//retrylint:ignore nestedretry" {
			want = append(want, "retryignore.noreason")
		}
		got := slices.Sorted(slices.Values(n.found[place{file, i + 1}]))
		slices.Sort(want)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			n.t.Errorf("%s:%d: found %v, want %v", file, i+1, got, want)
		}
	}
}
