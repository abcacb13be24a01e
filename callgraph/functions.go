package callgraph

import (
	"go/types"
	"sort"

	"golang.org/x/tools/go/ssa"
)

// FunctionsOf lists the functions, methods and literals of a package whose bodies were built, in source order.
func FunctionsOf(pkg *ssa.Package) []*ssa.Function {
	var list []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || fn.Pkg != pkg || len(fn.Blocks) == 0 {
			return
		}
		list = append(list, fn)
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
	}
	for _, member := range pkg.Members {
		switch member := member.(type) {
		case *ssa.Function:
			add(member)
		case *ssa.Type:
			named, ok := types.Unalias(member.Type()).(*types.Named)
			if !ok {
				continue
			}
			for i := range named.NumMethods() {
				add(pkg.Prog.FuncValue(named.Method(i)))
			}
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].Pos() < list[j].Pos() })
	return list
}

// Functions lists the functions of the package whose bodies were built; none if it isn't analysed.
func (r *Result) Functions() []*ssa.Function {
	if r.pkg == nil {
		return nil
	}
	return FunctionsOf(r.pkg.SSA)
}

// Callable lists the functions that importers can call by name, each as if it were repeated as a whole; none for packages of other
// modules, whose functions are their own affair.
func (r *Result) Callable() []Repetition {
	if r.pkg == nil || r.pkg.Dependency {
		return nil
	}
	var list []Repetition
	for _, fn := range r.Functions() {
		if obj, ok := fn.Object().(*types.Func); ok && fn.Parent() == nil && obj.Exported() && !r.pkg.isTest(fn) {
			list = append(list, Repetition{Pos: fn.Pos(), Operations: []*ssa.Function{fn}, Function: fn, pkg: r.pkg})
		}
	}
	return list
}
