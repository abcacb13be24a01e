package directive

import (
	"bytes"
	"go/ast"
	"go/token"
	"math"
	"os"
)

// A Scope is what a directive governs: the lines of its file from From to To. Form is a word for it.
type Scope struct {
	Form     string
	From, To int
}

// The forms of a scope, as messages call them.
const (
	Line        = "line"
	Declaration = "declaration"
	File        = "file"
)

// Holds reports whether a line is in the scope.
func (s Scope) Holds(line int) bool { return s.From <= line && line <= s.To }

// scope finds out what a directive governs.
func (x *Index) scope(f *ast.File, group *ast.CommentGroup, c *ast.Comment) Scope {
	line := x.line(c.Pos())
	if c.Pos() < f.Package || line == x.line(f.Name.End()) {
		return Scope{File, 1, math.MaxInt32}
	}
	if x.trails(c) {
		return Scope{Line, line, line}
	}
	if decl := documented(f, group); decl != nil {
		return Scope{Declaration, x.line(decl.Pos()), x.line(decl.End())}
	}
	next := x.line(group.End()) + 1
	return Scope{Line, next, next}
}

func (x *Index) line(pos token.Pos) int { return x.fset.Position(pos).Line }

// documented returns the declaration whose comment a group is: of functions, types, constants and variables, also those in
// functions, and also one of several in parentheses.
func documented(f *ast.File, group *ast.CommentGroup) (found ast.Node) {
	ast.Inspect(f, func(n ast.Node) bool {
		if n != nil && docOf(n) == group {
			found = n
		}
		return found == nil
	})
	return found
}

func docOf(n ast.Node) *ast.CommentGroup {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Doc
	case *ast.GenDecl:
		return n.Doc
	case *ast.TypeSpec:
		return n.Doc
	case *ast.ValueSpec:
		return n.Doc
	}
	return nil
}

// trails reports whether code stands before the comment on its line. The syntax tree does not tell (the code may be a
// closing brace), the text does; a file that can't be read is taken for a tree whose comments stand alone.
func (x *Index) trails(c *ast.Comment) bool {
	at := x.fset.PositionFor(c.Pos(), false)
	text, err := os.ReadFile(at.Filename)
	if err != nil || at.Offset > len(text) {
		return false
	}
	start := bytes.LastIndexByte(text[:at.Offset], '\n') + 1
	return len(bytes.TrimSpace(text[start:at.Offset])) > 0
}
