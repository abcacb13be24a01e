package retryclassify

import (
	"bytes"
	"go/ast"
	"go/printer"
	"go/token"
	"strconv"

	"github.com/retrylint/retrylint/analyzers/rule"
)

// comparisonAt returns the comparison whose operator stands at pos, and its file.
func comparisonAt(files []*ast.File, pos token.Pos) (found *ast.BinaryExpr, in *ast.File) {
	for _, file := range files {
		if pos < file.FileStart || pos >= file.FileEnd {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if expr, ok := n.(*ast.BinaryExpr); ok && expr.OpPos == pos {
				found = expr
			}
			return found == nil
		})
		return found, file
	}
	return nil, nil
}

// importName is what a file calls a package that it imports, "" if it doesn't.
func importName(file *ast.File, importPath string) string {
	if file == nil {
		return ""
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path != importPath {
			continue
		}
		switch {
		case spec.Name == nil:
			return importPath
		case spec.Name.Name == "_" || spec.Name.Name == ".":
			return ""
		}
		return spec.Name.Name
	}
	return ""
}

// written returns an expression as Go source.
func written(pass *rule.Pass, expr ast.Expr) string {
	var b bytes.Buffer
	if printer.Fprint(&b, pass.Fset, expr) != nil {
		return ""
	}
	return b.String()
}
