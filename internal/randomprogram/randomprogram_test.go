package randomprogram_test

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/randomprogram"
)

const (
	programs = 240
	// Most programs are of a screenful or two, made by so many decisions; one among many is large.
	small, large, among = 20, 400, 60
	// patience is a number of allocations, which other than time doesn't depend on the machine and its load. It is far more
	// than a program of this size needs; beyond, some search has no bound.
	patience = 100_000_000
)

// TestMain collects garbage less often: analyses of small programs leave a lot, and little of it lives.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// TestRandomPrograms analyses a few hundred programs, each twice.
func TestRandomPrograms(t *testing.T) {
	checked, stock := 0, 0
	for seed := range uint64(programs) {
		size := small
		if seed%among == among-1 {
			size = large
		}
		p := check(randomprogram.Source(seed, size))
		if p == nil {
			continue
		}
		checked++
		stock += examine(t, p, fmt.Sprintf("seed %d", seed))
	}
	t.Logf("%d of %d programs type-check; %d places in them", checked, programs, stock)
	if checked < programs/3 {
		t.Errorf("only %d of %d programs type-check", checked, programs)
	}
	if stock < checked {
		t.Errorf("only %d places found: the programs are too dull", stock)
	}
}

// TestNastyPrograms analyses what hardly anybody writes.
func TestNastyPrograms(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if p := check(string(text)); p == nil {
			t.Errorf("%s doesn't type-check", file)
		} else {
			examine(t, p, file)
		}
	}
}

// TestHugeSwitch analyses a function of the size that generators write.
func TestHugeSwitch(t *testing.T) {
	var b strings.Builder
	b.WriteString("package huge\n\nfunc step(n int, op func(int) error) (err error) {\n\tfor i := 0; i < 3; i++ {\n\t\tswitch n {\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "\t\tcase %d:\n\t\t\tif err = op(%d); err == nil {\n\t\t\t\treturn nil\n\t\t\t}\n", i, i)
	}
	b.WriteString("\t\t}\n\t}\n\treturn err\n}\n")
	p := check(b.String())
	if p == nil {
		t.Fatal("the program doesn't type-check")
	}
	examine(t, p, "a huge switch")
}

// largest is the number of decisions that the fuzzer may make: it finds more with many small programs, and takes what needs ten
// seconds for a hang.
const largest = 40

// FuzzPrograms lets the fuzzer decide what the program is.
func FuzzPrograms(f *testing.F) {
	for seed := range 20 {
		f.Add(bytes.Repeat([]byte{byte(seed), byte(seed * 7), byte(seed * 31)}, 2+seed))
	}
	check(randomprogram.FromBytes(nil)) // imports what programs import, which isn't part of any of them
	f.Fuzz(func(t *testing.T, decisions []byte) {
		decisions = decisions[:min(len(decisions), largest)]
		if p := check(randomprogram.FromBytes(decisions)); p != nil {
			examine(t, p, "a fuzzed program")
		}
	})
}

// examine analyses p twice, and returns the number of places found.
func examine(t *testing.T, p *program, name string) int {
	t.Helper()
	began := allocations()
	first, stock := p.analyse()
	if took := allocations() - began; took > patience {
		t.Errorf("%s: takes %d allocations", name, took)
	}
	if strings.HasPrefix(first, "panic") {
		t.Errorf("%s: %s\n%s", name, first, p.text)
		return stock
	}
	if second, _ := p.analyse(); first != second {
		t.Errorf("%s: two runs differ:\n%s", name, difference(first, second))
	}
	return stock
}

func allocations() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}

// difference shows the first line that differs.
func difference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(x), len(y))
}

// program is a program that type-checks.
type program struct {
	text string
	fset *token.FileSet
	file *ast.File
	pkg  *types.Package
	info *types.Info
}

// imports are those of all programs: the standard library from source, and stand-ins for libraries.
var imports = sync.OnceValue(func() types.Importer {
	return &stubs{standard: importer.ForCompiler(token.NewFileSet(), "source", nil), made: map[string]*types.Package{}}
})

// stubs imports libraries from the stand-ins that analyzers are tested with.
type stubs struct {
	standard types.Importer
	made     map[string]*types.Package
}

const standIns = "../../analyzers/nestedretry/testdata/src/"

func (s *stubs) Import(importPath string) (*types.Package, error) {
	if pkg := s.made[importPath]; pkg != nil {
		return pkg, nil
	}
	files, err := filepath.Glob(filepath.FromSlash(standIns + importPath + "/*.go"))
	if err != nil || len(files) == 0 {
		return s.standard.Import(importPath)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, files[0], nil, 0)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: s}
	pkg, err := config.Check(importPath, fset, []*ast.File{file}, nil)
	s.made[importPath] = pkg
	return pkg, err
}

// check returns the program with the given text, nil if it is wrong. Unused variables don't matter.
func check(text string) *program {
	p := &program{text: text, fset: token.NewFileSet(), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}}
	var err error
	if p.file, err = parser.ParseFile(p.fset, "random.go", text, parser.ParseComments); err != nil {
		return nil
	}
	wrong := false
	config := types.Config{Importer: imports(), Error: func(err error) { wrong = wrong || !err.(types.Error).Soft }}
	p.pkg, _ = config.Check("random.test/random", p.fset, []*ast.File{p.file}, p.info)
	if wrong {
		return nil
	}
	return p
}

// analyse runs the analyzer, and renders all that it found and exported.
func (p *program) analyse() (text string, stock int) {
	var facts []string
	pass := &analysis.Pass{
		Analyzer: callgraph.Analyzer, Fset: p.fset, Files: []*ast.File{p.file}, Pkg: p.pkg, TypesInfo: p.info,
		TypesSizes: types.SizesFor("gc", "amd64"), ResultOf: map[*analysis.Analyzer]any{}, Report: func(analysis.Diagnostic) {},
		ImportObjectFact:  func(types.Object, analysis.Fact) bool { return false },
		ImportPackageFact: func(*types.Package, analysis.Fact) bool { return false },
		ExportObjectFact:  func(obj types.Object, fact analysis.Fact) { facts = append(facts, obj.String()+" "+encoded(fact)) },
		ExportPackageFact: func(fact analysis.Fact) { facts = append(facts, encoded(fact)) },
	}
	result, err := callgraph.Analyzer.Run(pass)
	if err != nil {
		return "panic: " + err.Error(), 0
	}
	r := result.(*callgraph.Result)
	known := r.Known()
	if known.Panic != "" {
		return "panic: " + known.Panic, 0
	}
	slices.Sort(facts)
	return strings.Join(append(places(r), facts...), "\n"), len(known.Repetitions)
}

func places(r *callgraph.Result) []string {
	var lines []string
	for _, c := range r.Known().Chains {
		lines = append(lines, fmt.Sprintf("chain %d %s %d", c.Pos, c.Message(r.Module), c.Others))
	}
	for _, s := range r.Known().Repetitions {
		lines = append(lines, fmt.Sprintf("place %d %+v %s %+v %s %s %s", s.Pos, s.Hop, s.Role, s.Count, s.Why, s.Wait, s.Context))
	}
	return lines
}

func encoded(fact analysis.Fact) string {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(fact); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%q", b.String())
}
