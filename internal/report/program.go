package report

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/driver"
)

const nested = "nestedretry"

// A program is what a run collected, linked.
type program struct {
	graph *callgraph.Program
	units map[string]driver.Unit // by package
}

// link joins the raw summaries of all packages that the run has looked at.
func link(r *driver.Result) (*program, error) {
	p := &program{units: map[string]driver.Unit{}}
	var raws []*callgraph.Raw
	for _, u := range r.Units {
		for _, d := range u.Diagnostics[Inventory] {
			var s inventory.Summary
			if err := json.Unmarshal([]byte(d.Message), &s); err != nil {
				return nil, fmt.Errorf("the summary of %s can't be read: %w", u.ID, err)
			}
			if s.Raw == "" {
				continue
			}
			raw, err := callgraph.Decode(s.Raw)
			if err != nil {
				return nil, fmt.Errorf("the summary of %s: %w", u.ID, err)
			}
			p.units[raw.Package] = u
			raws = append(raws, raw)
		}
	}
	p.graph = callgraph.NewProgram(raws)
	return p, nil
}

// chains adds to the findings of packages what only the program shows. A chain of a package that is part of a longer one, and
// can't be entered in the middle, gives way to that.
func (p *program) chains(list []Finding) []Finding {
	var found []Finding
	heads, inner := map[Position]bool{}, map[Position]bool{}
	for _, c := range p.graph.Chains() {
		f, named := p.finding(c)
		heads[f.At] = true
		for _, l := range c.Links[1:] {
			inner[p.position(l.Hop)] = true
		}
		if named {
			found = append(found, f)
		}
	}
	list = slices.DeleteFunc(list, func(f Finding) bool {
		return f.Rule == nested && (heads[f.At] || inner[f.At])
	})
	return sorted(append(list, found...))
}

// finding returns the finding that a chain is; named tells whether its package was asked for.
func (p *program) finding(c callgraph.Chain) (f Finding, named bool) {
	head := c.Links[0].Hop
	unit := p.units[head.Package]
	f = Finding{Package: unit.ID, Rule: nested, Category: "amplification", At: p.position(head), moduleDir: unit.ModuleDir}
	f.Diagnostic = driver.Diagnostic{
		Category: nested + ".amplification", Message: c.Message(head.Module), Posn: posn(f.At), End: posn(f.At),
	}
	for _, l := range c.Links {
		at := p.position(l.Hop)
		if at.File == "" {
			at = f.At // in another module: the message tells where
		}
		f.Diagnostic.Related = append(f.Diagnostic.Related, driver.Related{Posn: posn(at), End: posn(at), Message: l.Step(head.Module)})
	}
	return f, unit.Named
}

func posn(at Position) string { return fmt.Sprintf("%s:%d:%d", at.File, at.Line, at.Col) }

// position returns where a report of a hop points at, with no file if its package isn't part of the run.
func (p *program) position(h callgraph.Hop) Position {
	unit, ok := p.units[h.Package]
	if !ok {
		return Position{}
	}
	at := Position{File: filepath.Join(unit.ModuleDir, filepath.FromSlash(h.File)), Line: h.Line, Col: h.Column}
	if h.Token[0] != 0 {
		at.Line, at.Col = h.Token[0], h.Token[1]
	}
	return at
}
