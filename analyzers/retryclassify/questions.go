package retryclassify

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
)

// checkQuestions reports questions about errors whose answer is always no: the error that is meant arrives wrapped, or as a
// pointer where a value is looked for.
func checkQuestions(pass *rule.Pass, r *callgraph.Repetition) {
	for _, c := range r.Checks() {
		if why := neverMatches(c); why != "" {
			report(pass, c, why)
		} else if why := wrongTarget(c, r.Function.Pkg); why != "" {
			report(pass, c, why)
		}
	}
	for step := range r.Attempt() {
		if call, ok := step.Instr.(*ssa.Call); ok && catalog.LooksOutside(callgraph.CalleeName(&call.Call)) {
			checkOutside(pass, r, call, step)
		}
	}
}

func report(pass *rule.Pass, c callgraph.Check, why string) {
	pass.Report("wrongcheck", analysis.Diagnostic{Pos: c.Instr.Pos(), Message: why, SuggestedFixes: fixes(pass, c)})
}

// neverMatches says why a comparison or an assertion isn't true of any error that it is asked about: the one that is meant is
// inside of another. One that is seen must be meant, and errors that aren't seen can't be: the error is known to this package
// only, or all are seen.
func neverMatches(c callgraph.Check) string {
	word, part, _ := strings.Cut(string(c.Test), " ")
	var deep fault.Test
	switch word {
	case "same":
		deep = fault.Is(strings.TrimPrefix(part, "="))
	case "assert":
		deep = fault.As(part)
	default:
		return ""
	}
	wrapper := ""
	for _, e := range c.Seen {
		if yes, _ := e.Ask(c.Test); yes {
			return ""
		}
		if yes, _ := e.Ask(deep); yes {
			wrapper, _, _ = strings.Cut(string(e), " ")
		}
	}
	switch {
	case wrapper == "" || !c.Complete && exported(part):
		return ""
	case word == "same":
		return fmt.Sprintf("this comparison with %s never matches: the error arrives wrapped in a %s; errors.Is looks inside", short(part), short(wrapper))
	}
	return fmt.Sprintf("this assertion to %s never matches: the error arrives wrapped in a %s; errors.As looks inside", short(part), short(wrapper))
}

// exported reports whether other packages may return a variable or a value of a type.
func exported(part string) bool {
	name := lastElement(strings.TrimSuffix(part, "!"))
	return token.IsExported(name)
}

// short writes a variable or type with the last element of its package only.
func short(part string) string {
	part = strings.TrimPrefix(strings.TrimSuffix(part, "!"), "=")
	star := ""
	if rest, ok := strings.CutPrefix(part, "*"); ok {
		star, part = "*", rest
	}
	return star + part[strings.LastIndexByte(part, '/')+1:]
}

// wrongTarget says why a question for a type isn't true of any error: its values are errors, but what is returned are pointers
// to them, or the other way round.
func wrongTarget(c callgraph.Check, pkg *ssa.Package) string {
	word, part, _ := strings.Cut(string(c.Test), " ")
	if word != "as" && word != "assert" {
		return ""
	}
	other := counterpart(part)
	found := false
	for _, e := range c.Seen {
		if yes, _ := e.Ask(c.Test); yes {
			return ""
		}
		yes, _ := e.Ask(fault.As(other))
		found = found || yes
	}
	made := errorsMadeIn(pkg)
	if made[part] || !found && !(made[other] && declaredIn(part, pkg)) {
		return ""
	}
	return fmt.Sprintf("this looks for %s, but the errors are of type %s: it never matches", short(part), short(other))
}

func counterpart(name string) string {
	if value, ok := strings.CutPrefix(name, "*"); ok {
		return value
	}
	return "*" + name
}

func declaredIn(name string, pkg *ssa.Package) bool {
	name = strings.TrimPrefix(name, "*")
	return name[:strings.LastIndexByte(name, '.')] == pkg.Pkg.Path()
}

// errorsMadeIn lists the types whose values pkg uses as errors or other interfaces.
func errorsMadeIn(pkg *ssa.Package) map[string]bool {
	made := map[string]bool{}
	for _, fn := range callgraph.FunctionsOf(pkg) {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if m, ok := instr.(*ssa.MakeInterface); ok && !givenToAs(m) {
					made[typeName(m.X.Type())] = true
				}
			}
		}
	}
	return made
}

// givenToAs reports whether the address of a variable is only made an interface for errors.As to fill it.
func givenToAs(m *ssa.MakeInterface) bool {
	for _, ref := range *m.Referrers() {
		call, ok := ref.(*ssa.Call)
		if !ok || callgraph.CalleeName(&call.Call) != "errors.As" {
			return false
		}
	}
	return true
}

func typeName(t types.Type) string {
	star := ""
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		star, t = "*", ptr.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return star + n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// checkOutside reports a function that doesn't look into wrapped errors, and is asked about nothing else.
func checkOutside(pass *rule.Pass, r *callgraph.Repetition, call *ssa.Call, step callgraph.Step) {
	seen, complete := r.Seen(call.Call.Args[0], step)
	if !complete || len(seen) == 0 {
		return
	}
	for _, e := range seen {
		if first, _, _ := strings.Cut(string(e), " "); !strings.HasPrefix(first, "*fmt.wrapError") && first != "*errors.joinError" {
			return
		}
	}
	pass.Report("wrongcheck", analysis.Diagnostic{
		Pos:     r.Token(call),
		Message: fmt.Sprintf("%s doesn't look into wrapped errors, and this one is always wrapped: it never matches", callgraph.CalleeLabel(&call.Call)),
	})
}

// fixes replaces a comparison by errors.Is where the file has that package.
func fixes(pass *rule.Pass, c callgraph.Check) []analysis.SuggestedFix {
	test, ok := c.Instr.(*ssa.BinOp)
	if !ok {
		return nil
	}
	expr, file := comparisonAt(pass.Files, test.Pos())
	name := importName(file, "errors")
	if expr == nil || name == "" {
		return nil
	}
	not := ""
	if expr.Op == token.NEQ {
		not = "!"
	}
	text := fmt.Sprintf("%s%s.Is(%s, %s)", not, name, written(pass, expr.X), written(pass, expr.Y))
	return []analysis.SuggestedFix{{
		Message:   "Use errors.Is",
		TextEdits: []analysis.TextEdit{{Pos: expr.Pos(), End: expr.End(), NewText: []byte(text)}},
	}}
}
