package retryidempotency

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/printer"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// resetting suggests to empty a variable at the top of the function that is run again, if it is empty before the first run.
func (c *closure) resetting(v variable) []analysis.SuggestedFix {
	literal, ok := c.function.Syntax().(*ast.FuncLit)
	cell, isCell := v.root.(*ssa.Alloc)
	if !ok || !isCell || v.path != "" || len(literal.Body.List) == 0 || redeclared(literal, v.name) {
		return nil
	}
	statement := emptying(v.name, cell, c.scope)
	first := c.pass.Fset.Position(literal.Body.List[0].Pos())
	if statement == "" || first.Line == c.pass.Fset.Position(literal.Body.Lbrace).Line {
		return nil
	}
	text := "\n" + strings.Repeat("\t", first.Column-1) + statement
	at := literal.Body.Lbrace + 1
	return []analysis.SuggestedFix{{
		Message:   fmt.Sprintf("empty %s at the top of the function", v.name),
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(text)}},
	}}
}

// emptying is a statement that makes a variable what it was before the first run, "" if that isn't empty.
func emptying(name string, cell *ssa.Alloc, inside scope) string {
	made := false
	for _, s := range storesTo(cell, 0) {
		if load, isLoad := s.Val.(*ssa.UnOp); inside.holds(s.Parent()) || isLoad && load.X == ssa.Value(cell) {
			continue // return, with a named result
		}
		if made = true; !makesEmpty(s.Val) {
			return ""
		}
	}
	switch t := cell.Type().Underlying().(*types.Pointer).Elem().Underlying().(type) {
	case *types.Slice:
		return name + " = nil"
	case *types.Map:
		if made {
			return "clear(" + name + ")"
		}
	case *types.Basic:
		switch {
		case t.Info()&types.IsNumeric != 0:
			return name + " = 0"
		case t.Info()&types.IsString != 0:
			return name + ` = ""`
		}
	}
	return ""
}

func makesEmpty(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeMap:
		return !hasUpdates(v)
	case *ssa.MakeSlice:
		c, ok := v.Len.(*ssa.Const)
		return ok && c.Value != nil && constant.Sign(c.Value) == 0
	case *ssa.Slice: // make([]T, 0, n) with a constant n
		c, ok := v.High.(*ssa.Const)
		return ok && c.Value != nil && constant.Sign(c.Value) == 0
	case *ssa.Const:
		return v.Value == nil || isEmpty(v)
	}
	return false
}

func hasUpdates(m *ssa.MakeMap) bool {
	for _, ref := range *m.Referrers() {
		if _, ok := ref.(*ssa.MapUpdate); ok {
			return true
		}
	}
	return false
}

// redeclared reports whether a literal declares a name anew, so that it can't stand for the captured variable at its top.
func redeclared(literal *ast.FuncLit, name string) bool {
	for _, field := range literal.Type.Params.List {
		for _, param := range field.Names {
			if param.Name == name {
				return true
			}
		}
	}
	return false
}

// hoist suggests to make a key before the first attempt: the statement that makes it is moved, or a variable takes the place of the
// call. Nothing of what the call is given may belong to an attempt.
func hoist(pass *analysis.Pass, a *attempt, made ssa.CallInstruction) []analysis.SuggestedFix {
	h := &hoisting{pass: pass}
	if !h.find(a, made) || !h.independent() {
		return nil
	}
	edits := h.moved()
	if edits == nil {
		edits = h.replaced()
	}
	if edits == nil {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "make the key once, before the first attempt", TextEdits: edits}}
}

type hoisting struct {
	pass     *analysis.Pass
	call     *ast.CallExpr
	repeated ast.Node // the loop, or the literal that is executed again
	before   ast.Stmt // which the key is to be made before
	path     []ast.Node
	within   *ast.FuncDecl
}

// find finds the call in the source, and what is repeated around it.
func (h *hoisting) find(a *attempt, made ssa.CallInstruction) bool {
	pos := made.Pos()
	for _, file := range h.pass.Files {
		if file.FileStart <= pos && pos < file.FileEnd {
			h.path, _ = astutil.PathEnclosingInterval(file, pos, pos+1)
		}
	}
	for i, n := range h.path {
		switch n := n.(type) {
		case *ast.CallExpr:
			if h.call == nil && n.Lparen == pos {
				h.call = n
			}
		case *ast.ForStmt, *ast.RangeStmt:
			if h.repeated == nil && a.Site != nil {
				h.repeated = n
			}
		case *ast.FuncLit:
			if h.repeated == nil && a.Site == nil {
				h.repeated = n
			}
		case *ast.FuncDecl:
			h.within = n
		case ast.Stmt:
			if h.repeated != nil && h.before == nil && inList(h.path, i) {
				h.before = n
			}
		}
		if s, ok := n.(ast.Stmt); ok && h.repeated == n && h.before == nil && inList(h.path, i) {
			h.before = s
		}
	}
	return h.call != nil && h.before != nil && h.within != nil && a.inFunction(made)
}

// inList reports whether the statement at path[i] is one of a list of statements.
func inList(path []ast.Node, i int) bool {
	if i+1 == len(path) {
		return false
	}
	switch path[i+1].(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// independent reports whether the call uses nothing that is declared in what is repeated, and makes one value.
func (h *hoisting) independent() bool {
	if tuple, ok := h.pass.TypesInfo.TypeOf(h.call).(*types.Tuple); ok && tuple.Len() != 1 {
		return false
	}
	fine := true
	ast.Inspect(h.call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if obj := h.pass.TypesInfo.Uses[id]; obj != nil && h.repeated.Pos() <= obj.Pos() && obj.Pos() < h.repeated.End() {
			fine = false
		}
		return fine
	})
	return fine
}

// moved moves a statement of the form key := make() that stands in the repeated block itself.
func (h *hoisting) moved() []analysis.TextEdit {
	for i, n := range h.path {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			continue
		}
		if assign.Tok != token.DEFINE || len(assign.Lhs) != 1 || assign.Rhs[0] != ast.Expr(h.call) {
			return nil
		}
		name, isName := assign.Lhs[0].(*ast.Ident)
		block, isBlock := h.path[i+1].(*ast.BlockStmt)
		if !isName || !isBlock || block != bodyOf(h.repeated) || h.declared(name.Name) != 1 {
			return nil
		}
		for k, s := range block.List {
			if s == ast.Stmt(assign) && k+1 < len(block.List) {
				next := block.List[k+1]
				if h.pass.Fset.Position(next.Pos()).Line != h.pass.Fset.Position(assign.End()).Line+1 {
					return nil // a comment stands between
				}
				return []analysis.TextEdit{
					h.insert(h.text(assign)),
					{Pos: assign.Pos(), End: next.Pos()},
				}
			}
		}
		return nil
	}
	return nil
}

// replaced makes a variable of the call.
func (h *hoisting) replaced() []analysis.TextEdit {
	const name = "idempotencyKey"
	if b, isBasic := h.pass.TypesInfo.TypeOf(h.call).Underlying().(*types.Basic); h.declared(name) > 0 || isBasic && b.Info()&types.IsString == 0 || isTime(h.pass.TypesInfo.TypeOf(h.call)) {
		return nil // a number or a time isn't the key itself
	}
	for _, n := range h.path {
		if assign, ok := n.(*ast.AssignStmt); ok && assign.Rhs[0] == ast.Expr(h.call) {
			return nil // it has a variable, but can't be moved
		}
	}
	return []analysis.TextEdit{
		h.insert(name + " := " + h.text(h.call)),
		{Pos: h.call.Pos(), End: h.call.End(), NewText: []byte(name)},
	}
}

func isTime(t types.Type) bool { return typename.Of(t) == "time.Time" }

func (h *hoisting) insert(statement string) analysis.TextEdit {
	indent := strings.Repeat("\t", h.pass.Fset.Position(h.before.Pos()).Column-1)
	return analysis.TextEdit{Pos: h.before.Pos(), End: h.before.Pos(), NewText: []byte(statement + "\n" + indent)}
}

// declared counts the declarations of a name in the function.
func (h *hoisting) declared(name string) int {
	n := 0
	ast.Inspect(h.within, func(node ast.Node) bool {
		if id, ok := node.(*ast.Ident); ok && id.Name == name && h.pass.TypesInfo.Defs[id] != nil {
			n++
		}
		return true
	})
	return n
}

func (h *hoisting) text(n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, h.pass.Fset, n); err != nil {
		return ""
	}
	return b.String()
}

func bodyOf(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.ForStmt:
		return n.Body
	case *ast.RangeStmt:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}
