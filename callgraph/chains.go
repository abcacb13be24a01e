package callgraph

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
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

var one = count.Of(1)

// Chains returns the chains of two and more multiplying sites whose outermost one is reported in this package, in source
// order: one for each outermost site, the worst. Accepted are the chains, whole, of which directives accept a site.
func (p *Package) Chains() (chains, accepted []Chain) {
	for _, id := range p.bodyIDs() {
		p.Paths(id)
	}
	found := p.composer.chains()
	for _, c := range found.chains {
		for i, l := range c.Links {
			c.Links[i].Pos = p.positions[placeKey(l.Hop)]
		}
		if c.Pos = c.Links[0].Pos; c.Pos.IsValid() {
			chains = append(chains, c)
		}
	}
	sort.SliceStable(chains, func(i, j int) bool { return chains[i].Pos < chains[j].Pos })
	return chains, found.accepted
}

// chains returns the worst chain of each outermost site.
func (c *composer) chains() *collection {
	found := newCollection()
	for _, id := range c.bodyIDs() {
		if c.fresh(id, nil) {
			c.collect(id, found)
		}
	}
	return found
}

// chainsOf returns the worst chain of each site of a function.
func (c *composer) chainsOf(id string) []Chain {
	found := newCollection()
	c.collect(id, found)
	return found.chains
}

// A collection holds the worst chain of each outermost site, and the chains, whole, of which a site is accepted.
type collection struct {
	chains   []Chain
	accepted []Chain
	worst    map[string]int // index of the chain of a site, by place
	told     map[string]bool
}

func newCollection() *collection {
	return &collection{worst: map[string]int{}, told: map[string]bool{}}
}

// collect finds the chains that begin in a function, or in one that it hands the value whose method is repeated.
func (c *composer) collect(id string, found *collection) {
	for _, path := range c.Closed(id) {
		ch := c.chain(path)
		if len(ch.Links) < 2 || ch.Links[0].Foreign || ch.leadsIntoTests() || found.told[ch.route()] {
			continue
		}
		if first := ch.Links[0]; first.Owner == id || first.completed == id && c.fresh(first.Owner, nil) {
			found.add(ch)
		}
	}
}

// leadsIntoTests reports whether a chain that begins in the program goes through a site of its tests: no user meets that.
func (ch Chain) leadsIntoTests() bool {
	return !inTest(ch.Links[0].Hop) && slices.ContainsFunc(ch.Links, func(l Link) bool { return inTest(l.Hop) })
}

func inTest(h Hop) bool { return strings.HasSuffix(h.File, "_test.go") }

func (f *collection) add(ch Chain) {
	f.told[ch.route()] = true
	if ch.acceptsAny() {
		f.accepted = append(f.accepted, ch)
		left, any := ch.left()
		if !any || f.told[left.route()] {
			return
		}
		ch = left
		f.told[ch.route()] = true
	}
	key := placeKey(ch.Links[0].Hop)
	i, seen := f.worst[key]
	if !seen {
		f.worst[key] = len(f.chains)
		f.chains = append(f.chains, ch)
		return
	}
	others := f.chains[i].Others + 1
	if ch.worse(f.chains[i]) {
		f.chains[i] = ch
	}
	f.chains[i].Others = others
}

// worse reports whether ch is told instead of other. Of those that are equally bad that is the first by name, so that a finding
// stays the same when code changes places.
func (ch Chain) worse(other Chain) bool {
	if ch.Product.More(other.Product) || other.Product.More(ch.Product) {
		return ch.Product.More(other.Product)
	}
	return slices.Compare(ch.Layers(), other.Layers()) < 0
}

// route identifies the sites of a chain, with their numbers.
func (ch Chain) route() string {
	var b strings.Builder
	for _, l := range ch.Links {
		fmt.Fprintf(&b, "%s %s;", placeKey(l.Hop), l.Count.Factor())
	}
	return b.String()
}

// chain counts the hops of a path, and leaves out those that make one attempt, or that what is below them ends.
func (c *composer) chain(path Path) Chain {
	ch := Chain{Product: one}
	for i, h := range path.Hops {
		n, why := c.Count(h)
		if n.Kind == count.Number && n.N <= 1 {
			continue
		}
		if i+1 < len(path.Hops) && c.stops(h) || path.comesBack(i) {
			continue
		}
		ch.append(Link{Hop: h, Count: n, Why: why})
	}
	return ch
}

// comesBack reports whether hop i is the site that the path begins with, where that is a method of any instance: what a field of one
// holds is merged with what those of all others hold, and nobody is seen to put one around another.
func (path Path) comesBack(i int) bool {
	return i > 0 && path.anyInstance && placeKey(path.Hops[i]) == placeKey(path.Hops[0])
}

func (ch *Chain) append(l Link) {
	ch.Links = append(ch.Links, l)
	ch.Product = ch.Product.Times(l.Count)
}

// Closed returns the paths that may begin with a site of a function, as far as this world knows: what callers might know is
// what fields and variables hold wherever they are set.
func (c *composer) Closed(id string) []Path {
	var list []Path
	if c.limits.eachBody {
		c.followed = 0
	}
	body := c.body(id)
	frames := c.entries(body)
	for _, path := range c.Paths(id) {
		if !path.mayBeginIn(id) {
			continue
		}
		if len(frames) == 0 {
			list = append(list, c.closedPath(path, 0)...)
		}
		for _, frame := range frames {
			for _, known := range c.instance(path, frame, nil) {
				for _, closed := range c.closedPath(known, 0) {
					closed.anyInstance = body.Method && frame.Params[0].Kind != value.Record
					list = append(list, closed)
				}
			}
		}
	}
	return list
}

// mayBeginIn reports whether the outermost site of the path, once all of it is known, may be one of the function.
func (path Path) mayBeginIn(id string) bool {
	if len(path.Hops) > 0 {
		return path.Hops[0].Owner == id || path.Hops[0].completed == id
	}
	return path.Tail.at == nil || path.Tail.at.Owner == id
}

// callersArguments returns what the parameters of a function are at all of its calls: the common value for a function that
// nobody else can call, the parameter itself where calls differ or aren't known.
func (c *composer) callersArguments(body *Body) []value.Term {
	args := append([]value.Term(nil), body.Params...)
	if body.Entry || body.Method && c.isValue(body.ID) {
		return args
	}
	for i := range args {
		if t := c.commonArgument(body.ID, i); t.Known() {
			args[i] = t
		}
	}
	return args
}

// isValue reports whether a function is executed as a value, with arguments that aren't known here.
func (c *composer) isValue(id string) bool {
	_, executed := c.executed[id]
	return executed
}

// commonArgument returns the constant that all calls of a function from others give its parameter i: a number, a boolean, nil,
// or a classifier.
func (c *composer) commonArgument(id string, i int) value.Term {
	common := value.Term{}
	for _, call := range c.callsOf(id) {
		t := call.Args[i]
		if !c.isConstant(t, id, i) || common.Known() && !value.Equal(t, common) {
			return value.Term{}
		}
		common = t
	}
	return common
}

func (c *composer) isConstant(t value.Term, id string, i int) bool {
	switch t.Kind {
	case value.Int, value.Bool, value.Nil:
		return true
	case value.Func:
		return !t.Open() && slices.Contains(c.body(id).Classifiers, i)
	}
	return false
}

// callsOf lists the calls of a function from others: those of tests only if there are no others.
func (c *composer) callsOf(id string) []*Call {
	if c.callers == nil {
		c.callers = map[string][]*Call{}
		for _, caller := range c.bodyIDs() {
			body := c.body(caller)
			for i := range body.Calls {
				if callee := body.Calls[i].Callee; callee != "" && callee != caller {
					c.callers[callee] = append(c.callers[callee], &body.Calls[i])
				}
			}
		}
		for callee, calls := range c.callers {
			if own := slices.DeleteFunc(slices.Clone(calls), func(call *Call) bool { return inTest(call.At) }); len(own) > 0 {
				c.callers[callee] = own
			}
		}
	}
	return c.callers[id]
}

func (c *composer) closedPath(path Path, depth int) []Path {
	if path.Tail == nil || depth > 6 {
		return []Path{{Hops: path.Hops, Fails: path.Fails}}
	}
	tail := path.Tail.with(c.resolve)
	below := c.follow(tail, path.Tail.at)
	var list []Path
	for _, whole := range path.extended(below, c.tailFailures(tail, 0)) {
		list = append(list, c.closedPath(whole, depth+1)...)
	}
	return list
}

// fresh reports whether a function can be reached from outside of this world, or from a function that can, through no site:
// only then its own sites are outermost ones.
func (c *composer) fresh(id string, seen map[string]bool) bool {
	if seen[id] {
		return false
	}
	if seen == nil {
		seen = map[string]bool{}
	}
	seen[id] = true
	body := c.body(id)
	if body == nil {
		return true // it does nothing itself that is known, and may be called from anywhere
	}
	if body.Parent != "" {
		if inside, executed := c.executed[id]; executed {
			return !inside && c.fresh(body.Parent, seen)
		}
		return true
	}
	if body.Entry {
		return true
	}
	called := false
	for _, e := range c.calls[id] {
		if e.caller == id {
			continue
		}
		called = true
		if !e.inside && c.fresh(e.caller, seen) {
			return true
		}
	}
	return !called && !c.executed[id]
}

func isEntry(fn *ssa.Function) bool {
	return ast.IsExported(fn.Name()) || fn.Name() == "main" || strings.HasPrefix(fn.Name(), "init")
}

// Message tells a chain in one line: the product first, then the sites, then how many other chains there are.
func (c Chain) Message(module string) string {
	parts := make([]string, len(c.Links))
	for i, l := range c.Links {
		parts[i] = l.Text(module)
	}
	message := c.head() + ": " + strings.Join(parts, " × ")
	for _, l := range c.Links {
		if l.Assumed != "" {
			message += "; assumed: " + l.Assumed
		}
	}
	if c.Others > 0 {
		message += fmt.Sprintf("; and %d more below the same site", c.Others)
	}
	return message
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
