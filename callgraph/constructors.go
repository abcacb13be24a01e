package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
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

// A Given says what a call gives a function as a policy: the number of attempts that it makes. A policy of the project's own
// makes it if it is asked in the way that Asked tells.
type Given struct {
	Function string
	Param    int
	Asked    string
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
		if libraryOf(typeName(arg.Type())) == nil && !givesDelays(arg.Type()) {
			continue
		}
		t := p.close(p.Term(arg))
		if t.Kind == value.Global && len(t.Args) == 1 {
			t = t.Args[0]
		}
		if t.Kind != value.Record {
			continue
		}
		for _, g := range p.givenPolicy(t, libraryOf(typeName(arg.Type())) != nil) {
			g.Function, g.Param = idOf(callee), i
			list = append(list, g)
		}
	}
	return list
}

// givenPolicy counts the attempts that the policy t makes: one of a library, or of the project's own.
func (p *Package) givenPolicy(t value.Term, ofLibrary bool) []Given {
	var list []Given
	add := func(asked string, c count.Count) {
		if c.Kind == count.Number || c.Kind == count.Unlimited || c.HasDefault {
			list = append(list, Given{Asked: asked, Count: c})
		}
	}
	if lib := libraryOf(t.Name); lib != nil {
		if ofLibrary {
			c, _ := p.policyCount(Hop{Policy: t.Name, Library: lib.Root(), Version: p.imports.Version(lib.Root()), Attempts: t})
			add("", c)
		}
		return list
	}
	for _, q := range p.questionsTo(t) {
		if n, ok := p.ask(q); ok {
			add(asked(q), number(p.close(n)))
		}
	}
	return list
}

// givesDelays reports whether values of a type can be asked for a delay.
func givesDelays(t types.Type) bool {
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		results := methods.At(i).Obj().(*types.Func).Signature().Results()
		if results.Len() > 0 && typeName(results.At(0).Type()) == "time.Duration" {
			return true
		}
	}
	return false
}

// questionsTo lists the ways to ask a policy: each method that may say stop, without attempt numbers, or with those that
// begin with 0 or 1.
func (p *Package) questionsTo(policy value.Term) []value.Term {
	var list []value.Term
	for _, id := range p.methodsOf(policy.Name) {
		f := p.named(id)
		if f == nil {
			continue
		}
		method := id[strings.LastIndexByte(id, '.')+1:]
		for _, end := range f.Ends {
			if strings.HasSuffix(end.Stop, sites.AnyStop) {
				continue
			}
			for _, start := range []value.Term{{}, value.Number(0), value.Number(1)} {
				list = append(list, question(policy, method, end.Stop, len(f.Params)-1, start))
			}
		}
	}
	return list
}

// question asks a method with attempt numbers that begin with start, if that is known.
func question(policy value.Term, method, stop string, arguments int, start value.Term) value.Term {
	starts, moves := make([]value.Term, max(arguments, 0)), make([]bool, max(arguments, 0))
	for i := range starts {
		starts[i], moves[i] = start, start.Known()
	}
	return value.AskedUntil(policy, method, stop, starts, moves)
}

// asked names a question: the method, the answer, and where the attempt numbers begin.
func asked(until value.Term) string {
	text := until.Name + " " + until.Stop()
	for i, start := range until.Args[1:] {
		if until.Moves(i) {
			return text + " " + start.Text()
		}
	}
	return text
}

// dependsOn is the field, as pkgpath.Type.field, whose value decides the count of a site, or "" if none does, and how a
// policy in it is asked.
func (p *Package) dependsOn(h Hop) (field, question string) {
	t := p.close(h.Attempts)
	switch {
	case h.Policy != "":
		t = origin(t)
	case t.Kind == value.Until:
		question = asked(t)
		t = t.Args[0]
	default:
		return "", ""
	}
	if t.Kind != value.Field || len(t.Names) == 0 || t.Names[0] == "" {
		return "", ""
	}
	return t.Names[0] + "." + t.Name, question
}
