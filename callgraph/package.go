package callgraph

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/directive"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// An Importer tells what is known of other packages.
type Importer interface {
	// Function returns the summary of a function, or nil.
	Function(f *types.Func) *Function
	// Field returns what the fields of a type hold, where that is known.
	Field(f *types.Var) (value.Term, bool)
	// Variable returns what a package variable holds.
	Variable(v *types.Var) (value.Term, bool)
	// Fault returns the error that a package variable holds, "" if it is one of its own.
	Fault(v *types.Var) fault.Error
	// Closure returns the summary of a function literal that an imported term names, or nil.
	Closure(id string) *Function
	// Methods lists the methods of a type, by identity, whose summaries came with imported terms.
	Methods(typ string) []string
	// Workspace reports whether a package belongs to a module that is under analysis itself.
	Workspace(importPath string) bool
	// Version returns the version of the module that a package belongs to, or "".
	Version(importPath string) string
}

// A Package holds what is known of the functions of one package.
type Package struct {
	Types  *types.Package
	SSA    *ssa.Package
	Fset   *token.FileSet
	Module string // module path; positions are relative to its root
	// Dependency tells a package of another module: it exports less.
	Dependency bool

	imports    Importer
	files      []*ast.File
	directives *directive.Index
	generated  map[string]bool // files that are generated, by name
	functions  []*ssa.Function // declared functions and literals, in source order
	byID       map[string]*ssa.Function
	objects    map[string]*types.Func

	*composer
	bodied    map[string]*Body
	marking   []string // libraries with marks among the imports
	inquiry   *inquiry
	terms     answers[ssa.Value, value.Term]
	values    answers[*ssa.Function, *Function] // results and stores
	closed    answers[string, value.Term]       // fields by type and name, closed
	sites     map[*ssa.Function][]*sites.Site
	locals    map[*ssa.Function]map[ssa.Value]string // names of variables that literals share (coarse.go)
	waits     map[*ssa.Function]int8
	failures  map[*ssa.Function]fault.Set
	sentinels map[*ssa.Global]fault.Error
	states    map[*ssa.Global]bool // whether an error only tells a state
	waiting   map[*ssa.Call]bool
	fields    fieldIndex
	global    map[*ssa.Global][]ssa.Instruction
	defaults  map[string]int64            // of option tables, by the name of the option
	handlers  map[*ssa.Function]*ssa.Call // that http.TimeoutHandler limits
	counted   *budget.Index               // what is done to counters, once somebody asks

	repetitions  []Repetition
	recorded     map[string]int // of repetitions, by place
	positions    map[string]token.Pos
	instructions map[string]ssa.CallInstruction // that are hops, by place
}

// New prepares the functions of pkg, whose SSA is built.
func New(pkg *ssa.Package, files []*ast.File, info *types.Info, module string, imports Importer) *Package {
	p := &Package{
		Types: pkg.Pkg, SSA: pkg, Fset: pkg.Prog.Fset, Module: module, imports: imports,
		generated: map[string]bool{},
		byID:      map[string]*ssa.Function{},
		objects:   map[string]*types.Func{},
		bodied:    map[string]*Body{},
		sites:     map[*ssa.Function][]*sites.Site{},
		locals:    map[*ssa.Function]map[ssa.Value]string{},
		waits:     map[*ssa.Function]int8{},
		failures:  map[*ssa.Function]fault.Set{},
		sentinels: map[*ssa.Global]fault.Error{},
		states:    map[*ssa.Global]bool{},
		waiting:   map[*ssa.Call]bool{},
		global:    map[*ssa.Global][]ssa.Instruction{},

		recorded:     map[string]int{},
		positions:    map[string]token.Pos{},
		instructions: map[string]ssa.CallInstruction{},
	}
	p.inquiry = newInquiry(maxDepth)
	p.terms = newAnswers[ssa.Value, value.Term](p.inquiry)
	p.values = newAnswers[*ssa.Function, *Function](p.inquiry)
	p.closed = newAnswers[string, value.Term](p.inquiry)
	p.composer = newComposer(p)
	p.files, p.directives = files, directive.Read(p.Fset, files)
	p.collect(files, info)
	p.index()
	return p
}

// collect lists the functions in source order, literals after the function that holds them.
func (p *Package) collect(files []*ast.File, info *types.Info) {
	if init := p.SSA.Func("init"); init != nil {
		p.add(init)
	}
	for _, file := range files {
		if ast.IsGenerated(file) {
			p.generated[p.Fset.File(file.Pos()).Name()] = true
		}
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if obj, isFunc := info.Defs[fd.Name].(*types.Func); isFunc {
				if fn := p.SSA.Prog.FuncValue(obj); fn != nil {
					p.add(fn)
				}
			}
		}
	}
}

func (p *Package) add(fn *ssa.Function) {
	p.functions = append(p.functions, fn)
	p.byID[idOf(fn)] = fn
	for _, anon := range fn.AnonFuncs {
		p.add(anon)
	}
}

// idOf identifies a function across packages: its full name, and for literals that of the function around, with a number.
func idOf(fn *ssa.Function) string {
	if origin := fn.Origin(); origin != nil {
		fn = origin
	}
	if parent := fn.Parent(); parent != nil {
		return idOf(parent) + fn.Name()[strings.LastIndexByte(fn.Name(), '$'):]
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		return obj.Origin().FullName()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path() + "." + fn.Name()
	}
	return fn.String()
}

// methodOfName is the method's own name in its identity.
func methodOfName(id string) string { return id[strings.LastIndexByte(id, '.')+1:] }

// packageOf returns the import path of the package of a function, by its identity.
func packageOf(id string) string {
	id = strings.TrimLeft(id, "(*")
	slash := strings.LastIndexByte(id, '/') + 1
	dot := strings.IndexByte(id[slash:], '.')
	if dot < 0 {
		return id
	}
	return id[:slash+dot]
}

// nameOf is what reports call a function: (*Client).Get, without the package.
func nameOf(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		return nameOf(parent)
	}
	if recv := fn.Signature.Recv(); recv != nil {
		return "(" + types.TypeString(recv.Type(), func(*types.Package) string { return "" }) + ")." + fn.Name()
	}
	return fn.Name()
}

// place returns the file, relative to the module's root, and the line and column of pos.
func (p *Package) place(pos token.Pos) (file string, line, column int) {
	if !pos.IsValid() {
		return "", 0, 0
	}
	position := p.Fset.Position(pos)
	rel := strings.TrimPrefix(strings.TrimPrefix(pathOf(p.Types.Path()), p.Module), "/")
	return path.Join(rel, filepath.Base(position.Filename)), position.Line, position.Column
}

// pathOf strips what the go command adds to the import path of test packages.
func pathOf(importPath string) string {
	importPath, _, _ = strings.Cut(importPath, " ")
	return strings.TrimSuffix(importPath, "_test")
}

// index notes which instructions use fields and variables of the package. What tests put there isn't what the program does.
func (p *Package) index() {
	p.fields = fieldIndex{}
	for _, fn := range p.functions {
		if p.isTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				p.fields.note(instr)
				for _, op := range instr.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok {
						p.global[g] = append(p.global[g], instr)
					}
				}
			}
		}
	}
}

// isTest reports whether fn stands in a test file, beside files of the package itself.
func (p *Package) isTest(fn *ssa.Function) bool {
	return strings.HasSuffix(p.Fset.Position(fn.Pos()).Filename, "_test.go") && !strings.HasSuffix(p.Types.Path(), "_test")
}

// resolve returns the function that a static call runs: the generic one instead of its instance.
func resolve(fn *ssa.Function) *ssa.Function {
	if fn != nil && fn.Origin() != nil {
		return fn.Origin()
	}
	return fn
}
