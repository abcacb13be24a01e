// Package directive reads the comments that suppress findings:
//
//	//retrylint:ignore rule[.category] reason
//
// Where a directive stands decides what it governs. At the end of a line of code that is the line; on a line of its own it is
// the line after the comment it belongs to, so that several can stand above one line. In the comment of a declaration it is
// all of the declaration, and before the package clause, or behind it, all of the file. The reason is required: a directive
// without one suppresses nothing and is itself a finding.
//
// Rules ask Suppressed before they report, which serves every driver. The retrylint command wants to know more, namely
// which directives suppress nothing: it sets Deferred, gets all findings and all directives, and matches them itself. What a
// directive means for chains through the code that it governs is part of summaries, in each driver: they ask Governing.
package directive

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/internal/rules"
	"github.com/retrylint/retrylint/internal/typo"
)

// Deferred leaves suppression to the driver: Suppressed is always false. It is a flag of the analyzer retryignore, so
// that it is in the cache key of what it changes.
var Deferred bool

// A Directive suppresses findings of a rule, or of one of its categories, on some lines of its file.
type Directive struct {
	Pos    token.Pos
	Scope  Scope
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
	byFile map[string][]Directive
}

// Of reads the directives of a package.
func Of(pass *analysis.Pass) *Index { return Read(pass.Fset, pass.Files) }

// Read reads the directives of the files.
func Read(fset *token.FileSet, files []*ast.File) *Index {
	x := &Index{fset: fset, byFile: make(map[string][]Directive)}
	for _, f := range files {
		x.file(f)
	}
	return x
}

// Suppressed reports whether a directive governs the line of a finding and names its rule or category. It is false in
// deferred mode.
func (x *Index) Suppressed(pos token.Pos, rule, category string) bool {
	return !Deferred && len(x.Governing(pos, rule, category)) > 0
}

// Governing returns the directives that govern a line and name a rule or category, in any mode.
func (x *Index) Governing(pos token.Pos, rule, category string) []Directive {
	if len(x.byFile) == 0 || !pos.IsValid() {
		return nil
	}
	at := x.fset.Position(pos)
	var list []Directive
	for _, d := range x.byFile[at.Filename] {
		if d.Scope.Holds(at.Line) && d.Target.Matches(rule, category) {
			list = append(list, d)
		}
	}
	return list
}

const prefix = "//retrylint:"

func (x *Index) file(f *ast.File) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if !strings.HasPrefix(c.Text, prefix) {
				continue
			}
			if d, ok := ast.ParseDirective(c.Pos(), c.Text); ok {
				x.comment(f, group, c, d)
			}
		}
	}
}

func (x *Index) comment(f *ast.File, group *ast.CommentGroup, c *ast.Comment, d ast.Directive) {
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
	x.add(Directive{Pos: c.Pos(), Scope: x.scope(f, group, c), Target: target, Reason: reason})
}

// arguments splits off the name. A second comment on the line is not part of the reason, as in directives of the go command.
func arguments(args string) (name, reason string) {
	args, _, _ = strings.Cut(" "+args, " //")
	name, reason, _ = strings.Cut(strings.TrimSpace(args), " ")
	return name, strings.TrimSpace(reason)
}

func (x *Index) add(d Directive) {
	x.Directives = append(x.Directives, d)
	file := x.fset.Position(d.Pos).Filename
	x.byFile[file] = append(x.byFile[file], d)
}

func (x *Index) problem(c *ast.Comment, category, message string) {
	x.Problems = append(x.Problems, Problem{c.Pos(), c.End(), category, message})
}
