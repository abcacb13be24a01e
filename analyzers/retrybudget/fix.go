package retrybudget

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"regexp"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/budget"
)

// Fixes are offered where they surely bound the budget: a statement that does nothing but refill goes above the loop, and a refill that
// forgets a maximum that the code names gets it.

// code is the source around a place.
type code struct{ *rule.Source }

// at returns the source around pos, nil if it can't be read.
func (c *checker) at(pos token.Pos) *code {
	source := c.SourceAt(pos)
	if source == nil {
		return nil
	}
	return &code{source}
}

// once moves the statement that feeds a budget above the loop: it is then fed once for each request, which the retries are a share of.
func (c *checker) once(r *callgraph.Repetition, step callgraph.Step) []analysis.SuggestedFix {
	call, ok := step.Instr.(*ssa.Call)
	if len(step.Calls) > 0 {
		call, ok = step.Calls[0].(*ssa.Call)
	}
	if !ok || r.Site == nil || len(step.Calls) > 1 || len(step.Calls) == 1 && !onlyCounts(call.Call.StaticCallee()) {
		return nil
	}
	s := c.at(call.Pos())
	if s == nil {
		return nil
	}
	stmt, loop := s.statementOf(call)
	if stmt == nil || loop.Pos() != r.Site.Pos || !s.independent(stmt, loop) || !s.alone(stmt) || !s.alone(loop) {
		return nil
	}
	tf := s.Fset.File(loop.Pos())
	start, end := tf.LineStart(tf.Line(stmt.Pos())), tf.LineStart(tf.Line(stmt.End())+1)
	above := tf.LineStart(tf.Line(loop.Pos()))
	text := s.Text(above, loop.Pos()) + strings.TrimLeft(s.Text(start, end), " \t")
	return []analysis.SuggestedFix{{
		Message: "Feed the budget once, before the first attempt",
		TextEdits: []analysis.TextEdit{
			{Pos: above, End: above, NewText: []byte(text)},
			{Pos: start, End: end},
		},
	}}
}

// onlyCounts reports whether a function does nothing but change numbers, under a lock perhaps.
func onlyCounts(fn *ssa.Function) bool {
	if fn == nil || len(fn.Blocks) == 0 || len(fn.AnonFuncs) > 0 {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Go, *ssa.Send, *ssa.Select, *ssa.Panic, *ssa.MakeClosure:
				return false
			case ssa.CallInstruction:
				if !onlyComputes(instr.Common()) {
					return false
				}
			}
		}
	}
	return true
}

func onlyComputes(call *ssa.CallCommon) bool {
	if _, isBuiltin := call.Value.(*ssa.Builtin); isBuiltin {
		return true
	}
	callee := call.StaticCallee()
	if callee == nil || callee.Object() == nil || callee.Object().Pkg() == nil {
		return false
	}
	switch callee.Object().Pkg().Path() {
	case "sync", "sync/atomic", "math":
		return true
	}
	return false
}

// statementOf returns the statement that consists of a call, if it stands in the body of a loop itself, and the loop.
func (s *code) statementOf(call *ssa.Call) (*ast.ExprStmt, ast.Stmt) {
	for i, n := range s.Path {
		stmt, ok := n.(*ast.ExprStmt)
		if !ok || i+3 >= len(s.Path) {
			continue
		}
		made, isCall := stmt.X.(*ast.CallExpr)
		body, isBlock := s.Path[i+1].(*ast.BlockStmt)
		if !isCall || made.Lparen != call.Pos() || !isBlock {
			return nil, nil
		}
		if _, inList := s.Path[i+3].(*ast.BlockStmt); !inList {
			return nil, nil // the loop has a label, or stands in a case
		}
		switch loop := s.Path[i+2].(type) {
		case *ast.ForStmt:
			return stmt, loop
		case *ast.RangeStmt:
			if loop.Body == body {
				return stmt, loop
			}
		}
		return nil, nil
	}
	return nil, nil
}

// independent reports whether a statement uses nothing that the loop declares or assigns.
func (s *code) independent(stmt, loop ast.Stmt) bool {
	assigned := map[types.Object]bool{}
	ast.Inspect(loop, func(n ast.Node) bool {
		if assign, ok := n.(*ast.AssignStmt); ok {
			for _, e := range assign.Lhs {
				if id, isName := e.(*ast.Ident); isName {
					assigned[s.TypesInfo.ObjectOf(id)] = true
				}
			}
		}
		return true
	})
	fine := true
	ast.Inspect(stmt, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			obj := s.TypesInfo.Uses[id]
			inside := obj != nil && loop.Pos() <= obj.Pos() && obj.Pos() < loop.End()
			fine = fine && !inside && !assigned[obj]
		}
		return fine
	})
	return fine
}

// alone reports whether nothing stands before a statement in its line, and no comment above it that could be about it.
func (s *code) alone(stmt ast.Stmt) bool {
	tf := s.Fset.File(stmt.Pos())
	line := tf.Line(stmt.Pos())
	if strings.TrimSpace(s.Text(tf.LineStart(line), stmt.Pos())) != "" || tf.Line(stmt.End()) >= tf.LineCount() {
		return false
	}
	if _, isCall := stmt.(*ast.ExprStmt); !isCall {
		return true
	}
	for _, group := range s.File.Comments {
		if tf.Line(group.End()) == line-1 {
			return false
		}
	}
	rest := s.Text(stmt.End(), tf.LineStart(tf.Line(stmt.End())+1))
	rest = strings.TrimSpace(rest)
	return rest == "" || strings.HasPrefix(rest, "//")
}

// capped limits a refill by a maximum that the code names: what the counter was compared with around the refill, or the field beside
// it that is called so.
func (c *checker) capped(a budget.Access) []analysis.SuggestedFix {
	if _, isStore := a.Instr.(*ssa.Store); !isStore || a.Atomic {
		return nil
	}
	s := c.at(a.Instr.Pos())
	if s == nil || !s.hasMin(a.Instr.Pos()) {
		return nil
	}
	for i, n := range s.Path {
		stmt, ok := n.(ast.Stmt)
		if !ok {
			continue
		}
		counter, sum := s.refill(stmt)
		if counter == nil {
			return nil
		}
		most := s.comparedMost(counter, s.Path[i+1:])
		if most == "" {
			most = s.fieldMost(counter)
		}
		if most == "" {
			return nil
		}
		text := s.Text(counter.Pos(), counter.End()) + " = min(" + sum + ", " + most + ")"
		return []analysis.SuggestedFix{{
			Message:   "Limit it to " + most,
			TextEdits: []analysis.TextEdit{{Pos: stmt.Pos(), End: stmt.End(), NewText: []byte(text)}},
		}}
	}
	return nil
}

// hasMin reports whether min at pos is the function that Go 1.21 brought.
func (s *code) hasMin(pos token.Pos) bool {
	if v := s.TypesInfo.FileVersions[s.File]; v != "" && version.Compare(v, "go1.21") < 0 {
		return false
	}
	scope := s.Pkg.Scope().Innermost(pos)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent("min", pos)
	return obj != nil && obj.Parent() == types.Universe
}

// refill reads a statement that adds to a field: the field, and the sum.
func (s *code) refill(stmt ast.Stmt) (counter *ast.SelectorExpr, sum string) {
	switch stmt := stmt.(type) {
	case *ast.IncDecStmt:
		counter, _ = stmt.X.(*ast.SelectorExpr)
		if counter != nil && stmt.Tok == token.INC {
			return counter, s.Text(counter.Pos(), counter.End()) + "+1"
		}
	case *ast.AssignStmt:
		if len(stmt.Lhs) != 1 || len(stmt.Rhs) != 1 {
			return nil, ""
		}
		counter, _ = stmt.Lhs[0].(*ast.SelectorExpr)
		added := s.Text(stmt.Rhs[0].Pos(), stmt.Rhs[0].End())
		switch {
		case counter == nil || !isPath(counter.X):
		case stmt.Tok == token.ASSIGN:
			return counter, added
		case stmt.Tok == token.ADD_ASSIGN:
			if b, ok := stmt.Rhs[0].(*ast.BinaryExpr); ok && b.Op.Precedence() <= token.ADD.Precedence() {
				added = "(" + added + ")"
			}
			return counter, s.Text(counter.Pos(), counter.End()) + "+" + added
		}
	}
	return nil, ""
}

// isPath reports whether an expression is a variable, or a field of one.
func isPath(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return isPath(e.X)
	}
	return false
}

// comparedMost is what the counter is compared with, if the refill is only made below that.
func (s *code) comparedMost(counter *ast.SelectorExpr, around []ast.Node) string {
	name := s.Text(counter.Pos(), counter.End())
	for i, n := range around {
		switch n := n.(type) {
		case *ast.BlockStmt:
			continue
		case *ast.IfStmt:
			if i > 0 && around[i-1] != ast.Node(n.Body) {
				return ""
			}
			test, ok := n.Cond.(*ast.BinaryExpr)
			if !ok {
				return ""
			}
			small, large := test.X, test.Y
			if test.Op == token.GTR || test.Op == token.GEQ {
				small, large = large, small
			}
			below := test.Op != token.EQL && test.Op != token.NEQ && test.Op != token.LAND && test.Op != token.LOR
			if below && s.Text(small.Pos(), small.End()) == name && s.isMaximum(large, counter) {
				return s.Text(large.Pos(), large.End())
			}
			return ""
		default:
			return ""
		}
	}
	return ""
}

// isMaximum reports whether an expression is a constant, a variable or a field of the type of the counter.
func (s *code) isMaximum(e ast.Expr, counter ast.Expr) bool {
	v := s.TypesInfo.Types[e]
	return (v.Value != nil || isPath(e)) && types.Identical(v.Type, s.TypesInfo.TypeOf(counter))
}

// maximumName is what the maximum of a counter is called: max, capacity, maxTokens beside tokens.
var maximumName = regexp.MustCompile(`(?i)^(max|maximum|cap|capacity|burst|ceiling)$`)

// fieldMost is the field beside a counter that is its maximum, by its name, if there is one of the same type.
func (s *code) fieldMost(counter *ast.SelectorExpr) string {
	selection := s.TypesInfo.Selections[counter]
	if selection == nil || len(selection.Index()) != 1 {
		return ""
	}
	owner := selection.Recv()
	if ptr, ok := owner.Underlying().(*types.Pointer); ok {
		owner = ptr.Elem()
	}
	fields, ok := owner.Underlying().(*types.Struct)
	if !ok {
		return ""
	}
	found := ""
	for f := range fields.Fields() {
		name := strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(f.Name()), "max"), "max")
		isNamed := maximumName.MatchString(f.Name()) || name != strings.ToLower(f.Name()) && name == strings.ToLower(counter.Sel.Name)
		if !isNamed || !types.Identical(f.Type(), s.TypesInfo.TypeOf(counter)) {
			continue
		}
		if found != "" {
			return "" // which of them?
		}
		found = s.Text(counter.X.Pos(), counter.X.End()) + "." + f.Name()
	}
	return found
}
