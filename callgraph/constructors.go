package callgraph

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/value"
)

// A count may depend on a field that a constructor fills with its parameter, and that packages elsewhere decide by what they
// give the constructor. A package sees its own end of that only; the command, which sees all packages, joins them.

// A Binding says that a constructor puts a parameter into a field.
type Binding struct {
	Field    string // pkgpath.Type.field
	Function string
	Param    int
}

// A Given says what a call gives a function as a policy: the number of attempts that it makes.
type Given struct {
	Function string
	Param    int
	Count    count.Count
}

// Bindings lists the constructors of the package.
func (p *Package) Bindings() []Binding {
	var list []Binding
	for _, fn := range p.functions {
		if _, ok := fn.Object().(*types.Func); !ok || fn.Signature.Results().Len() == 0 {
			continue
		}
		r := p.valuesOf(fn).Results
		if len(r) == 0 || r[0].Kind != value.Record {
			continue
		}
		for i, name := range r[0].Names {
			if param := r[0].Args[i]; param.Kind == value.Param {
				list = append(list, Binding{Field: r[0].Name + "." + name, Function: idOf(fn), Param: int(param.N)})
			}
		}
	}
	return list
}

// Givens lists the policies that the package gives to functions, test files aside.
func (p *Package) Givens() []Given {
	var list []Given
	for _, fn := range p.functions {
		if p.isTest(fn) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok {
					list = append(list, p.givenBy(&call.Call)...)
				}
			}
		}
	}
	return list
}

func (p *Package) givenBy(call *ssa.CallCommon) []Given {
	callee := resolve(call.StaticCallee())
	if callee == nil || callee.Pkg == nil || wellKnown(callee.Pkg.Pkg.Path()) {
		return nil
	}
	var list []Given
	for i, arg := range call.Args {
		if libraryOf(typeName(arg.Type())) == nil {
			continue
		}
		t := p.close(p.Term(arg))
		lib := libraryOf(t.Name)
		if t.Kind != value.Record || lib == nil {
			continue
		}
		h := Hop{Policy: t.Name, Library: lib.Root(), Version: p.imports.Version(lib.Root()), Attempts: t}
		if c, _ := p.policyCount(h); c.Kind == count.Number || c.Kind == count.Unlimited || c.HasDefault {
			list = append(list, Given{Function: idOf(callee), Param: i, Count: c})
		}
	}
	return list
}

// dependsOn is the field, as pkgpath.Type.field, whose value decides the count of a site, or "" if none does.
func (p *Package) dependsOn(h Hop) string {
	if h.Policy == "" {
		return ""
	}
	t := origin(p.close(h.Attempts))
	if t.Kind != value.Field || len(t.Names) == 0 || t.Names[0] == "" {
		return ""
	}
	return t.Names[0] + "." + t.Name
}
