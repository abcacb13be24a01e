package callgraph

import (
	"fmt"
	"go/types"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// FunctionFact is the summary of a function of another package. Closures are the summaries of function literals that its
// terms name: what travels with a function must be complete, since facts of packages come from direct imports only.
type FunctionFact struct {
	Function Function
	Closures []Function
}

// AFact marks FunctionFact as a fact.
func (*FunctionFact) AFact() {}

// String is what tests expect of the fact: the paths with their attempts as terms and what they give up with, and what the
// function answers about errors.
func (f *FunctionFact) String() string {
	var parts []string
	for _, path := range f.Function.Paths {
		text := path.String()
		if path.Fails.Known() && len(path.Hops) > 0 {
			text += ", then " + path.Fails.String()
		}
		parts = append(parts, text)
	}
	if s := f.Function.Cases.String(); s != "" {
		parts = append(parts, s)
	}
	if f.Function.Fails.Known() && len(f.Function.Paths) == 0 {
		parts = append(parts, "fails with "+f.Function.Fails.String())
	}
	if len(parts) == 0 {
		return "values"
	}
	return strings.Join(parts, "; ")
}

// String renders a path as sites and tail: loop n × param(1).
func (path Path) String() string {
	var parts []string
	for _, h := range path.Hops {
		attempts := h.Attempts.Text()
		if h.Unlimited {
			attempts = "unlimited"
		}
		text := strings.TrimSpace(h.Label + " " + attempts)
		if len(h.Accepted) > 0 {
			text += " accepted"
		}
		parts = append(parts, text)
	}
	if t := path.Tail; t != nil {
		parts = append(parts, strings.TrimPrefix(t.Callee.Text()+"."+t.Method, "."))
	}
	return strings.TrimSuffix(strings.Join(parts, " × "), ".")
}

// FieldFact is what a field of a struct holds wherever its package sets it.
type FieldFact struct {
	Value    value.Term
	Closures []Function
}

// AFact marks FieldFact as a fact.
func (*FieldFact) AFact()           {}
func (f *FieldFact) String() string { return "holds " + f.Value.Text() }

// VariableFact is what a package variable holds.
type VariableFact struct {
	Value    value.Term
	Closures []Function
	Fault    fault.Error // the error that it holds, if it isn't one of its own
}

// AFact marks VariableFact as a fact.
func (*VariableFact) AFact()           {}
func (f *VariableFact) String() string { return "holds " + f.Value.Text() + string(f.Fault) }

// PackageFact says what a package brings with it: the versions of the catalogued modules among what it imports, sorted, as
// root@version; whether anything in or below it can be a part of a chain; and the modules of the workspace that it is made
// of, sorted.
type PackageFact struct {
	Versions []string
	Matters  bool
	Modules  []string
}

// AFact marks PackageFact as a fact.
func (*PackageFact) AFact()           {}
func (f *PackageFact) String() string { return fmt.Sprint(f.Versions) }

// factImporter reads what is known of other packages from their facts.
type factImporter struct {
	pass     *analysis.Pass
	closures map[string]*Function
	versions map[string]string
	modules  []string // of the workspace
	matters  bool
	fetched  bool // the package is a dependency, of which others only want to know what it does
}

func newFactImporter(pass *analysis.Pass) *factImporter {
	f := &factImporter{pass: pass, closures: map[string]*Function{}, versions: map[string]string{}, fetched: isFetched(pass)}
	for _, imp := range pass.Pkg.Imports() {
		var fact PackageFact
		if pass.ImportPackageFact(imp, &fact) {
			f.matters = f.matters || fact.Matters
			f.modules = append(f.modules, fact.Modules...)
			for _, v := range fact.Versions {
				root, version, _ := strings.Cut(v, "@")
				f.versions[root] = version
			}
		}
	}
	if !f.fetched {
		f.modules = append(f.modules, modulePath(pass))
	}
	slices.Sort(f.modules)
	f.modules = slices.Compact(f.modules)
	return f
}

// Workspace reports whether a package belongs to a module that is under analysis itself.
func (f *factImporter) Workspace(importPath string) bool {
	for _, module := range f.modules {
		if importPath == module || module == "" && importPath == f.pass.Pkg.Path() || module != "" && strings.HasPrefix(importPath, module+"/") {
			return true
		}
	}
	return false
}

func (f *factImporter) Function(obj *types.Func) *Function {
	var fact FunctionFact
	if obj.Pkg() == nil || obj.Pkg() == f.pass.Pkg || !f.pass.ImportObjectFact(obj, &fact) {
		return nil
	}
	f.keep(fact.Closures)
	return &fact.Function
}

// keep remembers the functions that came with a fact.
func (f *factImporter) keep(closures []Function) {
	for i := range closures {
		if f.closures[closures[i].ID] == nil {
			f.closures[closures[i].ID] = &closures[i]
		}
	}
}

func (f *factImporter) Field(obj *types.Var) (value.Term, bool) {
	var fact FieldFact
	if obj.Pkg() == nil || obj.Pkg() == f.pass.Pkg || !f.pass.ImportObjectFact(obj, &fact) {
		return value.Term{}, false
	}
	f.keep(fact.Closures)
	return fact.Value, true
}

func (f *factImporter) Fault(obj *types.Var) fault.Error {
	var fact VariableFact
	if obj.Pkg() == nil || obj.Pkg() == f.pass.Pkg || !f.pass.ImportObjectFact(obj, &fact) {
		return ""
	}
	return fact.Fault
}

func (f *factImporter) Variable(obj *types.Var) (value.Term, bool) {
	var fact VariableFact
	if obj.Pkg() == nil || obj.Pkg() == f.pass.Pkg || !f.pass.ImportObjectFact(obj, &fact) || !fact.Value.Known() {
		return value.Term{}, false
	}
	f.keep(fact.Closures)
	return fact.Value, true
}

func (f *factImporter) Closure(id string) *Function { return f.closures[id] }

// Methods lists the methods of a type that came with facts, sorted.
func (f *factImporter) Methods(typ string) []string {
	var list []string
	for id := range f.closures {
		if strings.HasPrefix(id, "(*"+typ+").") || strings.HasPrefix(id, "("+typ+").") {
			list = append(list, id)
		}
	}
	sort.Strings(list)
	return list
}

func (f *factImporter) Version(importPath string) string {
	if lib := catalog.For(importPath); lib != nil {
		return f.versions[lib.Root()]
	}
	return ""
}

// packageFact returns the fact of the package under analysis.
func (f *factImporter) packageFact(matters bool) *PackageFact {
	fact := &PackageFact{Matters: matters || f.matters, Modules: f.modules}
	for root, version := range f.versions {
		fact.Versions = append(fact.Versions, root+"@"+version)
	}
	sort.Strings(fact.Versions)
	return fact
}

// export writes the facts of p.
func (p *Package) export(pass *analysis.Pass) (matters bool) {
	budgets := p.budgets()
	for _, fn := range p.functions {
		obj, ok := fn.Object().(*types.Func)
		if !ok || !visible(obj) {
			continue
		}
		fact := p.functionFact(p.valuesOf(fn), p.Paths(idOf(fn)), p.errorsOf(fn))
		if fact == nil && budgets[fn] != "" {
			fact = &FunctionFact{Function: Function{ID: idOf(fn)}}
		}
		if fact == nil {
			continue
		}
		fact.Function.Budget = budgets[fn]
		pass.ExportObjectFact(obj, fact)
		matters = matters || fact.reaches()
	}
	p.exportFields(pass)
	p.exportVariables(pass)
	return matters
}

// budgets tells of the functions of the package what they do to budgets. Those of dependencies are their own affair.
func (p *Package) budgets() map[*ssa.Function]string {
	if p.Dependency {
		return nil
	}
	return p.counters().Summaries()
}

// visible reports whether importers can call obj: an exported function, or a method, which may be reached through an
// interface whatever its name.
func visible(obj *types.Func) bool { return obj.Exported() || obj.Signature().Recv() != nil }

// reaches reports whether the fact says more than which errors there are.
func (f *FunctionFact) reaches() bool {
	fn := &f.Function
	return len(fn.Results) > 0 || len(fn.Stores) > 0 || len(fn.Paths) > 0 || len(fn.Ends) > 0 || fn.Waits || fn.Detaches != ""
}

// errorsOf returns a summary of fn that tells of its errors only. Those of dependencies are their own affair.
func (p *Package) errorsOf(fn *ssa.Function) Errors {
	var f Errors
	if p.Dependency || len(fn.Blocks) == 0 {
		return f
	}
	f.Fails, f.Cases, f.States = p.failuresOf(fn), sites.CasesOf(fn, p), p.statesOf(fn)
	if answersAgain(fn) {
		f.FailsAgain, f.FailsDone = p.failuresWhen(fn, "true"), p.failuresWhen(fn, "false")
	}
	return f
}

// functionFact returns the fact of a function, nil if there is nothing to say.
func (p *Package) functionFact(values *Function, paths []Path, errs Errors) *FunctionFact {
	paths = p.travelling(paths)
	fact := &FunctionFact{Function: Function{ID: values.ID, Params: values.Params, Paths: paths}}
	fact.Function.Errors = errs
	for _, r := range values.Results {
		fact.Function.Results = append(fact.Function.Results, p.telling(r))
	}
	if !anyKnown(fact.Function.Results) {
		fact.Function.Results = nil
	}
	for _, s := range values.Stores {
		if v := p.tellingStore(s.Value); v.Known() {
			fact.Function.Stores = append(fact.Function.Stores, Store{s.Param, s.Field, v})
		}
	}
	fact.Function.Ends, fact.Function.Waits, fact.Function.Detaches = values.Ends, values.Waits, values.Detaches
	if !fact.reaches() {
		fact.Function.Params = nil
		if !errs.tells() {
			return nil
		}
	}
	fact.Closures = p.closuresOf(termsOf(&fact.Function))
	return fact
}

// tells reports whether f says anything about errors.
func (f Errors) tells() bool {
	return f.Fails.Known() || f.FailsAgain.Known() || f.FailsDone.Known() || len(f.Cases) > 0 || len(f.States) > 0
}

func anyKnown(list []value.Term) bool {
	for _, t := range list {
		if t.Known() {
			return true
		}
	}
	return false
}

// Facts of methods and fields are handed on by every package that imports theirs, directly or not, so what a dependency says
// is kept to what a caller's chain can hang on: its sites, the functions that it executes for a caller, and the clients,
// policies, options and functions that it makes. Interfaces that a dependency calls, and its numbers, are its own affair.

// travelling keeps the paths that matter to importers.
func (p *Package) travelling(paths []Path) []Path {
	var kept []Path
	for _, path := range paths {
		t := path.Tail
		if p.Dependency && len(path.Hops) == 0 && t.Site == nil && !isOpen(t.Callee) {
			continue
		}
		kept = append(kept, Path{Hops: path.Hops, Tail: t.light(), Fails: path.Fails, When: path.When})
	}
	return kept
}

// light returns the tail without arguments that no callee can make anything of.
func (t *Tail) light() *Tail {
	if t == nil {
		return nil
	}
	c := *t
	c.Args = make([]value.Term, len(t.Args))
	for i, a := range t.Args {
		if a.Size() <= maxArgument {
			c.Args[i] = a
		}
	}
	c.Then = t.Then.light()
	return &c
}

const maxArgument = 24

// telling returns t if it can matter elsewhere, else an unknown value.
func (p *Package) telling(t value.Term) value.Term {
	if t.Size() < maxFactTerm && t.Any(p.matters) {
		return t
	}
	return value.Term{}
}

func (p *Package) matters(part value.Term) bool {
	switch part.Kind {
	case value.Setter:
		return len(part.Names) > 0
	case value.Func:
		return true
	case value.Record:
		return libraryOf(part.Name) != nil || !p.Dependency && hasNumber(part) || p.isPolicy(part.Name)
	case value.Int, value.Symbol:
		return !p.Dependency
	}
	return false
}

// hasNumber reports whether a struct says something by which attempts can be counted.
func hasNumber(record value.Term) bool {
	for _, a := range record.Args {
		if a.Kind == value.Int && a.N != 0 || a.Kind == value.Symbol || a.Kind == value.Param {
			return true
		}
	}
	return false
}

// tellingStore is like telling for what a setter sets: also its arguments, and numbers.
func (p *Package) tellingStore(t value.Term) value.Term {
	switch t.Kind {
	case value.Int, value.Param, value.Free, value.Bool, value.Op, value.Cond:
		if t.Size() < maxArgument {
			return t
		}
	}
	return p.telling(t)
}

const maxFactTerm = 120

// closuresOf summarises what terms name and importers may not find by themselves: function literals, functions that aren't
// exported, and methods of the types of structs, with what those name in turn.
func (p *Package) closuresOf(terms []value.Term) []Function {
	c := &collector{p: p, seen: map[string]bool{}, most: maxClosures}
	for _, t := range terms {
		c.visit(t)
	}
	return c.found
}

type collector struct {
	p     *Package
	seen  map[string]bool
	found []Function
	most  int
	// foreign is set to collect the functions of other modules, named ones too, and no others.
	foreign bool
}

func (c *collector) visit(t value.Term) {
	switch t.Kind {
	case value.Func:
		if c.foreign || strings.Contains(t.Name, "$") || c.p.hides(t.Name) {
			c.add(t.Name)
		}
	case value.Record:
		for _, id := range c.p.tellingMethods(t.Name) {
			c.add(id)
		}
	}
	for _, a := range t.Args {
		c.visit(a)
	}
}

// hides reports whether an identity is that of a function without a fact of its own, since importers can't name it.
func (p *Package) hides(id string) bool {
	fn := p.byID[id]
	if fn == nil {
		return p.imports.Closure(id) != nil
	}
	obj, ok := fn.Object().(*types.Func)
	return ok && !visible(obj)
}

func (c *collector) add(id string) {
	if c.seen[id] || len(c.seen) >= c.most || c.foreign && c.p.imports.Workspace(packageOf(id)) {
		return
	}
	c.seen[id] = true
	if f := c.p.closureSummary(id); f != nil {
		c.found = append(c.found, *f)
		for _, t := range termsOf(f) {
			c.visit(t)
		}
	}
}

const maxClosures = 12

// isPolicy reports whether values of a type of this package are asked whether to go on.
func (p *Package) isPolicy(typ string) bool {
	for _, id := range p.tellingMethods(typ) {
		if f := p.named(id); f != nil && len(f.Ends) > 0 {
			return true
		}
	}
	return false
}

// tellingMethods lists the methods of a type, by their identity, that go through retry sites or are asked whether to go on.
func (p *Package) tellingMethods(typ string) []string {
	if typ == "" || libraryOf(typ) != nil {
		return nil
	}
	pkgPath, name := splitName(typ)
	if pkgPath != p.Types.Path() {
		return p.imports.Methods(typ)
	}
	obj, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return nil
	}
	var list []string
	for m := range named.Methods() {
		if fn := p.byID[m.FullName()]; fn != nil && (len(p.valuesOf(fn).Ends) > 0 || len(p.Paths(idOf(fn))) > 0) {
			list = append(list, m.FullName())
		}
	}
	return list
}

func (p *Package) closureSummary(id string) *Function {
	fn := p.byID[id]
	if fn == nil {
		return p.imports.Closure(id)
	}
	values, errs := p.valuesOf(fn), p.errorsOf(fn)
	return &Function{
		ID: id, Params: values.Params, Results: values.Results, Stores: values.Stores, Paths: p.Paths(idOf(fn)),
		Ends: values.Ends, Waits: values.Waits, Detaches: values.Detaches, Errors: errs,
	}
}

func termsOf(f *Function) []value.Term {
	list := append([]value.Term(nil), f.Results...)
	for _, s := range f.Stores {
		list = append(list, s.Value)
	}
	for _, e := range f.Ends {
		list = append(list, e.Attempts)
	}
	for _, path := range f.Paths {
		for _, h := range path.Hops {
			list = append(list, h.Attempts, h.Keeper, h.Gate)
		}
		for t := path.Tail; t != nil; t = t.Then {
			list = append(append(list, t.Callee), t.Args...)
		}
	}
	return list
}

// exportFields tells what fields of this package's structs hold.
func (p *Package) exportFields(pass *analysis.Pass) {
	keys := make([]string, 0, len(p.fields))
	for key, u := range p.fields {
		if u.field.Pkg() == p.Types {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	for _, key := range keys {
		i := strings.LastIndexByte(key, '.')
		if t := p.telling(p.fieldOf(key[:i], key[i+1:])); t.Known() {
			pass.ExportObjectFact(p.fields[key].field, &FieldFact{Value: t, Closures: p.closuresOf([]value.Term{t})})
		}
	}
}

func (p *Package) exportVariables(pass *analysis.Pass) {
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || !v.Exported() {
			continue
		}
		if g := p.SSA.Var(name); g != nil {
			fact := &VariableFact{Value: p.telling(p.close(p.Term(g))), Fault: p.borrowed(g)}
			if fact.Value.Known() {
				fact.Closures = p.closuresOf([]value.Term{fact.Value})
			}
			if fact.Value.Known() || fact.Fault != "" {
				pass.ExportObjectFact(v, fact)
			}
		}
	}
}

// borrowed describes the error that a variable holds, if it isn't a new one: that of another variable, or one that wraps.
func (p *Package) borrowed(g *ssa.Global) fault.Error {
	if ptr, ok := g.Type().Underlying().(*types.Pointer); !ok || !typename.IsError(ptr.Elem()) {
		return ""
	}
	e := p.Sentinel(g)
	if plain := fault.Sentinel(pathOf(p.Types.Path()) + "." + g.Name()); e == plain || e == plain.Text() {
		return ""
	}
	return e
}
