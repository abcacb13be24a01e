package transcripts

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/retrylint/retrylint/callgraph"
)

const (
	medianBudget   = 64 << 10 // bytes of a package in the middle
	functionBudget = 3 << 9   // bytes of a function, on average over all packages
)

// TestFactsAreSmall measures the facts of whole modules and their dependencies: go vet reads those of all imports for each
// package that it analyses.
func TestFactsAreSmall(t *testing.T) {
	for _, fact := range callgraph.Analyzer.FactTypes {
		gob.Register(fact)
	}
	for _, dir := range []string{"../..", "../shop"} {
		t.Run(dir, func(t *testing.T) { measureFacts(t, dir) })
	}
}

func measureFacts(t *testing.T, dir string) {
	var sizes []int
	functions, total, largest := 0, 0, ""
	for action := range analyse(t, dir).All() {
		pkg := action.Package
		if action.Analyzer != callgraph.Analyzer || pkg.Module == nil || pkg.Module.Path == "std" {
			continue
		}
		if action.Err != nil {
			t.Errorf("%s: %v", pkg.PkgPath, action.Err)
			continue
		}
		size := factsOf(t, action)
		if len(sizes) == 0 || size > slices.Max(sizes) {
			largest = fmt.Sprintf("%s with %d bytes", pkg.PkgPath, size)
		}
		sizes, total, functions = append(sizes, size), total+size, functions+declared(pkg)
	}
	if len(sizes) == 0 || functions == 0 {
		t.Fatal("nothing was analysed")
	}
	slices.Sort(sizes)
	median, average := sizes[len(sizes)/2], total/functions
	t.Logf("%d packages, %d functions: median %d bytes, %d bytes a function; largest %s", len(sizes), functions, median, average, largest)
	if median > medianBudget {
		t.Errorf("the facts of the median package take %d bytes, want at most %d", median, medianBudget)
	}
	if average > functionBudget {
		t.Errorf("the facts take %d bytes a function, want at most %d", average, functionBudget)
	}
}

func analyse(t *testing.T, dir string) *checker.Graph {
	t.Helper()
	mode := packages.LoadAllSyntax | packages.NeedModule
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: mode, Env: append(os.Environ(), "GOWORK=off")}, "./...")
	if err != nil || packages.PrintErrors(loaded) > 0 {
		t.Fatalf("the packages can't be loaded: %v", err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{callgraph.Analyzer}, loaded, nil)
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

// factsOf is the size of what a package says of itself.
func factsOf(t *testing.T, action *checker.Action) int {
	t.Helper()
	var facts []analysis.Fact
	for _, f := range action.AllObjectFacts() {
		if f.Object.Pkg() == action.Package.Types {
			facts = append(facts, f.Fact)
		}
	}
	for _, f := range action.AllPackageFacts() {
		if f.Package == action.Package.Types {
			facts = append(facts, f.Fact)
		}
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(facts); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}

func declared(pkg *packages.Package) int {
	n := 0
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			if _, ok := decl.(*ast.FuncDecl); ok {
				n++
			}
		}
	}
	return n
}
