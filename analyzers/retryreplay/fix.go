package retryreplay

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// moveInside moves the statement that makes a reader into the code that is repeated, if nothing else uses the reader and making
// it anew costs nothing: it reads from bytes that stay.
func (a *attempt) moveInside(from source) []analysis.SuggestedFix {
	call, ok := from.root.(*ssa.Call)
	if !ok || from.path != "" || !rereads(call) {
		return nil
	}
	syntax := call.Parent().Syntax()
	if syntax == nil {
		return nil
	}
	made, next := a.statement(syntax, call)
	if made == nil || next == nil {
		return nil
	}
	body := a.repeatedBody(syntax)
	if body == nil || !a.onlyIn(syntax, made, body) {
		return nil
	}
	var text bytes.Buffer
	text.WriteByte('\n')
	if err := format.Node(&text, a.pass.Fset, made); err != nil {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message: "make the reader anew for each attempt",
		TextEdits: []analysis.TextEdit{
			{Pos: made.Pos(), End: next.Pos()},
			{Pos: body.Lbrace + 1, End: body.Lbrace + 1, NewText: text.Bytes()},
		},
	}}
}

// rereads reports whether a call makes a reader of bytes or a string.
func rereads(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil {
		return false
	}
	switch fn.String() {
	case "bytes.NewReader", "strings.NewReader":
		return true
	}
	return false
}

// statement finds x := call and the statement on the line after it.
func (a *attempt) statement(syntax ast.Node, call *ssa.Call) (made *ast.AssignStmt, next ast.Stmt) {
	ast.Inspect(syntax, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		for i, stmt := range block.List {
			assign, isAssign := stmt.(*ast.AssignStmt)
			if !isAssign || assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || !isAt(assign.Rhs[0], call.Pos()) || i+1 == len(block.List) {
				continue
			}
			if after := block.List[i+1]; a.line(after.Pos()) == a.line(assign.End())+1 {
				made, next = assign, after
			}
		}
		return made == nil
	})
	return made, next
}

func (a *attempt) line(pos token.Pos) int { return a.pass.Fset.Position(pos).Line }

func isAt(e ast.Expr, lparen token.Pos) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && call.Lparen == lparen
}

// repeatedBody is the block that each attempt executes from its beginning: the body of the loop, or of the literal.
func (a *attempt) repeatedBody(syntax ast.Node) *ast.BlockStmt {
	if a.place.Site == nil {
		if len(a.place.Operations) != 1 {
			return nil
		}
		if literal, ok := a.place.Operations[0].Syntax().(*ast.FuncLit); ok {
			return literal.Body
		}
		return nil
	}
	var body *ast.BlockStmt
	ast.Inspect(syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ForStmt:
			if n.Pos() == a.place.Site.Pos {
				body = n.Body
			}
		case *ast.RangeStmt:
			if n.Pos() == a.place.Site.Pos {
				body = n.Body
			}
		}
		return body == nil
	})
	return body
}

// onlyIn reports whether all uses of the variable that made declares are in body.
func (a *attempt) onlyIn(syntax ast.Node, made *ast.AssignStmt, body *ast.BlockStmt) bool {
	id, ok := made.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	obj, all := a.pass.TypesInfo.Defs[id], true
	ast.Inspect(syntax, func(n ast.Node) bool {
		if use, isIdent := n.(*ast.Ident); isIdent && a.pass.TypesInfo.Uses[use] == obj {
			all = all && body.Pos() <= use.Pos() && use.Pos() < body.End()
		}
		return true
	})
	return all && obj != nil
}

// closeBefore closes what is open before the return statement by which an attempt fails.
func (a *attempt) closeBefore(o *opening, ret *ssa.Return) []analysis.SuggestedFix {
	syntax := o.call.Parent().Syntax()
	if ret == nil || syntax == nil || o.call.Parent() != ret.Parent() {
		return nil
	}
	name := a.variable(syntax, o.call, ret.Pos())
	stmt := returnAt(syntax, ret.Pos())
	if name == "" || stmt == nil || mentions(stmt, name+".Body") {
		return nil
	}
	if o.field != "" {
		name += "." + o.field
	}
	return []analysis.SuggestedFix{{
		Message:   "close it before the attempt fails",
		TextEdits: []analysis.TextEdit{{Pos: ret.Pos(), End: ret.Pos(), NewText: []byte(name + "." + o.method + "()\n")}},
	}}
}

// variable names the variable that the first result of a call is assigned to, if it is the one in scope at pos.
func (a *attempt) variable(syntax ast.Node, call *ssa.Call, pos token.Pos) string {
	name := ""
	ast.Inspect(syntax, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok || len(assign.Rhs) != 1 || !isAt(assign.Rhs[0], call.Pos()) {
			return true
		}
		id, ok := assign.Lhs[0].(*ast.Ident)
		if !ok || id.Name == "_" {
			return true
		}
		scope := a.scope(pos)
		if scope == nil {
			return true // code that nobody wrote
		}
		if _, found := scope.LookupParent(id.Name, pos); found == a.pass.TypesInfo.ObjectOf(id) {
			name = id.Name
		}
		return true
	})
	return name
}

func (a *attempt) scope(pos token.Pos) *types.Scope { return a.pass.Pkg.Scope().Innermost(pos) }

func returnAt(syntax ast.Node, pos token.Pos) *ast.ReturnStmt {
	var found *ast.ReturnStmt
	ast.Inspect(syntax, func(n ast.Node) bool {
		if ret, ok := n.(*ast.ReturnStmt); ok && ret.Return == pos {
			found = ret
		}
		return found == nil
	})
	return found
}

// mentions reports whether a statement uses what would be closed before it.
func mentions(stmt ast.Node, what string) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, isIdent := sel.X.(*ast.Ident); isIdent && x.Name+"."+sel.Sel.Name == what {
				found = true
			}
		}
		return !found
	})
	return found
}
