package baseline

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
)

// Sources tells in which declaration of a file a place is. It reads each file once.
type Sources map[string]*source

type source struct {
	file *ast.File
	base *token.File
}

// Function names the declaration at a place: Get, (*Client).Get, var client. A function literal belongs to the declaration
// around it. It is empty outside of declarations and where the file can't be read.
func (s Sources) Function(file string, line, column int) string {
	src := s.of(file)
	if src == nil || line < 1 || line > src.base.LineCount() {
		return ""
	}
	pos := src.base.LineStart(line) + token.Pos(max(column, 1)-1)
	for _, decl := range src.file.Decls {
		if name := nameAt(decl, pos); name != "" {
			return name
		}
	}
	return ""
}

func (s Sources) of(file string) *source {
	if src, seen := s[file]; seen {
		return src
	}
	s[file] = nil
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
	if f != nil && f.Package.IsValid() {
		s[file] = &source{f, fset.File(f.Package)}
	}
	return s[file]
}

// nameAt names a declaration if a place is in it, or in its comment.
func nameAt(decl ast.Decl, pos token.Pos) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if holds(d, d.Doc, pos) {
			return functionName(d)
		}
	case *ast.GenDecl:
		if holds(d, d.Doc, pos) {
			return specName(d, pos)
		}
	}
	return ""
}

func holds(n ast.Node, doc *ast.CommentGroup, pos token.Pos) bool {
	return (n.Pos() <= pos || doc != nil && doc.Pos() <= pos) && pos <= n.End()
}

// functionName is what reports call a function, too.
func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	return "(" + types.ExprString(d.Recv.List[0].Type) + ")." + d.Name.Name
}

// specName names that of the things declared together which the place is in; the first one if it is in the comment of all.
func specName(d *ast.GenDecl, pos token.Pos) string {
	name := ""
	for _, spec := range d.Specs {
		if name != "" && pos < spec.Pos() {
			break
		}
		switch s := spec.(type) {
		case *ast.TypeSpec:
			name = "type " + s.Name.Name
		case *ast.ValueSpec:
			name = d.Tok.String() + " " + s.Names[0].Name
		}
	}
	return name
}
