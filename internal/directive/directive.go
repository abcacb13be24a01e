// Package directive reads the comments that suppress findings:
//
//	//retrylint:ignore rule[.category] reason
//
// A directive at the end of a line of code governs that line; one on a line of its own governs the line after the comment
// it belongs to, so that several can stand above one line. The reason is required: a directive without one suppresses
// nothing and is itself a finding.
//
// Rules ask Suppressed before they report, which serves every driver. The retrylint command wants to know more, namely
// which directives suppress nothing: it sets Deferred, gets all findings and all directives, and matches them itself.
package directive

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/internal/rules"
	"github.com/retrylint/retrylint/internal/typo"
)

// Deferred leaves suppression to the driver: Suppressed is always false. It is a flag of the analyzer retryignore, so
// that it is in the cache key of what it changes.
var Deferred bool

// A Directive suppresses findings of a rule, or of one of its categories, on one line of its file.
type Directive struct {
	Pos    token.Pos
	Line   int // the line it governs
	Target rules.Name
	Reason string
}

// A Problem is a directive that suppresses nothing because something is wrong with it.
type Problem struct {
	Pos, End token.Pos
	Category string // of the rule retryignore
	Message  string
}

// An Index holds the directives of some files.
type Index struct {
	Directives []Directive
	Problems   []Problem

	fset   *token.FileSet
	byLine map[place][]rules.Name
}

type place struct {
	file string
	line int
}

// Of reads the directives of a package.
func Of(pass *analysis.Pass) *Index { return Read(pass.Fset, pass.Files) }

// Read reads the directives of the files.
func Read(fset *token.FileSet, files []*ast.File) *Index {
	x := &Index{fset: fset, byLine: make(map[place][]rules.Name)}
	for _, f := range files {
		for _, group := range f.Comments {
			x.group(group)
		}
	}
	return x
}

// Suppressed reports whether a directive governs the line of a finding and names its rule or category. It is false in
// deferred mode.
func (x *Index) Suppressed(pos token.Pos, rule, category string) bool {
	if Deferred {
		return false
	}
	p := x.fset.Position(pos)
	for _, target := range x.byLine[place{p.Filename, p.Line}] {
		if target.Matches(rule, category) {
			return true
		}
	}
	return false
}

func (x *Index) group(group *ast.CommentGroup) {
	for _, c := range group.List {
		d, ok := ast.ParseDirective(c.Pos(), c.Text)
		if !ok || d.Tool != "retrylint" {
			continue
		}
		x.comment(group, c, d)
	}
}

func (x *Index) comment(group *ast.CommentGroup, c *ast.Comment, d ast.Directive) {
	if d.Name != "ignore" {
		x.problem(c, "unknown", "unknown directive retrylint:"+d.Name+typo.Hint(d.Name, []string{"ignore"}))
		return
	}
	name, reason := arguments(d.Args)
	if name == "" {
		x.problem(c, "unknown", "the directive names no rule: write //retrylint:ignore rule[.category] reason")
		return
	}
	target, err := rules.Parse(name)
	if err != nil {
		x.problem(c, "unknown", "the directive suppresses nothing: "+err.Error())
		return
	}
	if reason == "" {
		x.problem(c, "noreason", "the directive suppresses nothing until it gives a reason: write why the finding is acceptable after "+name)
		return
	}
	x.add(Directive{Pos: c.Pos(), Line: x.governed(group, c), Target: target, Reason: reason})
}

// arguments splits off the name. A second comment on the line is not part of the reason, as in directives of the go command.
func arguments(args string) (name, reason string) {
	args, _, _ = strings.Cut(" "+args, " //")
	name, reason, _ = strings.Cut(strings.TrimSpace(args), " ")
	return name, strings.TrimSpace(reason)
}

// governed is the line that a directive is about: its own if code stands before it, else the one below its comment.
func (x *Index) governed(group *ast.CommentGroup, c *ast.Comment) int {
	if line := x.fset.Position(c.Pos()).Line; x.trails(c) {
		return line
	}
	return x.fset.Position(group.End()).Line + 1
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

func (x *Index) add(d Directive) {
	x.Directives = append(x.Directives, d)
	at := place{x.fset.Position(d.Pos).Filename, d.Line}
	x.byLine[at] = append(x.byLine[at], d.Target)
}

func (x *Index) problem(c *ast.Comment, category, message string) {
	x.Problems = append(x.Problems, Problem{c.Pos(), c.End(), category, message})
}
