package callgraph

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// Paths returns the paths through fn, in terms of its parameters.
func (p *Package) Paths(fn *ssa.Function) []Path {
	if list, ok := p.paths[fn]; ok {
		return list
	}
	if p.open[fn] || len(fn.Blocks) > maxFunction {
		p.cut = p.cut || p.open[fn]
		return nil // recursion among functions ends here
	}
	p.open[fn] = true
	inside, cut := p.inside, p.cut
	p.inside, p.cut = 0, false
	list := p.compute(fn, "", "")
	delete(p.open, fn)
	if !p.cut || len(p.open) == 0 || p.recomputed > maxRecomputed {
		p.paths[fn] = list
	}
	p.recomputed++
	p.inside, p.cut = inside, cut || p.cut && len(p.open) > 0
	return list
}

// maxRecomputed bounds how often functions that call each other are looked at again, each as the first one.
const maxRecomputed = 2000

// compute follows every call of fn. If repeats isn't empty, only calls count whose failure makes a site that executes fn
// try again (outcome.go).
func (p *Package) compute(fn *ssa.Function, repeats, library string) []Path {
	found := p.Sites(fn)
	var list []Path
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if _, isGo := call.(*ssa.Go); isGo {
				continue // runs beside the attempts, not in them
			}
			if repeats != "" && !p.failsOutward(fn, call, repeats, library) {
				continue
			}
			for _, path := range p.through(fn, call, found) {
				list = append(list, path.asking(booleanWord(repeats)))
			}
		}
	}
	return prune(list)
}

// booleanWord keeps the words by which a boolean result decides.
func booleanWord(repeats string) string {
	if repeats == "true" || repeats == "false" {
		return repeats
	}
	return ""
}

// through returns the paths that go through one call of fn.
func (p *Package) through(fn *ssa.Function, call ssa.CallInstruction, found []*sites.Site) []Path {
	var hops []Hop
	var list []Path
	again := ""
	for _, s := range found {
		if s.Role != sites.Retry || !s.Repeated[call] {
			continue
		}
		hops = append(hops, p.ownHop(s))
		again = s.Again
	}
	p.noteCall(fn, call, hops)
	p.within(len(hops) > 0, func() {
		for _, inner := range p.callPaths(fn, call) {
			list = append(list, joined(hops, inner.asking(again)))
		}
	})
	if len(list) == 0 && len(hops) > 0 {
		list = append(list, Path{Hops: hops}) // nothing is known of the operation
	}
	return list
}

// asking returns the path with a boolean that decides about another attempt, if the function at its tail is the one that
// gives the boolean: nothing lies between.
func (path Path) asking(again string) Path {
	if again == "" || path.Tail == nil || len(path.Hops) > 0 || path.Tail.Site != nil || path.Tail.Repeats != "" {
		return path
	}
	tail := *path.Tail
	tail.Repeats = again
	return Path{Tail: &tail}
}

// within runs f; functions that are executed meanwhile count as executed inside of a site if inside is set.
func (p *Package) within(inside bool, f func()) {
	if inside {
		p.inside++
		defer func() { p.inside-- }()
	}
	f()
}

// joined puts hops before a path. Two sites that count with one variable behind a pointer are one.
func joined(hops []Hop, inner Path) Path {
	path := Path{Tail: inner.Tail}
	for _, h := range hops {
		if !sharesCounter(h, inner.Hops) {
			path.Hops = append(path.Hops, h)
		}
	}
	path.Hops = append(path.Hops, inner.Hops...)
	return path
}

func sharesCounter(h Hop, inner []Hop) bool {
	if !h.Counter.Known() {
		return false
	}
	for _, i := range inner {
		if i.Counter.Known() && value.Equal(h.Counter, i.Counter) {
			return true
		}
	}
	return false
}

// Sites returns the retry sites and their look-alikes in fn, outer ones first.
func (p *Package) Sites(fn *ssa.Function) []*sites.Site {
	if list, ok := p.sites[fn]; ok {
		return list
	}
	p.sites[fn] = nil
	list := sites.Find(fn, p)
	p.sites[fn] = list
	return list
}

// ownHop returns the hop that a site in a body is.
func (p *Package) ownHop(s *sites.Site) Hop {
	h := p.hop(s.Function, s.Pos)
	h.Kind, h.Label, h.Attempts, h.Unlimited, h.Bounded = string(s.Kind), label(s), s.Attempts, s.Unlimited, s.Bounded
	if s.Counter != nil {
		h.Counter = p.Term(s.Counter)
	}
	if s.Gate != nil {
		h.Gate, h.GateStops = p.Term(s.Gate), s.GateStops
	}
	if s.Iterator != nil {
		p.iterate(&h, s.Iterator)
	}
	p.note(h, s.Operation.Pos())
	return h
}

func label(s *sites.Site) string {
	switch s.Kind {
	case sites.Recursion:
		return "recursion"
	case sites.Straight:
		return "second attempt"
	case sites.Goto:
		return "jump back"
	}
	return "loop"
}

// iterate takes the number of attempts of a loop from the library's iterator that decides in its condition.
func (p *Package) iterate(h *Hop, call *ssa.Call) {
	k := p.lookup(&call.Call)
	if k == nil || k.row.Site == nil {
		return
	}
	h.Attempts = p.policyValue(&k.row.Site.Value, k, &call.Call, resultType(call))
	h.Policy, h.Library, h.Version = policyName(k.row.Site.Policy, k, resultType(call)), k.library.Root(), k.version
	h.Unlimited = false
}

// hop returns a hop at pos in fn.
func (p *Package) hop(fn *ssa.Function, pos token.Pos) Hop {
	h := Hop{Function: nameOf(fn), Package: pathOf(p.Types.Path()), Module: p.Module, Owner: idOf(fn)}
	h.File, h.Line, h.Column = p.place(pos)
	h.Foreign = pos.IsValid() && p.generated[p.Fset.File(pos).Name()]
	return h
}

// callPaths returns the paths below a call, in terms of fn.
func (p *Package) callPaths(fn *ssa.Function, call ssa.CallInstruction) []Path {
	common := call.Common()
	if k := p.lookup(common); k != nil {
		return p.libraryPaths(fn, call, k)
	}
	if common.IsInvoke() {
		if quiet(common.Value.Type()) {
			return nil
		}
		return p.follow(Tail{Callee: p.Term(common.Value), Method: common.Method.Name(), Args: p.plainArguments(common)}, fn, call)
	}
	callee := resolve(common.StaticCallee())
	if callee == nil {
		if _, isBuiltin := common.Value.(*ssa.Builtin); isBuiltin {
			return nil
		}
		return p.follow(Tail{Callee: p.Term(common.Value), Args: p.plainArguments(common)}, fn, call)
	}
	return p.instantiate(p.pathsBelow(callee), p.frame(p.plainArguments(common), p.captured(common)), fn, call)
}

// quiet reports whether an interface has no implementation that retries matter for.
func quiet(t types.Type) bool {
	pkgPath, name := splitName(typeName(t))
	return pkgPath == "" && name != "" || catalog.QuietInterfaces(pkgPath)
}

// plainArguments describes arguments as they are: a function that is executed must not be taken for an option.
func (p *Package) plainArguments(call *ssa.CallCommon) []value.Term {
	args := make([]value.Term, len(call.Args))
	for i, a := range call.Args {
		args[i] = p.Term(a)
	}
	return args
}

// pathsBelow returns the paths of a function of any package.
func (p *Package) pathsBelow(fn *ssa.Function) []Path {
	if fn.Pkg == p.SSA || fn.Parent() != nil {
		return p.Paths(fn)
	}
	if f := p.summaryOf(fn); f != nil {
		return f.Paths
	}
	return nil
}

// instantiate puts the arguments of a call into paths. Where an argument is the function that a helper executes, the helper's
// sites become sites of the caller: at is the call that supplies it.
func (p *Package) instantiate(paths []Path, frame value.Frame, fn *ssa.Function, at ssa.CallInstruction) []Path {
	if len(paths) == 0 || p.depth > maxDepth {
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	var list []Path
	for _, path := range paths {
		list = append(list, p.instance(path, frame, fn, at)...)
	}
	return list
}

func (p *Package) instance(path Path, frame value.Frame, fn *ssa.Function, at ssa.CallInstruction) []Path {
	hops := make([]Hop, len(path.Hops))
	for i, h := range path.Hops {
		h.Attempts, h.Counter, h.Gate = frame.Substitute(h.Attempts), frame.Substitute(h.Counter), frame.Substitute(h.Gate)
		hops[i] = h
	}
	if path.Tail == nil {
		return []Path{{Hops: hops}}
	}
	tail := path.Tail.in(frame)
	if tail.Site == nil && len(hops) > 0 && path.Tail.suppliedBy(tail) {
		p.takeOver(hops, fn, at)
	}
	if tail.Site == nil && !tail.handsOn() {
		settle(hops)
	}
	var below []Path
	p.within(len(hops) > 0, func() { below = p.follow(tail, fn, at) })
	return extended(hops, below)
}

// extended puts hops before each of the paths below, or ends there.
func extended(hops []Hop, below []Path) []Path {
	if len(below) == 0 {
		return []Path{{Hops: hops}}
	}
	var list []Path
	for _, b := range below {
		list = append(list, joined(hops, b))
	}
	return list
}

// in returns the tail in the terms of a caller.
func (t Tail) in(frame value.Frame) Tail {
	c := t
	c.Callee = frame.Substitute(t.Callee)
	c.Args = make([]value.Term, len(t.Args))
	for i, a := range t.Args {
		c.Args[i] = frame.Substitute(a)
	}
	if t.Then != nil {
		then := t.Then.in(frame)
		c.Then = &then
	}
	return c
}

// suppliedBy reports whether the caller gives the function that is executed: the callee itself, or one that is handed on to
// the callee.
func (t Tail) suppliedBy(after Tail) bool {
	if (t.Method == "" || isOpen(t.Callee)) && t.Callee.Open() && callable(t.Callee) && !callable(after.Callee) {
		return true
	}
	for i, a := range t.Args {
		if isOpen(a) && after.Args[i].Kind == value.Func {
			return true
		}
	}
	return false
}

// handsOn reports whether the function that is executed, or one handed on to it, may still be given by a caller: it is a
// parameter, or a literal that executes one.
func (t Tail) handsOn() bool {
	if callable(t.Callee) && t.Callee.Open() {
		return true
	}
	if t.Callee.Kind == value.Func && t.Callee.Open() {
		return true
	}
	for _, a := range t.Args {
		if a.Kind == value.Func && a.Open() || isOpen(a) && a.Name != "" {
			return true
		}
	}
	return false
}

// settle marks hops as sites of the function that they stand in, whatever callers give.
func settle(hops []Hop) {
	for i := range hops {
		hops[i].Settled = true
	}
}

func isOpen(t value.Term) bool { return t.Kind == value.Param || t.Kind == value.Free }

// takeOver makes the sites of a helper sites of the function that supplies the operation.
func (p *Package) takeOver(hops []Hop, fn *ssa.Function, at ssa.CallInstruction) {
	if at == nil {
		return
	}
	for i, h := range hops {
		if h.Kind == "client" || h.Settled {
			continue
		}
		own := p.hop(fn, at.Pos())
		own.Kind, own.Label = "helper-call", calleeLabel(at.Common())
		if own.Helper = h.Helper; own.Helper == "" {
			own.Helper = fmt.Sprintf("%s:%d", h.File, h.Line)
		}
		own.Attempts, own.Unlimited, own.Bounded, own.Counter = h.Attempts, h.Unlimited, h.Bounded, h.Counter
		own.Gate, own.GateStops = h.Gate, h.GateStops
		own.Policy, own.Library, own.Version = h.Policy, h.Library, h.Version
		hops[i] = own
		p.note(own, at.Pos())
		p.takeStock(at.Pos(), own, sites.Retry)
	}
}

// follow returns the paths that a tail goes on to, or the tail itself while it isn't known.
func (p *Package) follow(t Tail, fn *ssa.Function, at ssa.CallInstruction) []Path {
	if p.followed++; p.following >= maxFollow || p.followed > maxFollowed {
		return nil
	}
	p.following++
	defer func() { p.following-- }()
	if t.Site != nil {
		return p.followSite(t, fn, at)
	}
	switch t.Callee.Kind {
	case value.Func:
		return p.followFunction(t, fn, at)
	case value.Either, value.Cond, value.Global:
		return p.followAlternatives(t, fn, at)
	case value.Record:
		if t.Method != "" {
			return p.followMethod(t, fn, at)
		}
	}
	if callable(t.Callee) && t.Callee.Open() && t.Callee.Size() < maxTail {
		if t.at == nil {
			t.at, t.fn = at, fn
		}
		return []Path{{Tail: &t}}
	}
	if t.Callee.Kind == value.Field {
		if known := p.close(t.Callee); known.Kind != value.Field {
			t.Callee = known
			return p.follow(t, fn, at)
		}
	}
	return nil
}

// callable reports whether a term can turn out to be a function, or a value with methods.
func callable(t value.Term) bool {
	switch t.Kind {
	case value.Param, value.Free, value.Field, value.Result:
		return true
	case value.Op:
		return t.Name == "apply" // a field that options may set
	}
	return false
}

const (
	maxTail = 120
	// maxFollow is how many dynamic calls are followed from one to the next.
	maxFollow = 8
	// maxFollowed bounds the work on one package: what lies beyond stays unknown.
	maxFollowed = 100000
	// maxAlternatives is how many functions a value is taken for.
	maxAlternatives = 4
)

func (p *Package) followAlternatives(t Tail, fn *ssa.Function, at ssa.CallInstruction) []Path {
	args := t.Callee.Args
	if t.Callee.Kind == value.Cond {
		args = args[1:]
	}
	var list []Path
	for i, a := range args {
		if i == maxAlternatives {
			break
		}
		alt := t
		alt.Callee = a
		list = append(list, p.follow(alt, fn, at)...)
	}
	return list
}

func (p *Package) followFunction(t Tail, fn *ssa.Function, at ssa.CallInstruction) []Path {
	params, free := bind(t.Callee, t.Args)
	if body := p.byID[t.Callee.Name]; body != nil {
		p.noteValue(body)
		return p.instantiate(p.repeated(body, t.Repeats, t.Library), p.frame(params, free), fn, at)
	}
	f := p.named(t.Callee.Name)
	if f == nil {
		return nil
	}
	paths := make([]Path, len(f.Paths))
	for i, path := range f.Paths {
		paths[i] = path.asking(booleanWord(t.Repeats))
	}
	return p.instantiate(paths, p.frame(params, free), fn, at)
}

// repeated returns the paths of fn through calls whose failure a site around repeats.
func (p *Package) repeated(fn *ssa.Function, repeats, library string) []Path {
	if repeats == "" || repeats == "all" {
		return p.Paths(fn)
	}
	if p.open[fn] {
		return nil
	}
	p.open[fn] = true
	defer delete(p.open, fn)
	return p.compute(fn, repeats, library)
}

func (p *Package) followMethod(t Tail, fn *ssa.Function, at ssa.CallInstruction) []Path {
	place := Hop{}
	if at != nil {
		place = p.hop(fn, at.Pos())
	}
	if paths, ok := p.layerPaths(t.Callee, t.Method, place, fn, at); ok {
		return paths
	}
	id := p.methodID(t.Callee, t.Method)
	if id == "" {
		return nil
	}
	c := t
	c.Callee = value.Term{Kind: value.Func, Name: id, Names: []string{"bound"}, Args: []value.Term{t.Callee}}
	c.Method = ""
	return p.followFunction(c, fn, at)
}

// methodID identifies the method of the type that a Record has. Types that this package doesn't see come with their methods.
func (p *Package) methodID(receiver value.Term, name string) string {
	if m := p.methodObject(receiver, name); m != nil {
		p.objects[m.FullName()] = m
		return m.FullName()
	}
	for _, id := range p.imports.Methods(receiver.Name) {
		if strings.HasSuffix(id, ")."+name) {
			return id
		}
	}
	return ""
}

// prune keeps the paths that can matter: of those that differ in lines only, one; of many, the worst.
func prune(list []Path) []Path {
	var kept []Path
	for _, path := range list {
		if len(path.Hops) == 0 && path.Tail == nil || len(path.Hops) > maxHops || contains(kept, path) {
			continue
		}
		kept = append(kept, path)
	}
	if len(kept) <= maxPaths {
		return kept
	}
	sort.SliceStable(kept, func(i, j int) bool { return weight(kept[i]) > weight(kept[j]) })
	return kept[:maxPaths]
}

const (
	maxPaths = 8
	maxHops  = 8
)

// weight orders paths by what they may become: open ones first, since callers may know more, then by number of hops.
func weight(path Path) int {
	w := 2 * len(path.Hops)
	if path.Tail != nil {
		w += 3
	}
	return w
}

func contains(list []Path, path Path) bool {
	for _, q := range list {
		if sameRoute(q, path) {
			return true
		}
	}
	return false
}

// sameRoute reports whether two paths go through the same kinds of sites with the same numbers.
func sameRoute(a, b Path) bool {
	if len(a.Hops) != len(b.Hops) || (a.Tail == nil) != (b.Tail == nil) {
		return false
	}
	for i := range a.Hops {
		x, y := a.Hops[i], b.Hops[i]
		if x.Label != y.Label || x.Kind != y.Kind || x.Policy != y.Policy || x.Unlimited != y.Unlimited ||
			!value.Equal(x.Attempts, y.Attempts) {
			return false
		}
		if i == 0 && (x.Owner != y.Owner || x.Line != y.Line) {
			return false
		}
	}
	return a.Tail == nil || sameTail(*a.Tail, *b.Tail)
}

func sameTail(a, b Tail) bool {
	if a.Method != b.Method || !value.Equal(a.Callee, b.Callee) ||
		(a.Site == nil) != (b.Site == nil) || (a.Then == nil) != (b.Then == nil) {
		return false
	}
	if a.Site != nil && a.Site.Label != b.Site.Label {
		return false
	}
	return a.Then == nil || sameTail(*a.Then, *b.Then)
}
