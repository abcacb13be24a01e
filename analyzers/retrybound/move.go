package retrybound

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
)

// moveOut returns the fix for a counter that the loop declares: its declaration goes above the loop. Nothing is offered if the
// declaration isn't a statement of its own with a constant, or if the name means something else outside.
func moveOut(pass *rule.Pass, v *types.Var, loop ast.Node) []analysis.SuggestedFix {
	body, ok := bodyOf(loop).(*ast.BlockStmt)
	if !ok || labelled(pass, loop) {
		return nil
	}
	outer := pass.Pkg.Scope().Innermost(loop.Pos())
	if outer == nil {
		return nil
	}
	if _, other := outer.LookupParent(v.Name(), loop.End()); other != nil {
		return nil
	}
	for _, s := range body.List {
		declaration, isAssign := s.(*ast.AssignStmt)
		if !isAssign || declaration.Tok != token.DEFINE || len(declaration.Lhs) != 1 || !isConstant(pass.TypesInfo, declaration) {
			continue
		}
		if id, isIdent := declaration.Lhs[0].(*ast.Ident); !isIdent || pass.TypesInfo.Defs[id] != types.Object(v) {
			continue
		}
		var text bytes.Buffer
		if err := printer.Fprint(&text, pass.Fset, declaration); err != nil {
			return nil
		}
		text.WriteByte('\n')
		return []analysis.SuggestedFix{{
			Message: "Move " + v.Name() + " above the loop",
			TextEdits: []analysis.TextEdit{
				{Pos: loop.Pos(), End: loop.Pos(), NewText: text.Bytes()},
				{Pos: declaration.Pos(), End: endOfLine(pass, declaration)},
			},
		}}
	}
	return nil
}

// endOfLine returns where the line after a statement begins, unless something else stands behind it.
func endOfLine(pass *rule.Pass, s ast.Stmt) token.Pos {
	file := pass.Fset.File(s.End())
	line := file.Line(s.End())
	if line >= file.LineCount() {
		return s.End()
	}
	for _, f := range pass.Files {
		for _, group := range f.Comments {
			if file.Base() <= int(group.Pos()) && int(group.Pos()) < file.Base()+file.Size() && file.Line(group.Pos()) == line {
				return s.End()
			}
		}
	}
	return file.LineStart(line + 1)
}

// labelled reports whether a loop has a label: what is put before the loop would come between.
func labelled(pass *rule.Pass, loop ast.Node) bool {
	found := false
	for _, file := range pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			l, ok := n.(*ast.LabeledStmt)
			found = found || ok && l.Stmt == loop
			return !found
		})
	}
	return found
}
