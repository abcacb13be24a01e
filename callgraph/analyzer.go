package callgraph

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/config"
)

// Analyzer computes the summaries of a package, exports them as facts, and hands the rules a Result.
var Analyzer = &analysis.Analyzer{
	Name:       "retrygraph",
	Doc:        "summarise functions by the retry sites that a call of them goes through",
	Run:        run,
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []analysis.Fact{new(FunctionFact), new(FieldFact), new(VariableFact), new(PackageFact)},
}

func run(pass *analysis.Pass) (answer any, err error) {
	panicked := ""
	defer func() {
		if panicked != "" {
			answer, err = &Result{known: &Known{Panic: panicked}}, nil
		}
	}()
	defer recoverFor(pass.Pkg.Path(), &panicked)
	if len(pass.Files) == 0 || isStandard(pass) {
		return &Result{known: &Known{}}, nil
	}
	addOwn(config.Current())
	imports := newFactImporter(pass)
	if lib := catalog.For(pathOf(pass.Pkg.Path())); lib != nil && !lib.Partial {
		if modulePath(pass) == lib.Module { // others may lie below the same root, and count their own versions
			imports.versions[lib.Root()] = moduleVersion(pass)
		}
		if imports.fetched { // unlike the library under analysis itself, which is looked into
			pass.ExportPackageFact(imports.packageFact(true))
			return &Result{known: &Known{}}, nil
		}
	}
	if imports.fetched && !mayMatter(pass, imports) {
		pass.ExportPackageFact(imports.packageFact(false))
		return &Result{known: &Known{}}, nil
	}
	p := New(build(pass), pass.Files, pass.TypesInfo, modulePath(pass), imports)
	if p.Dependency = imports.fetched; p.Dependency {
		p.inquiry.largest = inDependencies
	}
	matters := p.export(pass) || catalog.For(pathOf(pass.Pkg.Path())) != nil
	pass.ExportPackageFact(imports.packageFact(matters))
	return &Result{Module: p.Module, pkg: p, versions: imports.packageFact(false).Versions}, nil
}

// build makes the SSA of the package, with nothing of its imports but their types.
func build(pass *analysis.Pass) *ssa.Package {
	prog := ssa.NewProgram(pass.Fset, ssa.BuilderMode(0))
	prog.SetNoReturn(neverReturns)
	for _, imp := range pass.Pkg.Imports() {
		prog.CreatePackage(imp, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()
	return pkg
}

// neverReturns reports whether a function ends the program, the goroutine or the test.
func neverReturns(f *types.Func) bool {
	switch f.Name() {
	case "Fatal", "Fatalf", "Fatalln", "Fatalw": // loggers agree on that name
		return f.Signature().Results().Len() == 0
	}
	return catalog.Does(f.FullName()) == "end"
}

// isStandard reports whether the package is of the standard library, which is knowledge and not analysed. Modules must have
// a dot in their first path element to be fetched; others are recognised by where their files lie.
func isStandard(pass *analysis.Pass) bool {
	first, _, _ := strings.Cut(pass.Pkg.Path(), "/")
	if strings.Contains(first, ".") {
		return false
	}
	if pass.Module != nil && pass.Module.Path != "" {
		return pass.Module.Path == "std" || pass.Module.Path == "cmd"
	}
	file := pass.Fset.File(pass.Files[0].Pos()).Name()
	root := filepath.ToSlash(runtime.GOROOT()) + "/src/"
	return strings.HasPrefix(filepath.ToSlash(file), root) || strings.HasPrefix(file, "$GOROOT")
}

// mayMatter is the cheap gate before the SSA of a dependency: something goes round, or imports a package that matters. Packages
// under analysis all tell what they do: an interface may lead anywhere.
func mayMatter(pass *analysis.Pass, imports *factImporter) bool {
	if imports.matters || catalog.For(pathOf(pass.Pkg.Path())) != nil {
		return true
	}
	for _, file := range pass.Files {
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.ForStmt, *ast.BranchStmt, *ast.RangeStmt:
				found = true
			}
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

func moduleVersion(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Version
}

func modulePath(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}
