package report

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/retrylint/retrylint/analyzers/retryignore"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/directive"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/rules"
)

// A suppression is a directive, as the analyzer retryignore handed it over.
type suppression struct {
	at        Position
	pkg       string
	moduleDir string
	scope     directive.Scope
	target    rules.Name
	name      string
	used      bool
}

func suppressions(units []driver.Unit) []*suppression {
	var list []*suppression
	seen := make(map[Position]bool)
	for _, u := range units {
		if !u.Named {
			continue
		}
		for _, d := range u.Diagnostics[retryignore.Analyzer.Name] {
			if f := finding(u, retryignore.Analyzer.Name, d); !f.isRule() && !seen[f.At] {
				seen[f.At] = true
				list = append(list, readSuppression(f))
			}
		}
	}
	return list
}

func readSuppression(f Finding) *suppression {
	var m retryignore.Message
	_ = json.Unmarshal([]byte(f.Diagnostic.Message), &m) // what can't be read governs line 0: nothing
	target, _ := rules.Parse(m.Target)
	scope := directive.Scope{Form: m.Form, From: m.From, To: m.To}
	return &suppression{at: f.At, pkg: f.Package, moduleDir: f.moduleDir, scope: scope, target: target, name: m.Target}
}

// suppress removes what directives name, and reports directives that name nothing. That is decided before anything is
// selected, so that no selection makes a directive useless; and in complete runs only, because a finding may need code of
// a package that wasn't looked at. accepted are the directives that took a site out of some chain.
func suppress(r *driver.Result, list []Finding, accepted map[Position]bool) []Finding {
	all := suppressions(r.Units)
	byFile := make(map[string][]*suppression)
	for _, s := range all {
		s.used = accepted[Position{File: s.at.File, Line: s.at.Line}]
		byFile[s.at.File] = append(byFile[s.at.File], s)
	}
	list = slices.DeleteFunc(list, func(f Finding) bool { return suppressed(byFile[f.At.File], f) })
	if !r.Complete {
		return list
	}
	for _, s := range all {
		if !s.used {
			list = append(list, s.unused())
		}
	}
	return sorted(list)
}

func suppressed(inFile []*suppression, f Finding) bool {
	hit := false
	for _, s := range inFile {
		if s.scope.Holds(f.At.Line) && s.target.Matches(f.Rule, f.Category) {
			s.used, hit = true, true
		}
	}
	return hit
}

func (s *suppression) unused() Finding {
	return Finding{
		Package: s.pkg, Rule: "retryignore", Category: "unused", At: s.at, moduleDir: s.moduleDir,
		Diagnostic: driver.Diagnostic{
			Category: "retryignore.unused", Posn: posn(s.at), End: posn(s.at),
			Message: "the directive suppresses nothing: " + s.wanted() + "; remove it",
		},
	}
}

func (s *suppression) wanted() string {
	preposition := "in"
	if s.scope.Form == directive.Line {
		preposition = "on"
	}
	text := fmt.Sprintf("no finding of %s is %s the %s it governs", s.name, preposition, s.scope.Form)
	if s.target.Rule == nested {
		text += ", and no chain goes through it"
	}
	return text
}

// accepted returns the places of directives that took a site out of a chain, be it of a package or of the program.
func (p *program) accepted(chains []callgraph.Chain) map[Position]bool {
	used := make(map[Position]bool)
	for _, d := range callgraph.Directives(chains) {
		used[p.placeOf(d, "")] = true
	}
	for _, s := range p.summaries {
		for _, d := range s.Accepted {
			used[p.placeOf(d, s.unit.ModuleDir)] = true
		}
	}
	return used
}

// placeOf is where a directive stands. A package that only consists of tests has no part in the program; then it is in the
// module that is said.
func (p *program) placeOf(d callgraph.Directive, moduleDir string) Position {
	if unit, ok := p.units[d.Package]; ok {
		moduleDir = unit.ModuleDir
	}
	return Position{File: filepath.Join(moduleDir, filepath.FromSlash(d.File)), Line: d.Line}
}
