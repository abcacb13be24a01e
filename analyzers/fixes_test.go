package analyzers_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/packages"

	"github.com/retrylint/retrylint/analyzers/retrybackoff"
	"github.com/retrylint/retrylint/analyzers/retrybound"
	"github.com/retrylint/retrylint/analyzers/retrybudget"
	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/analyzers/retrydeadline"
	"github.com/retrylint/retrylint/analyzers/retryidempotency"
	"github.com/retrylint/retrylint/analyzers/retryoutcome"
	"github.com/retrylint/retrylint/analyzers/retryreplay"
)

// fixing are the rules that suggest fixes, each on its own: analyzers.All would have each run all before it.
var fixing = []*analysis.Analyzer{
	retrydeadline.Analyzer, retrybound.Analyzer, retrybackoff.Analyzer, retryidempotency.Analyzer,
	retryreplay.Analyzer, retryoutcome.Analyzer, retrybudget.Analyzer, retryclassify.Analyzer,
}

// TestFixesCompile applies every fix of every rule to the rule's own fixtures: one by one, as an editor does, and all that don't
// overlap together, as go vet -fix does. What comes out must still be Go.
func TestFixesCompile(t *testing.T) {
	checked := 0
	for _, a := range fixing {
		dir, err := filepath.Abs(filepath.Join(a.Name, "testdata"))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range analysistest.Run(silent{}, dir, a, fixtures(t, a.Name)...) {
			f := fixed{t: t, pass: r.Pass}
			for _, d := range r.Diagnostics {
				f.diagnostic(d)
			}
			f.check("all fixes together", f.all)
			checked += f.checked
		}
	}
	if checked < 50 {
		t.Errorf("only %d fixes: the fixtures weren't loaded", checked)
	}
}

// fixtures are the packages below a rule's testdata, stubs of libraries aside.
func fixtures(t *testing.T, rule string) []string {
	dirs, err := filepath.Glob(filepath.Join(rule, "testdata", "src", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, dir := range dirs {
		if !strings.Contains(filepath.Base(dir), ".") {
			list = append(list, filepath.Base(dir))
		}
	}
	return list
}

// silent takes the place of a test that is run for its results: whether findings are wanted is the rule's own test's business.
type silent struct{}

func (silent) Errorf(string, ...any) {}

type fixed struct {
	t    *testing.T
	pass *analysis.Pass
	all  []analysis.TextEdit

	checked int
}

func (f *fixed) diagnostic(d analysis.Diagnostic) {
	for i, fix := range d.SuggestedFixes {
		f.checked++
		f.check(fix.Message, fix.TextEdits)
		if i == 0 && !f.overlaps(fix.TextEdits) {
			f.all = append(f.all, fix.TextEdits...)
		}
	}
}

func (f *fixed) overlaps(edits []analysis.TextEdit) bool {
	return slices.ContainsFunc(edits, func(e analysis.TextEdit) bool {
		return slices.ContainsFunc(f.all, func(a analysis.TextEdit) bool { return e.Pos <= end(a) && a.Pos <= end(e) })
	})
}

func end(e analysis.TextEdit) token.Pos {
	if e.End.IsValid() {
		return e.End
	}
	return e.Pos
}

// check type-checks the package with edits in it.
func (f *fixed) check(what string, edits []analysis.TextEdit) {
	if len(edits) == 0 {
		return
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, old := range f.pass.Files {
		name := f.pass.Fset.File(old.FileStart).Name()
		file, err := parser.ParseFile(fset, name, f.edited(name, edits), parser.SkipObjectResolution)
		if err != nil {
			f.t.Errorf("%s: %v", what, err)
			return
		}
		files = append(files, file)
	}
	config := types.Config{Importer: imports(f.pass.Pkg), Error: func(err error) { f.t.Errorf("%s: %v", what, err) }}
	_, _ = config.Check(f.pass.Pkg.Path(), fset, files, nil)
}

// edited is the text of a file after those edits that concern it.
func (f *fixed) edited(name string, edits []analysis.TextEdit) []byte {
	text, err := os.ReadFile(name)
	if err != nil {
		f.t.Fatal(err)
	}
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b analysis.TextEdit) int { return int(b.Pos - a.Pos) }) // from the end, so that offsets stay
	for _, e := range edits {
		if file := f.pass.Fset.File(e.Pos); file.Name() == name {
			text = slices.Replace(text, file.Offset(e.Pos), file.Offset(end(e)), e.NewText...)
		}
	}
	return text
}

// imports finds packages among those that pkg was checked with, and what a fix imports besides in the standard library.
func imports(pkg *types.Package) types.Importer {
	known := map[string]*types.Package{}
	var add func(*types.Package)
	add = func(p *types.Package) {
		for _, imp := range p.Imports() {
			if known[imp.Path()] == nil {
				known[imp.Path()] = imp
				add(imp)
			}
		}
	}
	add(pkg)
	return importing(func(path string) (*types.Package, error) {
		if p := known[path]; p != nil {
			return p, nil
		}
		list, err := standard()
		if err == nil && list[path] == nil {
			err = fmt.Errorf("a fix imports %s, which this test doesn't know", path)
		}
		return list[path], err
	})
}

// standard has what fixes may import.
var standard = sync.OnceValues(func() (map[string]*types.Package, error) {
	list, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes},
		"bytes", "context", "errors", "fmt", "io", "math/rand", "math/rand/v2", "net/http", "strings", "time")
	found := map[string]*types.Package{}
	for _, p := range list {
		found[p.PkgPath] = p.Types
	}
	return found, err
})

type importing func(string) (*types.Package, error)

func (f importing) Import(path string) (*types.Package, error) { return f(path) }
