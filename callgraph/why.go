package callgraph

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// An Explanation tells what a program knows of one function: for users who ask why a chain is reported, or isn't.
type Explanation struct {
	ID, Name, Package, Module string
	File                      string // relative to the module's root
	Line, End                 int
	Calls                     []CallExplanation
	Callers                   []CallerExplanation
	Chains                    []Chain
	// Inner is set if the function is only reached through other sites, which report what is below.
	Inner bool
}

// A CallExplanation tells where a call leads.
type CallExplanation struct {
	Line   int
	Callee string
	// Around are the sites of the function that execute the call again, as lines of text.
	Around []string
	// Leads says what lies below: retry sites, nothing that retries, or what isn't known and why.
	Leads []string
}

// A CallerExplanation is a call of the function.
type CallerExplanation struct {
	Function, Place string
	// Around are the sites that execute the call again.
	Around []string
	// Dynamic is set if the call is one of an interface method that the function implements.
	Dynamic bool
}

// Find returns the functions that a query names: an identity, a name with or without package, or file:line.
func (g *Program) Find(query string) []string {
	var list []string
	for _, id := range g.ids {
		if g.bodied[id].named(query) {
			list = append(list, id)
		}
	}
	return list
}

func (b *Body) named(query string) bool {
	if file, line, ok := strings.Cut(query, ".go:"); ok {
		n := 0
		if _, err := fmt.Sscanf(line, "%d", &n); err != nil {
			return false
		}
		return (b.File == file+".go" || strings.HasSuffix(b.File, "/"+file+".go")) && b.Line <= n && n <= b.End && b.Parent == ""
	}
	if b.Parent != "" {
		return b.ID == query
	}
	bare := strings.NewReplacer("(", "", ")", "", "*", "")
	id, name := bare.Replace(b.ID), bare.Replace(query)
	return id == name || strings.HasSuffix(id, "/"+name) || strings.HasSuffix(id, "."+name)
}

// Names lists how functions can be called in a query, for suggestions.
func (g *Program) Names() []string {
	var list []string
	for _, id := range g.ids {
		if b := g.bodied[id]; b.Parent == "" && !slices.Contains(list, b.Name) {
			list = append(list, b.Name)
		}
	}
	return list
}

// Explain tells what is known of a function, and of the literals in it.
func (g *Program) Explain(id string) Explanation {
	b := g.bodied[id]
	e := Explanation{ID: id, Name: b.Name, Package: packageOf(id), File: b.File, Line: b.Line, End: b.End}
	e.Module = g.modules[e.Package]
	for _, inner := range g.within(id) {
		for i := range inner.Calls {
			if c := &inner.Calls[i]; !c.Beside {
				e.Calls = append(e.Calls, g.explainCall(inner, c, e.Module))
			}
		}
	}
	sort.SliceStable(e.Calls, func(i, j int) bool { return e.Calls[i].Line < e.Calls[j].Line })
	e.Callers = g.callersOf(id)
	g.compose()
	for _, inner := range g.within(id) {
		if g.fresh(inner.ID, nil) {
			e.Chains = append(e.Chains, g.chainsOf(inner.ID)...)
		}
	}
	e.Inner = !g.fresh(id, nil)
	return e
}

// within lists a function's body and those of its literals.
func (g *Program) within(id string) []*Body {
	var list []*Body
	for _, other := range g.ids {
		if other == id || strings.HasPrefix(other, id+"$") {
			list = append(list, g.bodied[other])
		}
	}
	return list
}

func (g *Program) explainCall(b *Body, c *Call, module string) CallExplanation {
	e := CallExplanation{Line: c.At.Line, Callee: c.callee()}
	for _, h := range c.Around {
		e.Around = append(e.Around, g.siteText(h, module))
	}
	frame := g.frameOf(b.ID)
	seen := map[string]bool{}
	for _, path := range g.below(c, c.decides("")) {
		for _, known := range g.instance(path, frame, nil) {
			for _, closed := range g.closedPath(known, 0) {
				if text := g.routeText(closed, module); text != "" && !seen[text] {
					seen[text] = true
					e.Leads = append(e.Leads, text)
				}
			}
		}
	}
	sort.Strings(e.Leads)
	if len(e.Leads) == 0 {
		e.Leads = []string{g.silence(c, frame)}
	}
	return e
}

func (c *Call) callee() string {
	switch {
	case c.Callee != "":
		return c.At.Label
	case c.Tail != nil && c.Tail.Site != nil:
		return c.Tail.Site.Label
	case c.Tail != nil && c.Tail.Method != "":
		return strings.TrimPrefix(c.Tail.Callee.Text()+"."+c.Tail.Method, ".")
	case c.Tail != nil && c.Tail.Callee.Text() != "":
		return c.Tail.Callee.Text()
	}
	return c.At.Label
}

func (g *Program) siteText(h Hop, module string) string {
	n, why := g.Count(h)
	text := Link{Hop: h, Count: n, Why: why}.Text(module)
	for _, d := range h.Accepted {
		text += fmt.Sprintf(" accepted at %s:%d", d.File, d.Line)
	}
	return text
}

func (g *Program) routeText(path Path, module string) string {
	var parts []string
	for _, h := range path.Hops {
		parts = append(parts, g.siteText(h, module))
	}
	return strings.Join(parts, " × ")
}

// silence says why nothing is known to retry below a call.
func (g *Program) silence(c *Call, frame value.Frame) string {
	if c.Tail == nil || c.Tail.Site != nil {
		return "nothing below retries"
	}
	callee := frame.Substitute(c.Tail.Callee)
	var names []string
	members := alternativesOf(g.alsoArriving(g.resolve(callee), callee, c.Interface))
	if len(members) > narrow {
		return fmt.Sprintf("it may be one of %d, and fewer than half of them retry", len(members))
	}
	for _, k := range members {
		switch k.Kind {
		case value.Record:
			names = append(names, shortName(k.Name))
		case value.Func:
			names = append(names, k.Name[strings.LastIndexByte(k.Name, '/')+1:])
		}
	}
	if len(names) > 0 {
		slices.Sort(names)
		return "nothing below retries: it is " + strings.Join(slices.Compact(names), " or ")
	}
	return g.unknown(callee)
}

// unknown says why a value isn't known.
func (g *Program) unknown(t value.Term) string {
	name := t.Text()
	if name == "" {
		name = "what is called"
	}
	slot := slotFor(t)
	switch {
	case slot == "":
		return "not known: " + name + " comes from code that isn't looked into"
	case len(g.inflows(slot)) > 0 || len(g.coarse[slot]) > 0:
		return "not known: " + name + " is set, but to values that aren't known"
	}
	iface, _ := g.interfaceOf(t)
	switch n := len(g.implementations(iface)); {
	case g.settable(slot) && n > 1:
		return fmt.Sprintf("not known: nothing in the program sets %s, and %d types of the module implement it", name, n)
	case g.settable(slot):
		return "not known: nothing in the program sets " + name
	}
	return "not known: nothing that is looked at sets " + name
}

// callersOf lists the calls of a function: by name, and through interfaces that its type implements.
func (g *Program) callersOf(id string) []CallerExplanation {
	var list []CallerExplanation
	add := func(c *Call, dynamic bool) {
		module := g.modules[packageOf(c.At.Owner)]
		e := CallerExplanation{Function: c.At.Function, Place: c.At.Place(module), Dynamic: dynamic}
		for _, h := range c.Around {
			e.Around = append(e.Around, g.siteText(h, module))
		}
		list = append(list, e)
	}
	for _, c := range g.callsOf(id) {
		add(c, false)
	}
	if b := g.bodied[id]; b.Method {
		if g.invokes == nil {
			g.indexInvokes()
		}
		typ := typeOf(b.Params[0])
		for _, c := range g.invokes[id[strings.LastIndexByte(id, '.')+1:]] {
			if g.implements(typ, c.Interface) && g.related(typ, c.Interface) {
				add(c, true)
			}
		}
	}
	return list
}

// A Target is a function that a call can run.
type Target struct {
	Caller, Callee string
	File           string // of the call, relative to the module's root
	Line           int
	Around         int // sites around the call
}

// Edges lists the calls of the program with the functions of the program that they can run.
func (g *Program) Edges() []Target {
	var list []Target
	for _, id := range g.ids {
		b := g.bodied[id]
		for i := range b.Calls {
			c := &b.Calls[i]
			for _, callee := range g.targets(b, c) {
				list = append(list, Target{Caller: id, Callee: callee, File: c.At.File, Line: c.At.Line, Around: len(c.Around)})
			}
		}
	}
	return list
}

func (g *Program) targets(b *Body, c *Call) []string {
	if c.Callee != "" {
		if g.bodied[c.Callee] == nil && g.foreign[c.Callee] == nil {
			return nil
		}
		return []string{c.Callee}
	}
	if c.Tail == nil || c.Tail.Site != nil {
		return nil
	}
	var list []string
	for _, frame := range g.entries(b) {
		tail := c.Tail.in(frame)
		for _, callee := range alternativesOf(g.alsoArriving(g.resolve(tail.Callee), tail.Callee, c.Interface)) {
			for _, id := range g.targetsOf(callee, tail) {
				if id != "" && !slices.Contains(list, id) {
					list = append(list, id)
				}
			}
		}
	}
	return list
}

// targetsOf lists the functions that run if a tail's callee is known: several if that is the method of an interface, and the receiver
// may be of several types.
func (g *Program) targetsOf(callee value.Term, tail Tail) []string {
	receiver, method, _, ok := invocation(callee, tail.Args)
	if !ok {
		return []string{g.target(callee, tail.Method)}
	}
	var list []string
	for _, alt := range alternativesOf(g.resolve(receiver)) {
		list = append(list, g.target(alt, method))
	}
	return list
}

func (g *Program) target(callee value.Term, method string) string {
	for depth := 0; depth < 6; depth++ {
		if method == "" {
			if from, ok := callee.Get(value.From); ok && callee.Kind == value.Record {
				callee = from
			}
			if callee.Kind == value.Func {
				return callee.Name
			}
			return ""
		}
		if callee.Kind != value.Record {
			return ""
		}
		part, _, ok := g.embedded(callee, method)
		if !ok {
			return g.methodID(callee, method)
		}
		callee = g.resolve(part)
	}
	return ""
}
