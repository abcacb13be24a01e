package retrybackoff

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
)

// The random part is added by the library's own means, where the call is written with the policy or option in sight.

// randomize returns the fix for the call of a library whose delays are regular, none if the catalogue doesn't know one.
func randomize(pass *rule.Pass, site *callgraph.Repetition, library callgraph.LibraryDelay) []analysis.SuggestedFix {
	source := pass.SourceAt(site.Call.Pos())
	if source == nil || library.Randomize == "" {
		return nil
	}
	call, pkg := libraryCall(source, site)
	if call == nil {
		return nil
	}
	arg := regularArgument(pass, call, library)
	if arg == nil {
		return nil
	}
	edit := analysis.TextEdit{}
	if strings.Contains(library.Randomize, "%s") {
		edit = wrapped(source, arg, pkg, library.Randomize)
	} else if edit = completed(arg, library.Randomize); edit.NewText == nil {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Give the delays a random part", TextEdits: []analysis.TextEdit{edit}}}
}

// libraryCall returns the call that a repetition is, and how the file calls the library's package there.
func libraryCall(source *rule.Source, site *callgraph.Repetition) (*ast.CallExpr, string) {
	for _, n := range source.Path {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Lparen != site.Call.Pos() {
			continue
		}
		if sel, isSelector := call.Fun.(*ast.SelectorExpr); isSelector && isPackage(source.Pass, sel.X) {
			return call, source.Text(sel.X.Pos(), sel.X.End())
		}
	}
	return nil, ""
}

func isPackage(pass *rule.Pass, x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = pass.TypesInfo.Uses[id].(*types.PkgName)
	return ok
}

// regularArgument is what gets the random part: the policy among the arguments of call, or what an option is given.
func regularArgument(pass *rule.Pass, call *ast.CallExpr, library callgraph.LibraryDelay) ast.Expr {
	if library.Option == "" {
		if library.From < len(call.Args) {
			return call.Args[library.From]
		}
		return nil
	}
	for _, arg := range call.Args {
		option, ok := arg.(*ast.CallExpr)
		if !ok || len(option.Args) != 1 {
			continue
		}
		if sel, isSelector := option.Fun.(*ast.SelectorExpr); isSelector && isPackage(pass, sel.X) && sel.Sel.Name == library.Option {
			return option.Args[0]
		}
	}
	return nil
}

// wrapped puts a call of the library around an argument.
func wrapped(source *rule.Source, arg ast.Expr, pkg, form string) analysis.TextEdit {
	text := fmt.Sprintf(strings.ReplaceAll(form, ".", pkg+"."), source.Text(arg.Pos(), arg.End()))
	return analysis.TextEdit{Pos: arg.Pos(), End: arg.End(), NewText: []byte(text)}
}

// completed adds a field to the literal of a policy that leaves it out; other policies stay as they are.
func completed(arg ast.Expr, field string) analysis.TextEdit {
	literal, ok := arg.(*ast.CompositeLit)
	if !ok || len(literal.Elts) == 0 {
		return analysis.TextEdit{}
	}
	name, _, _ := strings.Cut(field, ":")
	for _, element := range literal.Elts {
		pair, isPair := element.(*ast.KeyValueExpr)
		if !isPair {
			return analysis.TextEdit{}
		}
		if key, isName := pair.Key.(*ast.Ident); isName && key.Name == name {
			return analysis.TextEdit{}
		}
	}
	last := literal.Elts[len(literal.Elts)-1].End()
	return analysis.TextEdit{Pos: last, End: last, NewText: []byte(", " + field)}
}
