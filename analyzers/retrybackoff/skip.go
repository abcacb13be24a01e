package retrybackoff

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
)

// A wait after the last attempt is skipped by leaving the loop before it: if i == n-1 { break }. That is surely right where the
// loop counts in its head up to something that doesn't change, and the wait is a statement of its own outside of any select or
// switch, which break would leave instead.

// skipLast returns the fix for a wait that also comes after the last attempt, nil if there is none that is surely right.
func skipLast(pass *rule.Pass, wait ssa.Instruction) []analysis.SuggestedFix {
	at := place(wait)
	way := nodesAround(pass, at)
	statement, loop := statementIn(way)
	if statement == nil {
		return nil
	}
	last := lastRound(pass, loop)
	if last == nil {
		return nil
	}
	edits := append(last.edits, analysis.TextEdit{
		Pos: statement.Pos(), End: statement.Pos(), NewText: []byte("if " + last.condition + " {\nbreak\n}\n"),
	})
	return []analysis.SuggestedFix{{Message: "Leave the loop after the last attempt", TextEdits: edits}}
}

// nodesAround lists the nodes around pos, the outermost first.
func nodesAround(pass *rule.Pass, pos token.Pos) []ast.Node {
	var way []ast.Node
	for _, file := range pass.Files {
		if pos < file.Pos() || pos >= file.End() {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if n == nil || pos < n.Pos() || pos >= n.End() {
				return false
			}
			way = append(way, n)
			return true
		})
	}
	return way
}

// statementIn returns the statement that waits and the loop whose body it stands in, beneath if statements at most. A timer
// that is made in a statement of its own is no such wait: it would be left behind.
func statementIn(way []ast.Node) (statement, loop ast.Stmt) {
	for i := len(way) - 1; i > 0; i-- {
		switch n := way[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl, *ast.SwitchStmt, *ast.TypeSwitchStmt:
			return nil, nil
		case *ast.CommClause:
			if n.Comm == nil || way[len(way)-1].Pos() >= n.Colon {
				return nil, nil // within what a case does
			}
			i--
			statement = way[i-1].(ast.Stmt) // all of the select is the wait
		case *ast.ForStmt, *ast.RangeStmt:
			return statement, n.(ast.Stmt)
		case *ast.BlockStmt:
			if s, ok := way[min(i+1, len(way)-1)].(ast.Stmt); ok && statement == nil {
				statement = s
			}
		}
		if statement != nil && !waitsHere(statement) {
			return nil, nil
		}
	}
	return nil, nil
}

// waitsHere reports whether the wait is the whole statement: a call, a receive, a select, or an if with nothing else before.
func waitsHere(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.ExprStmt, *ast.SelectStmt, *ast.IfStmt:
		return true
	}
	return false
}

// round is a condition that is true in the last round of a loop, and what must change for it to be written.
type round struct {
	condition string
	edits     []analysis.TextEdit
}

func lastRound(pass *rule.Pass, loop ast.Stmt) *round {
	switch loop := loop.(type) {
	case *ast.ForStmt:
		return lastOfFor(pass, loop)
	case *ast.RangeStmt:
		return lastOfRange(pass, loop)
	}
	return nil
}

// lastOfFor handles for i := 0; i < n; i++ and i <= n.
func lastOfFor(pass *rule.Pass, loop *ast.ForStmt) *round {
	test, ok := loop.Cond.(*ast.BinaryExpr)
	step, isStep := loop.Post.(*ast.IncDecStmt)
	if !ok || !isStep || step.Tok != token.INC || test.Op != token.LSS && test.Op != token.LEQ {
		return nil
	}
	counter, ok := test.X.(*ast.Ident)
	stepped, okToo := step.X.(*ast.Ident)
	if !ok || !okToo || counter.Name != stepped.Name || !unchanged(pass, test.Y, loop.Body) || assigned(pass, counter, loop.Body) {
		return nil
	}
	limit := written(pass, test.Y)
	if test.Op == token.LSS {
		limit += "-1"
	}
	return &round{condition: counter.Name + " == " + limit}
}

// lastOfRange handles for i := range n, and for range n, which gets a variable.
func lastOfRange(pass *rule.Pass, loop *ast.RangeStmt) *round {
	basic, ok := pass.TypesInfo.TypeOf(loop.X).Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsInteger == 0 || !unchanged(pass, loop.X, loop.Body) {
		return nil
	}
	limit := written(pass, loop.X) + "-1"
	if loop.Key == nil {
		if visible(pass, "i", loop) {
			return nil
		}
		return &round{"i == " + limit, []analysis.TextEdit{{Pos: loop.For, End: loop.X.Pos(), NewText: []byte("for i := range ")}}}
	}
	counter, ok := loop.Key.(*ast.Ident)
	if !ok || counter.Name == "_" || assigned(pass, counter, loop.Body) {
		return nil
	}
	return &round{condition: counter.Name + " == " + limit}
}

// visible reports whether a name means something in the loop.
func visible(pass *rule.Pass, name string, loop ast.Stmt) bool {
	scope := pass.Pkg.Scope().Innermost(loop.Pos())
	if scope == nil {
		return true
	}
	_, object := scope.LookupParent(name, loop.End())
	if object != nil {
		return true
	}
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

// unchanged reports whether an expression is a number, a variable or a field that body doesn't assign.
func unchanged(pass *rule.Pass, e ast.Expr, body ast.Node) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return !assigned(pass, e, body)
	case *ast.SelectorExpr:
		return unchanged(pass, e.X, body) && !assigned(pass, e.Sel, body)
	}
	return false
}

// assigned reports whether body assigns to the variable or field that id means, or takes its address.
func assigned(pass *rule.Pass, id *ast.Ident, body ast.Node) bool {
	object := pass.TypesInfo.ObjectOf(id)
	found := false
	means := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			return pass.TypesInfo.ObjectOf(e) == object
		case *ast.SelectorExpr:
			return pass.TypesInfo.ObjectOf(e.Sel) == object
		}
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				found = found || means(left)
			}
		case *ast.IncDecStmt:
			found = found || means(n.X)
		case *ast.UnaryExpr:
			found = found || n.Op == token.AND && means(n.X)
		}
		return !found
	})
	return found
}

func written(pass *rule.Pass, n ast.Node) string {
	var b bytes.Buffer
	if err := printer.Fprint(&b, pass.Fset, n); err != nil {
		return ""
	}
	return b.String()
}
