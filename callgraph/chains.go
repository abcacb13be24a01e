package callgraph

import (
	"fmt"
	"go/ast"
	"go/token"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/value"
)

// A Chain is a sequence of retry sites, each executed inside of the one before, outermost first.
type Chain struct {
	Pos     token.Pos // where it is reported: in the function of the outermost site
	Links   []Link
	Product count.Count
	Others  int // further chains below the same outermost site
}

// A Link is a hop with its number of attempts.
type Link struct {
	Hop
	Count count.Count
	Why   string
	Pos   token.Pos // invalid outside of this package
}

// Chains returns the chains of two and more multiplying sites whose outermost one is reported in this package, in source
// order: one for each outermost site, the worst.
func (p *Package) Chains() []Chain {
	for _, fn := range p.functions {
		p.Paths(fn)
	}
	var chains []Chain
	for _, fn := range p.functions {
		if !p.fresh(fn, nil) {
			continue
		}
		chains = append(chains, p.chainsOf(fn)...)
	}
	sort.SliceStable(chains, func(i, j int) bool { return chains[i].Pos < chains[j].Pos })
	return chains
}

// chainsOf returns the worst chain of each site of fn.
func (p *Package) chainsOf(fn *ssa.Function) []Chain {
	worst := map[string]int{}
	var chains []Chain
	for _, path := range p.Closed(fn) {
		c := p.chain(path)
		if len(c.Links) < 2 || c.Links[0].Owner != idOf(fn) || c.Links[0].Foreign || !c.Pos.IsValid() {
			continue
		}
		key := placeKey(c.Links[0].Hop)
		i, seen := worst[key]
		if !seen {
			worst[key] = len(chains)
			chains = append(chains, c)
			continue
		}
		others := chains[i].Others + 1
		if c.Product.More(chains[i].Product) {
			chains[i] = c
		}
		chains[i].Others = others
	}
	return chains
}

// chain counts the hops of a path, and leaves out those that make one attempt.
func (p *Package) chain(path Path) Chain {
	c := Chain{Product: count.Of(1)}
	for _, h := range path.Hops {
		n, why := p.Count(h)
		if n.Kind == count.Number && n.N <= 1 {
			continue
		}
		c.Links = append(c.Links, Link{Hop: h, Count: n, Why: why, Pos: p.positions[placeKey(h)]})
		c.Product = c.Product.Times(n)
	}
	if len(c.Links) > 0 {
		c.Pos = c.Links[0].Pos
	}
	return c
}

// Closed returns the paths of fn as far as this package knows: what callers might know is what fields and variables hold
// wherever the package sets them.
func (p *Package) Closed(fn *ssa.Function) []Path {
	var list []Path
	frame := p.frame(p.callersArguments(fn), nil)
	for _, path := range p.Paths(fn) {
		if fn.Parent() == nil {
			for _, known := range p.instance(path, frame, fn, nil) {
				list = append(list, p.closedPath(known, fn, 0)...)
			}
			continue
		}
		list = append(list, p.closedPath(path, fn, 0)...)
	}
	return list
}

// callersArguments returns what the parameters of fn are at all of its calls: the common value for a function that only this
// package can call, the parameter itself where calls differ or aren't known.
func (p *Package) callersArguments(fn *ssa.Function) []value.Term {
	args := make([]value.Term, len(fn.Params))
	for i, param := range fn.Params {
		args[i] = parameter(param)
	}
	if isEntry(fn) || fn.Signature.Recv() != nil && p.isValue(fn) {
		return args
	}
	for i := range args {
		if t := p.commonArgument(fn, i); t.Known() {
			args[i] = t
		}
	}
	return args
}

// isValue reports whether fn is executed as a value, with arguments that aren't known here.
func (p *Package) isValue(fn *ssa.Function) bool {
	_, executed := p.executed[fn]
	return executed
}

// commonArgument returns the constant that all calls of fn from other functions give its parameter i.
func (p *Package) commonArgument(fn *ssa.Function, i int) value.Term {
	common := value.Term{}
	for _, call := range p.callsOf(fn) {
		t := p.Term(call.Common().Args[i])
		if t.Kind != value.Int && t.Kind != value.Bool || common.Known() && !value.Equal(t, common) {
			return value.Term{}
		}
		common = t
	}
	return common
}

// callsOf lists the calls of fn from other functions of the package.
func (p *Package) callsOf(fn *ssa.Function) []ssa.CallInstruction {
	if p.callers == nil {
		p.callers = map[*ssa.Function][]ssa.CallInstruction{}
		for _, caller := range p.functions {
			p.indexCalls(caller)
		}
	}
	return p.callers[fn]
}

func (p *Package) indexCalls(caller *ssa.Function) {
	for _, b := range caller.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			if callee := resolve(call.Common().StaticCallee()); callee != nil && callee.Pkg == p.SSA && callee != caller {
				p.callers[callee] = append(p.callers[callee], call)
			}
		}
	}
}

func (p *Package) closedPath(path Path, fn *ssa.Function, depth int) []Path {
	if path.Tail == nil || depth > 6 {
		return []Path{{Hops: path.Hops}}
	}
	if path.Tail.fn != nil {
		fn = path.Tail.fn
	}
	below := p.follow(p.closedTail(*path.Tail), fn, path.Tail.at)
	if len(below) == 0 {
		return []Path{{Hops: path.Hops}}
	}
	var list []Path
	for _, b := range below {
		list = append(list, p.closedPath(joined(path.Hops, b), fn, depth+1)...)
	}
	return list
}

func (p *Package) closedTail(t Tail) Tail {
	c := t
	c.Callee = p.close(t.Callee)
	c.Args = make([]value.Term, len(t.Args))
	for i, a := range t.Args {
		c.Args[i] = p.close(a)
	}
	if t.Then != nil {
		then := p.closedTail(*t.Then)
		c.Then = &then
	}
	return c
}

// fresh reports whether fn can be reached from outside of the package, or from a function that can, through no site of this
// package: only then its own sites are outermost ones.
func (p *Package) fresh(fn *ssa.Function, seen map[*ssa.Function]bool) bool {
	if seen[fn] {
		return false
	}
	if seen == nil {
		seen = map[*ssa.Function]bool{}
	}
	seen[fn] = true
	if parent := fn.Parent(); parent != nil {
		if inside, executed := p.executed[fn]; executed {
			return !inside && p.fresh(parent, seen)
		}
		return true
	}
	if isEntry(fn) {
		return true
	}
	called := false
	for _, e := range p.calls {
		if e.Callee != fn || e.Caller == fn {
			continue
		}
		called = true
		if !e.Inside && p.fresh(e.Caller, seen) {
			return true
		}
	}
	return !called && !p.executed[fn]
}

func isEntry(fn *ssa.Function) bool {
	return ast.IsExported(fn.Name()) || fn.Name() == "main" || strings.HasPrefix(fn.Name(), "init")
}

// Message tells a chain in one line: the product first, then the sites.
func (c Chain) Message(module string) string {
	parts := make([]string, len(c.Links))
	for i, l := range c.Links {
		parts[i] = l.Text(module)
	}
	return c.head() + ": " + strings.Join(parts, " × ")
}

func (c Chain) head() string {
	factors := make([]count.Count, len(c.Links))
	for i, l := range c.Links {
		factors[i] = l.Count
	}
	switch {
	case c.Product.Kind == count.Unlimited:
		return "unlimited attempts"
	case c.Product.Kind == count.Number:
		return fmt.Sprintf("up to %d attempts", c.Product.N)
	case c.Product.HasDefault:
		return fmt.Sprintf("up to %d attempts (%s, %s)", c.Product.N, count.Product(factors...), defaults(factors))
	}
	return fmt.Sprintf("up to %s attempts", count.Product(factors...))
}

// defaults lists the numbers that stand behind symbols.
func defaults(factors []count.Count) string {
	var parts []string
	for _, f := range factors {
		if f.Kind == count.Symbol && f.HasDefault {
			parts = append(parts, fmt.Sprint(f.N))
		}
	}
	return "default " + strings.Join(parts, " and ")
}

// Text describes one site of the chain: 3 by the loop in (*Client).Rates (rates/client.go:45).
func (l Link) Text(module string) string {
	return fmt.Sprintf("%s by %s (%s)", l.Count.Factor(), l.what(), l.because(module))
}

// because says what decided about the number, and where the site stands.
func (l Link) because(module string) string {
	if l.Why == "" {
		return l.Place(module)
	}
	return l.Why + ", " + l.Place(module)
}

// Step describes one site of the chain on a line of its own: rates/client.go:45: 3 by the loop in (*Client).Rates.
func (l Link) Step(module string) string {
	text := fmt.Sprintf("%s: %s by %s", l.Place(module), l.Count.Factor(), l.what())
	if l.Why != "" {
		text += " (" + l.Why + ")"
	}
	if l.Helper != "" {
		text += ", whose loop is at " + l.Helper
	}
	return text
}

// what names the site and its function: the loop in (*Client).Rates.
func (l Link) what() string { return l.name() + " in " + l.Function }

// name is what repeats: the loop, again.Do, retryablehttp.
func (h Hop) name() string {
	switch h.Kind {
	case "helper-call", "library-call", "client", "connection":
		return h.Label
	}
	return "the " + h.Label
}

// Place is where the site stands: the file relative to the module, with the module's path before it if it is another one.
func (h Hop) Place(module string) string {
	file := h.File
	if h.Module != module && h.Module != "" {
		file = h.Module + "/" + file
	}
	return fmt.Sprintf("%s:%d", file, h.Line)
}
