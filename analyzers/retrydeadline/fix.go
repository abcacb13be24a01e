package retrydeadline

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
)

// Fixes are offered where they are surely right: they compile, and do the same as long as the context isn't done.

// code is the source around a place.
type code struct{ *rule.Source }

// at returns the source around pos, nil if it can't be read.
func at(pass *rule.Pass, pos token.Pos) *code {
	source := pass.SourceAt(pos)
	if source == nil {
		return nil
	}
	return &code{source}
}

// call returns the call whose parenthesis stands at pos, and what is around it, outwards.
func (c *code) call(pos token.Pos) (*ast.CallExpr, []ast.Node) {
	for i, n := range c.Path {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen == pos {
			return call, c.Path[i+1:]
		}
	}
	return nil, nil
}

func (c *code) source(n ast.Node) string { return c.Text(n.Pos(), n.End()) }

// indent is the white space before the line of pos.
func (c *code) indent(pos token.Pos) string {
	line := c.Text(c.lineStart(pos), pos)
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// names reports whether the name of the context means that context at pos: the variable, or the value that carries it.
func (c *code) names(s *callgraph.Scope, pos token.Pos) bool {
	name, rest, _ := strings.Cut(s.Name, ".")
	scope := c.Pass.Pkg.Scope().Innermost(pos)
	if scope == nil || name == "_" || !token.IsIdentifier(name) {
		return false
	}
	_, obj := scope.LookupParent(name, pos)
	v, ok := obj.(*types.Var)
	if !ok {
		return false
	}
	if s.Var != nil {
		return obj == s.Var // and not a context that an attempt made for itself
	}
	return types.TypeString(v.Type(), nil) == "context.Context" && rest == "" && c.outsideOfLoops(v)
}

// outsideOfLoops reports whether a variable is declared before the loops around the place.
func (c *code) outsideOfLoops(v *types.Var) bool {
	for _, n := range c.Path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if v.Pos() >= n.Pos() {
				return false
			}
		}
	}
	return true
}

// fixSleep puts a select that watches the context in the place of a sleep.
func fixSleep(pass *rule.Pass, s callgraph.Sleep) []analysis.SuggestedFix {
	c := at(pass, s.Instr.Pos())
	if c == nil {
		return nil
	}
	stmt, wait := c.sleep()
	if stmt == nil || !c.names(s.Scope, stmt.Pos()) {
		return nil
	}
	leave, ok := c.leave(s.Scope.Name + ".Err()")
	if !ok {
		return nil
	}
	tab := "\n" + c.indent(stmt.Pos())
	text := "select {" +
		tab + "case <-" + s.Scope.Name + ".Done():" +
		tab + "\t" + leave +
		tab + "case " + wait + ":" +
		tab + "}"
	return replace("Watch "+s.Scope.Name+" while waiting", stmt, text)
}

func replace(message string, n ast.Node, text string) []analysis.SuggestedFix {
	return []analysis.SuggestedFix{{
		Message:   message,
		TextEdits: []analysis.TextEdit{{Pos: n.Pos(), End: n.End(), NewText: []byte(text)}},
	}}
}

// sleep returns the statement of a list that sleeps, and what to receive from in its place.
func (c *code) sleep() (stmt *ast.ExprStmt, wait string) {
	for i, n := range c.Path {
		found, ok := n.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if i+1 >= len(c.Path) || !isList(c.Path[i+1]) {
			return nil, ""
		}
		switch x := found.X.(type) {
		case *ast.UnaryExpr:
			if x.Op == token.ARROW {
				return found, c.source(x)
			}
		case *ast.CallExpr:
			sel, isSelector := x.Fun.(*ast.SelectorExpr)
			if fn, isFunc := typesFunc(c.Pass, x); isSelector && isFunc && fn.FullName() == "time.Sleep" {
				return found, "<-" + c.source(sel.X) + ".After(" + c.source(x.Args[0]) + ")"
			}
		}
		return nil, ""
	}
	return nil, ""
}

// isList reports whether n is a list of statements.
func isList(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

func typesFunc(pass *rule.Pass, call *ast.CallExpr) (*types.Func, bool) {
	id := nameOf(call.Fun)
	if id == nil {
		return nil, false
	}
	fn, ok := pass.TypesInfo.Uses[id].(*types.Func)
	return fn, ok
}

func nameOf(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// leave is the statement that ends the function around with an error. A function without results ends by itself, if the loop that
// is left stands in it.
func (c *code) leave(err string) (string, bool) {
	sig := c.signature()
	if sig == nil {
		return "", false
	}
	if sig.Results().Len() == 0 {
		return "return", c.inOwnLoop()
	}
	zero, ok := c.zeroResults(sig)
	return "return " + zero + err, ok
}

// inOwnLoop reports whether a loop of the innermost function is around.
func (c *code) inOwnLoop() bool {
	for _, n := range c.Path {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return true
		case *ast.FuncLit, *ast.FuncDecl:
			return false
		}
	}
	return false
}

// zeroResults is what stands before the error in a return statement. It must be the last result.
func (c *code) zeroResults(sig *types.Signature) (string, bool) {
	last := sig.Results().Len() - 1
	if types.TypeString(sig.Results().At(last).Type(), nil) != "error" {
		return "", false
	}
	text := ""
	for i := range last {
		zero, ok := c.zero(sig.Results().At(i).Type())
		if !ok {
			return "", false
		}
		text += zero + ", "
	}
	return text, true
}

func (c *code) signature() *types.Signature {
	for _, n := range c.Path {
		switch n := n.(type) {
		case *ast.FuncLit:
			sig, _ := c.Pass.TypesInfo.TypeOf(n).(*types.Signature)
			return sig
		case *ast.FuncDecl:
			if fn, ok := c.Pass.TypesInfo.Defs[n.Name].(*types.Func); ok {
				return fn.Signature()
			}
		}
	}
	return nil
}

// zero writes the zero value of a type.
func (c *code) zero(t types.Type) (string, bool) {
	if _, isParam := types.Unalias(t).(*types.TypeParam); isParam {
		name := types.TypeString(t, c.qualifier())
		return "*new(" + name + ")", true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		}
		return "", false
	case *types.Struct, *types.Array:
		name, ok := c.written(t)
		return name + "{}", ok
	}
	return "nil", true
}

// written is how the file writes a type, if it can without another import.
func (c *code) written(t types.Type) (string, bool) {
	ok := true
	name := types.TypeString(t, func(pkg *types.Package) string {
		if pkg == c.Pass.Pkg {
			return ""
		}
		if name := c.imported(pkg); name != "" {
			return name
		}
		ok = false
		return ""
	})
	return name, ok
}

func (c *code) qualifier() types.Qualifier { return types.RelativeTo(c.Pass.Pkg) }

// imported is what the file calls a package, "" if it doesn't import it by a name.
func (c *code) imported(pkg *types.Package) string {
	for _, imp := range c.File.Imports {
		if strings.Trim(imp.Path.Value, `"`) != pkg.Path() {
			continue
		}
		if imp.Name == nil {
			return pkg.Name()
		}
		if imp.Name.Name != "_" && imp.Name.Name != "." {
			return imp.Name.Name
		}
	}
	return ""
}

// fixDetached puts the context in scope in the place of one that is never done.
func fixDetached(pass *rule.Pass, d callgraph.Detached) []analysis.SuggestedFix {
	if !d.Here || len(d.Made.Call.Args) > 0 {
		return nil
	}
	c := at(pass, d.Made.Pos())
	if c == nil {
		return nil
	}
	call, around := c.call(d.Made.Pos())
	if call == nil || !c.names(d.Scope, call.Pos()) || assigns(around, d.Scope.Name) {
		return nil
	}
	return replace("Use "+d.Scope.Name, call, d.Scope.Name)
}

// assigns reports whether the statement around an expression assigns to the variable called name: then each attempt would make
// its context of the one before.
func assigns(around []ast.Node, name string) bool {
	for _, n := range around {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			continue
		}
		for _, target := range assign.Lhs {
			if id, isName := target.(*ast.Ident); isName && id.Name == name && assign.Tok == token.ASSIGN {
				return true
			}
		}
		return false
	}
	return false
}

// fixContextless gives the context: by the library's option or function, or by calling the twin that takes one.
func fixContextless(pass *rule.Pass, x callgraph.Contextless) []analysis.SuggestedFix {
	if x.Call == nil {
		return nil
	}
	c := at(pass, x.Call.Pos())
	if c == nil {
		return nil
	}
	call, _ := c.call(x.Call.Pos())
	if call == nil || !c.names(x.Scope, call.Pos()) {
		return nil
	}
	switch {
	case x.Fix.Option != "" || x.Fix.Around != "":
		return c.giveOption(call, x)
	case x.Use != "":
		return c.callTwin(call, x)
	}
	return nil
}

// giveOption adds an option to the arguments of call, or wraps one of them.
func (c *code) giveOption(call *ast.CallExpr, x callgraph.Contextless) []analysis.SuggestedFix {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || call.Ellipsis.IsValid() || len(call.Args) == 0 {
		return nil
	}
	if _, isPackage := c.Pass.TypesInfo.Uses[nameOf(sel.X)].(*types.PkgName); !isPackage {
		return nil
	}
	pkg := c.source(sel.X)
	if x.Fix.Option != "" {
		return []analysis.SuggestedFix{{
			Message: "Add " + x.Use,
			TextEdits: []analysis.TextEdit{{
				Pos: call.Args[len(call.Args)-1].End(), End: call.Args[len(call.Args)-1].End(),
				NewText: fmt.Appendf(nil, ", %s.%s(%s)", pkg, x.Fix.Option, x.Scope.Name),
			}},
		}}
	}
	if x.Fix.Arg >= len(call.Args) {
		return nil
	}
	arg := call.Args[x.Fix.Arg]
	return replace("Add "+x.Use, arg, fmt.Sprintf("%s.%s(%s, %s)", pkg, x.Fix.Around, c.source(arg), x.Scope.Name))
}

// callTwin calls the function beside the one that is called, which takes a context first and then the same.
func (c *code) callTwin(call *ast.CallExpr, x callgraph.Contextless) []analysis.SuggestedFix {
	id := nameOf(call.Fun)
	fn, ok := typesFunc(c.Pass, call)
	if !ok {
		return nil
	}
	name := x.Use[strings.LastIndexByte(x.Use, '.')+1:]
	twin := c.beside(fn, call, name)
	if twin == nil || !takesSame(twin.Signature(), fn.Signature()) {
		return nil
	}
	given := x.Scope.Name
	if len(call.Args) > 0 {
		given += ", "
	}
	return []analysis.SuggestedFix{{
		Message: "Call " + x.Use,
		TextEdits: []analysis.TextEdit{
			{Pos: id.Pos(), End: id.End(), NewText: []byte(name)},
			{Pos: call.Lparen + 1, End: call.Lparen + 1, NewText: []byte(given)},
		},
	}}
}

// beside finds the function or method called name that stands beside fn.
func (c *code) beside(fn *types.Func, call *ast.CallExpr, name string) *types.Func {
	if fn.Signature().Recv() == nil {
		twin, _ := fn.Pkg().Scope().Lookup(name).(*types.Func)
		return twin
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(c.Pass.TypesInfo.TypeOf(sel.X), true, c.Pass.Pkg, name)
	twin, _ := obj.(*types.Func)
	return twin
}

// takesSame reports whether twin takes a context and then what sig takes, and returns the same.
func takesSame(twin, sig *types.Signature) bool {
	if twin.Params().Len() != sig.Params().Len()+1 || twin.Variadic() != sig.Variadic() || twin.TypeParams().Len() > 0 ||
		types.TypeString(twin.Params().At(0).Type(), nil) != "context.Context" {
		return false
	}
	for i := range sig.Params().Len() {
		if !types.Identical(twin.Params().At(i+1).Type(), sig.Params().At(i).Type()) {
			return false
		}
	}
	return types.Identical(twin.Results(), sig.Results())
}
