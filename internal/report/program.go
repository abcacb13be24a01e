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
	graph     *callgraph.Program
	units     map[string]driver.Unit // by package
	summaries []summary
}

// A summary is what a unit told of itself.
type summary struct {
	inventory.Summary
	unit driver.Unit
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
			p.summaries = append(p.summaries, summary{s, u})
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

// findings returns what packages found, and what only the program shows, without what directives suppress. A chain of a
// package that is part of a longer one, and can't be entered in the middle, gives way to that.
func (p *program) findings(r *driver.Result) []Finding {
	chains, accepted := p.graph.Chains()
	list := p.withLayers(findings(r.Units))
	heads, inner := map[Position]bool{}, map[Position]bool{}
	var found []Finding
	for _, c := range chains {
		f, named := p.finding(c)
		heads[f.At] = true
		p.note(inner, c)
		if named {
			found = append(found, f)
		}
	}
	for _, c := range accepted {
		p.note(inner, c)
	}
	list = slices.DeleteFunc(list, func(f Finding) bool {
		return f.Rule == nested && (heads[f.At] || inner[f.At])
	})
	return suppress(r, sorted(p.consented(append(list, found...))), p.accepted(accepted))
}

// note notes where the inner sites of a chain would be reported.
func (p *program) note(inner map[Position]bool, c callgraph.Chain) {
	for _, l := range c.Links[1:] {
		inner[p.position(l.Hop)] = true
	}
}

// withLayers tells chains that packages have found what they are made of.
func (p *program) withLayers(list []Finding) []Finding {
	type place struct{ unit, posn string }
	layers := make(map[place][]string)
	for _, s := range p.summaries {
		for _, c := range s.Chains {
			layers[place{s.unit.ID, c.Posn}] = c.Layers
		}
	}
	for i, f := range list {
		if f.Rule == nested {
			list[i].layers = layers[place{f.Package, f.Diagnostic.Posn}]
		}
	}
	return list
}

// finding returns the finding that a chain is; named tells whether its package was asked for.
func (p *program) finding(c callgraph.Chain) (f Finding, named bool) {
	head := c.Links[0].Hop
	unit := p.units[head.Package]
	f = Finding{Package: unit.ID, Rule: nested, Category: "amplification", At: p.position(head), moduleDir: unit.ModuleDir}
	f.layers = c.Layers()
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
