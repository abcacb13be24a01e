package retryoutcome

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// fixes puts the last error into what is returned, if a variable holds it there.
func fixes(pass *rule.Pass, ending sites.Ending, e ast.Expr) []analysis.SuggestedFix {
	last := lastError(pass, ending, e.Pos())
	if last == "" {
		return nil
	}
	text := ""
	switch ending.Verdict {
	case sites.Nothing:
		text = last
	case sites.Fresh:
		text = wrapping(pass, e, last)
	}
	if text == "" {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "return " + last + " with it",
		TextEdits: []analysis.TextEdit{{Pos: e.Pos(), End: e.End(), NewText: []byte(text)}},
	}}
}

// lastError names the variable that holds the error of the last attempt and is in scope at pos: the one that the call is
// assigned to, or one that this is assigned to.
func lastError(pass *rule.Pass, ending sites.Ending, pos token.Pos) string {
	syntax := ending.Return.Parent().Syntax()
	holds := map[types.Object]bool{}
	name := ""
	note := func(lhs ast.Expr) {
		id, ok := lhs.(*ast.Ident)
		if !ok || id.Name == "_" {
			return
		}
		obj := pass.TypesInfo.ObjectOf(id)
		if obj == nil || !typename.IsError(obj.Type()) {
			return
		}
		holds[obj] = true
		scope := pass.Pkg.Scope().Innermost(pos)
		if scope == nil {
			return // code that nobody wrote
		}
		if _, found := scope.LookupParent(id.Name, pos); found == obj {
			name = id.Name
		}
	}
	ast.Inspect(syntax, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		if len(assign.Rhs) == 1 && isCall(assign.Rhs[0], ending) {
			note(assign.Lhs[len(assign.Lhs)-1])
			return true
		}
		for i, rhs := range assign.Rhs {
			if id, isIdent := rhs.(*ast.Ident); isIdent && holds[pass.TypesInfo.ObjectOf(id)] {
				note(assign.Lhs[i])
			}
		}
		return true
	})
	return name
}

func isCall(e ast.Expr, ending sites.Ending) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && ending.Call != nil && call.Lparen == ending.Call.Pos()
}

// wrapping spells an error with last inside of it, "" if it can't be done in one expression with what the file imports.
func wrapping(pass *rule.Pass, e ast.Expr, last string) string {
	if !importsFmt(pass, e.Pos()) {
		return ""
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return "fmt.Errorf(\"%w: %w\", " + source(pass, e) + ", " + last + ")"
	case *ast.CallExpr:
		name := source(pass, e.Fun)
		if name != "errors.New" && name != "fmt.Errorf" || len(e.Args) == 0 || e.Ellipsis.IsValid() {
			return ""
		}
		lit, ok := e.Args[0].(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return ""
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			return ""
		}
		if name == "errors.New" {
			text = strings.ReplaceAll(text, "%", "%%")
		}
		args := []string{strconv.Quote(text + ": %w")}
		for _, a := range e.Args[1:] {
			args = append(args, source(pass, a))
		}
		return "fmt.Errorf(" + strings.Join(append(args, last), ", ") + ")"
	}
	return ""
}

// importsFmt reports whether the file at pos imports package fmt under its own name.
func importsFmt(pass *rule.Pass, pos token.Pos) bool {
	for _, file := range pass.Files {
		if pos < file.FileStart || file.FileEnd <= pos {
			continue
		}
		for _, spec := range file.Imports {
			if spec.Path.Value == `"fmt"` && spec.Name == nil {
				return true
			}
		}
	}
	return false
}

// source is the text of an expression.
func source(pass *rule.Pass, e ast.Expr) string {
	var b bytes.Buffer
	if err := format.Node(&b, pass.Fset, e); err != nil {
		return ""
	}
	return b.String()
}
