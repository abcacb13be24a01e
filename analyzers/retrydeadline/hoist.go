package retrydeadline

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
)

// fixCancel makes the cancel function run when the attempt is over: the one call that uses the context becomes a function of
// its own, which defers it.
func fixCancel(pass *rule.Pass, d *ssa.Defer) []analysis.SuggestedFix {
	c := at(pass, d.Pos())
	if c == nil {
		return nil
	}
	stmt, list := c.deferral(d.Pos())
	if stmt == nil || len(stmt.Call.Args) > 0 {
		return nil
	}
	cancel, ok := stmt.Call.Fun.(*ast.Ident)
	if !ok {
		return nil
	}
	made, own := c.definition(list, pass.TypesInfo.Uses[cancel])
	if made == nil {
		return nil
	}
	call := c.onlyUse(list, own, made)
	if call == nil || call.Pos() < stmt.End() || c.uses(list, pass.TypesInfo.Uses[cancel]) != 1 {
		return nil
	}
	results, ok := c.plainResults(call)
	if !ok {
		return nil
	}
	text := "func() " + results + " { defer " + cancel.Name + "(); return " + c.source(call) + " }()"
	return []analysis.SuggestedFix{{
		Message: "Cancel when the attempt is over",
		TextEdits: []analysis.TextEdit{
			{Pos: c.lineStart(stmt.Pos()), End: c.lineEnd(stmt.End())},
			{Pos: call.Pos(), End: call.End(), NewText: []byte(text)},
		},
	}}
}

// deferral returns the deferring statement at pos, and the statements that it stands among.
func (c *code) deferral(pos token.Pos) (*ast.DeferStmt, []ast.Stmt) {
	for i, n := range c.Path {
		stmt, ok := n.(*ast.DeferStmt)
		if !ok || stmt.Defer != pos || i+1 >= len(c.Path) {
			continue
		}
		switch list := c.Path[i+1].(type) {
		case *ast.BlockStmt:
			return stmt, list.List
		case *ast.CommClause:
			return stmt, list.Body
		case *ast.CaseClause:
			return stmt, list.Body
		}
	}
	return nil, nil
}

// definition returns the statement of list that defines the cancel function and the context, and the context.
func (c *code) definition(list []ast.Stmt, cancel types.Object) (*ast.AssignStmt, types.Object) {
	for _, stmt := range list {
		assign, ok := stmt.(*ast.AssignStmt)
		if !ok || assign.Tok != token.DEFINE || len(assign.Lhs) != 2 {
			continue
		}
		own, isName := assign.Lhs[0].(*ast.Ident)
		second, alsoName := assign.Lhs[1].(*ast.Ident)
		if isName && alsoName && cancel != nil && c.Pass.TypesInfo.Defs[second] == cancel {
			return assign, c.Pass.TypesInfo.Defs[own]
		}
	}
	return nil, nil
}

// onlyUse returns the call that is given the context own, if nothing else uses it.
func (c *code) onlyUse(list []ast.Stmt, own types.Object, made *ast.AssignStmt) *ast.CallExpr {
	if own == nil || c.uses(list, own) != 1 {
		return nil
	}
	var found *ast.CallExpr
	for _, stmt := range list {
		if stmt == ast.Stmt(made) {
			continue
		}
		ast.Inspect(stmt, func(n ast.Node) bool {
			if _, isLiteral := n.(*ast.FuncLit); isLiteral {
				return false
			}
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			for _, arg := range call.Args {
				if id, isName := arg.(*ast.Ident); isName && c.Pass.TypesInfo.Uses[id] == own {
					found = call
				}
			}
			return true
		})
	}
	return found
}

func (c *code) uses(list []ast.Stmt, obj types.Object) int {
	n := 0
	for _, stmt := range list {
		ast.Inspect(stmt, func(node ast.Node) bool {
			if id, ok := node.(*ast.Ident); ok && c.Pass.TypesInfo.Uses[id] == obj {
				n++
			}
			return true
		})
	}
	return n
}

// plainResults writes the results of a call if none of them needs the context any longer: an error, and plain values.
func (c *code) plainResults(call *ast.CallExpr) (string, bool) {
	sig, ok := c.Pass.TypesInfo.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok || sig.Results().Len() == 0 {
		return "", false
	}
	text := ""
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		if !isPlain(t) {
			return "", false
		}
		name, written := c.written(t)
		if !written {
			return "", false
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if sig.Results().Len() > 1 {
		text = "(" + text + ")"
	}
	return text, true
}

func isPlain(t types.Type) bool {
	if types.TypeString(t, nil) == "error" {
		return true
	}
	if list, ok := t.Underlying().(*types.Slice); ok {
		t = list.Elem()
	}
	_, isBasic := t.Underlying().(*types.Basic)
	return isBasic
}

func (c *code) lineStart(pos token.Pos) token.Pos {
	tf := c.Pass.Fset.File(pos)
	return tf.LineStart(tf.Line(pos))
}

// lineEnd is the begin of the next line, if nothing else follows on that of pos.
func (c *code) lineEnd(pos token.Pos) token.Pos {
	tf := c.Pass.Fset.File(pos)
	if tf.Line(pos) < tf.LineCount() {
		return tf.LineStart(tf.Line(pos) + 1)
	}
	return pos
}
