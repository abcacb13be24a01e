package callgraph

import (
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/sites"
)

// A Repetition is a place that may execute something again, finding or not, as rules see it.
type Repetition struct {
	Pos  token.Pos
	Hop  Hop
	Role sites.Role
	// Site is the loop, jump or recursion, nil for calls.
	Site *sites.Site
	// Function holds the place. Call is the call of a helper, library or client that the place is, nil for loops; Operations
	// are the functions of this package that the call is given to be executed again.
	Function   *ssa.Function
	Call       ssa.CallInstruction
	Operations []*ssa.Function
	// Count is the number of total attempts, and Why how it came about.
	Count count.Count
	Why   string
	// Around and Below are the sites that the call of a client goes through beside its own, outermost first: interceptors, and
	// the client's HTTP client if that one retries as well.
	Around, Below []Link
	// Wait says what lies between attempts: waits, none, unknown, or what the catalogue says of the policy.
	Wait string
	// Context says what the site does with a context: watched, given, ignored or none.
	Context string
	// Never says by which setting the operation is never executed, and no error tells: empty if it is.
	Never string

	call Tail // of a library: the call itself
	pkg  *Package
}

// note remembers where a hop is reported: at the most specific token.
func (p *Package) note(h Hop, pos token.Pos) { p.positions[placeKey(h)] = pos }

// noteCall remembers the call that a hop is.
func (p *Package) noteCall(h Hop, call ssa.CallInstruction) {
	p.note(h, call.Pos())
	p.instructions[placeKey(h)] = call
}

func placeKey(h Hop) string {
	return fmt.Sprintf("%s:%d:%d:%s", h.File, h.Line, h.Column, h.Kind)
}

// takeCall records a call of a library with the policy value that its hop has, and what is below.
func (p *Package) takeCall(call ssa.CallInstruction, h Hop, role sites.Role) {
	p.noteCall(h, call)
	p.record(h, role)
	p.repetitions[p.recorded[placeKey(h)]].call = Tail{Callee: h.Attempts, Site: &h, at: &h}
}

// take records a call that is a site of its function, with the number of attempts that its helper makes.
func (p *Package) take(h Hop, role sites.Role) { p.record(h, role) }

// record records a call that is a site, once.
func (p *Package) record(h Hop, role sites.Role) {
	key := placeKey(h)
	if i, ok := p.recorded[key]; ok {
		p.repetitions[i].Hop = h
		return
	}
	p.recorded[key] = len(p.repetitions)
	p.repetitions = append(p.repetitions, Repetition{Pos: p.positions[key], Hop: h, Role: role})
}

// Repetitions lists all places that were recognised, in source order of functions.
func (p *Package) Repetitions() []Repetition {
	for _, id := range p.bodyIDs() {
		p.Paths(id)
	}
	p.installedLayers()
	list := append([]Repetition(nil), p.repetitions...)
	for _, fn := range p.functions {
		for _, s := range p.Sites(fn) {
			list = append(list, Repetition{Pos: s.Pos, Hop: p.ownHop(s), Role: s.Role, Site: s, Function: fn})
		}
	}
	for i, s := range list {
		list[i].pkg = p
		list[i].Count, list[i].Why = p.Count(s.Hop)
		if call := p.instructions[placeKey(s.Hop)]; s.Site == nil && call != nil {
			list[i].Call, list[i].Function, list[i].Operations = call, call.Parent(), p.operations(call)
			list[i].Never = p.never(s.Hop)
		}
		list[i].Wait, list[i].Context = waitOf(s), contextOf(s)
		list[i].Around, list[i].Below = p.layersOf(s)
	}
	return list
}

// Callee is the import path of the package that holds what the place calls, empty for loops and for function values.
func (r *Repetition) Callee() string {
	if r.Call == nil {
		return ""
	}
	call := r.Call.Common()
	if call.IsInvoke() && call.Method.Pkg() != nil {
		return call.Method.Pkg().Path()
	}
	if fn := resolve(call.StaticCallee()); fn != nil && fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	return ""
}

// calleeLabel is what reports call the function that is called: retry.Do, (*Pacer).Call.
func calleeLabel(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.Name()
	}
	fn := resolve(call.StaticCallee())
	if fn == nil {
		return "helper"
	}
	if fn.Signature.Recv() != nil || fn.Parent() != nil || fn.Pkg == nil {
		return nameOf(fn)
	}
	return fn.Pkg.Pkg.Name() + "." + fn.Name()
}

// Token returns the position of the most specific token of the call at pos, which SSA gives by its parenthesis: the name of
// what is called.
func (p *Package) Token(fn *ssa.Function, pos token.Pos) token.Pos {
	if fn.Syntax() == nil {
		return pos
	}
	best := pos
	ast.Inspect(fn.Syntax(), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Lparen != pos {
			return true
		}
		best = nameToken(call.Fun)
		return false
	})
	return best
}

func nameToken(fun ast.Expr) token.Pos {
	switch fun := fun.(type) {
	case *ast.SelectorExpr:
		return fun.Sel.Pos()
	case *ast.IndexExpr:
		return nameToken(fun.X)
	case *ast.IndexListExpr:
		return nameToken(fun.X)
	case *ast.ParenExpr:
		return nameToken(fun.X)
	}
	return fun.Pos()
}

// waitOf says what lies between the attempts of a site.
func waitOf(s Repetition) string {
	if s.Site != nil && s.Site.Waits {
		return "waits"
	}
	if s.Site != nil {
		return "none"
	}
	if policy := policyOf(&s.Hop); policy != nil && policy.Wait != "" {
		return policy.Wait
	}
	return "unknown"
}

func contextOf(s Repetition) string {
	if s.Site == nil {
		return "given"
	}
	return s.Site.Context
}
