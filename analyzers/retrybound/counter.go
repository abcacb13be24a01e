package retrybound

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
)

// A comparison that never ends the attempts is a fault if one of its operands is meant to count them. Whether it is shows in
// the source: the function advances it, or a variable of that name, or nothing but its first value is ever assigned to it.

// counterFault says what is wrong with the counter in a comparison, nil if there is none in it.
func counterFault(pass *rule.Pass, site *callgraph.Repetition, test *ssa.BinOp) *analysis.Diagnostic {
	comparison, around := comparisonAt(pass, test)
	if comparison == nil {
		return nil
	}
	for _, operand := range []ast.Expr{comparison.X, comparison.Y} {
		variable := variableOf(pass.TypesInfo, operand)
		if variable == nil {
			continue
		}
		u := usesOf(pass.TypesInfo, variable, around)
		loop := loopAround(around, comparison.Pos())
		if why := u.fault(variable, loop); why != "" {
			d := &analysis.Diagnostic{Pos: operand.Pos(), End: operand.End(), Message: why}
			if loop != nil && within(variable.Pos(), bodyOf(loop)) {
				d.SuggestedFixes = moveOut(pass, variable, loop)
			}
			return d
		}
	}
	return nil
}

// comparisonAt finds the comparison in the source, and the declaration that it stands in.
func comparisonAt(pass *rule.Pass, test *ssa.BinOp) (comparison *ast.BinaryExpr, around ast.Node) {
	for _, file := range pass.Files {
		if test.Pos() < file.Pos() || test.Pos() >= file.End() {
			continue
		}
		for _, decl := range file.Decls {
			if decl.Pos() <= test.Pos() && test.Pos() < decl.End() {
				around = decl
			}
		}
	}
	if around == nil {
		return nil, nil
	}
	ast.Inspect(around, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.OpPos == test.Pos() {
			comparison = b
		}
		return comparison == nil
	})
	return comparison, around
}

// variableOf returns the variable or field that an operand reads, conversions aside.
func variableOf(info *types.Info, e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := info.Uses[e].(*types.Var)
		return v
	case *ast.SelectorExpr:
		v, _ := info.Uses[e.Sel].(*types.Var)
		return v
	case *ast.CallExpr:
		if len(e.Args) == 1 && info.Types[e.Fun].IsType() {
			return variableOf(info, e.Args[0])
		}
	}
	return nil
}

// uses are the places where a function changes a variable, and one of the same name.
type uses struct {
	info     *types.Info
	variable *types.Var
	advances []ast.Node // adds to it, or takes away
	others   []ast.Node // adds to another one of that name
	sets     []ast.Node // assigns something else
}

func usesOf(info *types.Info, v *types.Var, around ast.Node) *uses {
	u := &uses{info: info, variable: v}
	ast.Inspect(around, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			u.advance(n, n.X)
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				u.assign(n, left, i)
			}
		}
		return true
	})
	return u
}

func (u *uses) assign(n *ast.AssignStmt, left ast.Expr, i int) {
	switch {
	case n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN:
		u.advance(n, left)
	case i < len(n.Rhs) && len(n.Lhs) == len(n.Rhs) && u.isSum(n.Rhs[i]):
		u.advance(n, left)
	case variableOfLeft(u.info, left) == u.variable:
		u.sets = append(u.sets, n)
	}
}

// isSum reports whether e is a variable of that name and a constant.
func (u *uses) isSum(e ast.Expr) bool {
	sum, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return false
	}
	v := variableOf(u.info, sum.X)
	return v != nil && v.Name() == u.variable.Name()
}

func (u *uses) advance(n ast.Node, left ast.Expr) {
	switch v := variableOfLeft(u.info, left); {
	case v == nil:
	case v == u.variable:
		u.advances = append(u.advances, n)
	case v.Name() == u.variable.Name():
		u.others = append(u.others, n)
	}
}

func variableOfLeft(info *types.Info, e ast.Expr) *types.Var {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok {
		if v, isVar := info.Defs[id].(*types.Var); isVar {
			return v
		}
	}
	return variableOf(info, e)
}

// fault says what is wrong with a counter, "" if the variable doesn't count.
func (u *uses) fault(v *types.Var, loop ast.Node) string {
	name := v.Name()
	inside := loop != nil && within(v.Pos(), bodyOf(loop))
	switch {
	case len(u.advances) > 0 && inside:
		return fmt.Sprintf("%s never reaches its limit: it is declared inside of the loop, and begins anew in each round", name)
	case len(u.advances) > 0 && anyWithin(u.sets, loop):
		return fmt.Sprintf("%s never reaches its limit: it is set back in each round", name)
	case anyWithin(u.advances, loop):
		return fmt.Sprintf("%s never reaches its limit: the comparison asks for the wrong direction, or the way of a failure doesn't count", name)
	case len(u.others) > 0:
		return fmt.Sprintf("%s never reaches its limit: what is counted is another variable of that name", name)
	case len(u.advances) > 0:
		return fmt.Sprintf("%s never reaches its limit: nothing in the loop counts", name)
	case !v.IsField() && v.Parent() != nil && v.Parent() != v.Pkg().Scope() && u.onlyConstants():
		return fmt.Sprintf("%s never reaches its limit: nothing counts", name)
	}
	return ""
}

// onlyConstants reports whether nothing but constants is assigned to the variable.
func (u *uses) onlyConstants() bool {
	for _, n := range u.sets {
		if !isConstant(u.info, n) {
			return false
		}
	}
	return len(u.sets) > 0
}

// isConstant reports whether an assignment assigns constants.
func isConstant(info *types.Info, n ast.Node) bool {
	assign, ok := n.(*ast.AssignStmt)
	if !ok {
		return false
	}
	for _, right := range assign.Rhs {
		if info.Types[right].Value == nil {
			return false
		}
	}
	return true
}

func anyWithin(list []ast.Node, loop ast.Node) bool {
	for _, n := range list {
		if loop == nil || within(n.Pos(), loop) && !isInit(n, loop) {
			return true
		}
	}
	return false
}

// isInit reports whether n is what a for statement begins with.
func isInit(n, loop ast.Node) bool {
	f, ok := loop.(*ast.ForStmt)
	return ok && f.Init == n
}

func within(pos token.Pos, n ast.Node) bool { return n != nil && n.Pos() <= pos && pos < n.End() }

func bodyOf(loop ast.Node) ast.Node {
	switch loop := loop.(type) {
	case *ast.ForStmt:
		return loop.Body
	case *ast.RangeStmt:
		return loop.Body
	}
	return nil
}

// loopAround returns the smallest loop around pos.
func loopAround(around ast.Node, pos token.Pos) (loop ast.Node) {
	ast.Inspect(around, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if within(pos, n) {
				loop = n
			}
		}
		return true
	})
	return loop
}
