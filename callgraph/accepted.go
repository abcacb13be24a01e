package callgraph

import (
	"cmp"
	"go/token"
	"slices"
)

// A directive that names the rule of chains accepts the attempts of the sites that it governs. That is part of what is known of
// such a site, in whichever package a chain through it is found: of outer × middle × inner, outer × middle is left if inner is
// accepted, and a chain isn't told if less than two sites are left, or if its outermost one, where it would be reported, is
// accepted. Sites that are accepted stay on paths all the same, because what lies below them is executed inside of them, and
// because somebody has to know which directives serve for something.

// The rule that reports chains, as directives name it.
const (
	chainRule     = "nestedretry"
	chainCategory = "amplification"
)

// A Directive is the place of a directive.
type Directive struct {
	Package string `json:"p,omitempty"` // import path
	File    string `json:"f,omitempty"` // relative to the module's root
	Line    int    `json:"i,omitempty"`
}

func (d Directive) compare(e Directive) int {
	return cmp.Or(cmp.Compare(d.Package, e.Package), cmp.Compare(d.File, e.File), cmp.Compare(d.Line, e.Line))
}

// acceptedAt returns the directives that accept a site at pos.
func (p *Package) acceptedAt(pos token.Pos) []Directive {
	var list []Directive
	for _, d := range p.directives.Governing(pos, chainRule, chainCategory) {
		own := Directive{Package: pathOf(p.Types.Path())}
		own.File, own.Line, _ = p.place(d.Pos)
		list = append(list, own)
	}
	return list
}

// accept adds directives to those that accept the site.
func (h *Hop) accept(directives []Directive) {
	for _, d := range directives {
		if !slices.Contains(h.Accepted, d) {
			h.Accepted = append(slices.Clip(h.Accepted), d)
		}
	}
}

// left returns what is told of a chain: without the sites that are accepted, false if that is nothing.
func (ch Chain) left() (Chain, bool) {
	if len(ch.Links[0].Accepted) > 0 {
		return Chain{}, false
	}
	links := ch.Links
	ch.Links, ch.Product = nil, one
	assumed := "" // of sites that are left out: it holds for what is below them, too
	for _, l := range links {
		if len(l.Accepted) > 0 {
			assumed = cmp.Or(assumed, l.Assumed)
			continue
		}
		l.Assumed, assumed = cmp.Or(l.Assumed, assumed), ""
		ch.append(l)
	}
	return ch, len(ch.Links) > 1
}

// acceptsAny reports whether a site of the chain is accepted.
func (ch Chain) acceptsAny() bool {
	return slices.ContainsFunc(ch.Links, func(l Link) bool { return len(l.Accepted) > 0 })
}

// Directives returns the directives that accept sites of chains, each once, in order.
func Directives(accepted []Chain) []Directive {
	var list []Directive
	for _, ch := range accepted {
		for _, l := range ch.Links {
			list = append(list, l.Accepted...)
		}
	}
	slices.SortFunc(list, Directive.compare)
	return slices.Compact(list)
}
