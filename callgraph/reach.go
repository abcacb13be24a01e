package callgraph

import (
	"slices"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// reach finds the functions that may lead to a retry site, on a call graph that links methods by name and function values
// with every function that is used as one. Calls that lead to none are left out of composition: most of a program's calls
// have nothing to do with retries.
func (g *Program) reach() {
	r := &reacher{
		g: g, leads: map[string]bool{}, values: map[string]bool{}, callers: map[string][]string{}, invokers: map[string][]string{},
		foreign: g.foreignMethods(),
	}
	for _, id := range g.ids {
		r.index(id)
	}
	for len(r.queue) > 0 {
		id := r.queue[0]
		r.queue = r.queue[1:]
		r.spread(id)
	}
	for _, id := range g.ids {
		b := g.bodied[id]
		for i := range b.Calls {
			b.Calls[i].idle = !r.matters(&b.Calls[i])
		}
	}
}

type reacher struct {
	g        *Program
	leads    map[string]bool
	queue    []string
	callers  map[string][]string // static callers, and functions that name a function as a value
	invokers map[string][]string // functions that invoke a method, by its name
	dynamic  []string            // functions that call function values
	values   map[string]bool
	foreign  map[string]bool // names of methods of other modules
	valued   bool            // some function that is used as a value leads to a site
}

func (r *reacher) index(id string) {
	b := r.g.bodied[id]
	for i := range b.Calls {
		c := &b.Calls[i]
		if c.Callee != "" {
			r.callers[c.Callee] = append(r.callers[c.Callee], id)
			if f := r.g.foreign[c.Callee]; f != nil && leadsToSite(f.Paths) {
				r.add(id)
			}
		}
		if len(c.Around) > 0 {
			r.add(id)
		}
		for _, a := range c.Args {
			r.name(id, a)
		}
		for t := c.Tail; t != nil; t = t.Then {
			r.indexTail(id, t)
		}
	}
	for _, t := range b.Results {
		r.name(id, t)
	}
}

func (r *reacher) indexTail(id string, t *Tail) {
	switch {
	case t.Site != nil:
		r.add(id)
	case t.Method != "":
		r.invokers[t.Method] = append(r.invokers[t.Method], id)
	default:
		r.dynamic = append(r.dynamic, id)
	}
	r.name(id, t.Callee)
	for _, a := range t.Args {
		r.name(id, a)
	}
}

// name links a function with those that it uses as values.
func (r *reacher) name(id string, t value.Term) {
	t.Any(func(part value.Term) bool {
		if part.Kind == value.Func {
			r.values[part.Name] = true
			if slices.Contains(part.Names, invoked) {
				r.invokers[methodOfName(part.Name)] = append(r.invokers[methodOfName(part.Name)], id)
			}
			r.callers[part.Name] = append(r.callers[part.Name], id)
			if f := r.g.foreign[part.Name]; f != nil && leadsToSite(f.Paths) {
				r.add(id)
			}
		}
		return false
	})
}

func leadsToSite(paths []Path) bool {
	for _, p := range paths {
		if len(p.Hops) > 0 || p.Tail != nil && p.Tail.Site != nil {
			return true
		}
	}
	return false
}

func (r *reacher) add(id string) {
	if !r.leads[id] {
		r.leads[id] = true
		r.queue = append(r.queue, id)
	}
}

func (r *reacher) spread(id string) {
	for _, caller := range r.callers[id] {
		r.add(caller)
	}
	if b := r.g.bodied[id]; b != nil && b.Method {
		for _, invoker := range r.invokers[methodOfName(id)] {
			r.add(invoker)
		}
	}
	if !r.valued && r.values[id] {
		r.valued = true
		for _, caller := range r.dynamic {
			r.add(caller)
		}
	}
}

// matters reports whether a chain may go through a call.
func (r *reacher) matters(c *Call) bool {
	if c.Beside {
		return false
	}
	if len(c.Around) > 0 || r.leads[c.Callee] {
		return true
	}
	if f := r.g.foreign[c.Callee]; f != nil && len(f.Paths) > 0 {
		return true
	}
	for _, a := range c.Args {
		if r.namesOne(a) {
			return true
		}
	}
	for t := c.Tail; t != nil; t = t.Then {
		if t.Site != nil || t.Method == "" || r.invoked(t.Method) {
			return true
		}
	}
	return false
}

func (r *reacher) namesOne(t value.Term) bool {
	return t.Any(func(part value.Term) bool {
		return part.Kind == value.Func && (r.leads[part.Name] || slices.Contains(part.Names, invoked) && r.invoked(methodOfName(part.Name)))
	})
}

// invoked reports whether some method of that name leads to a site.
func (r *reacher) invoked(method string) bool {
	for _, t := range r.g.byMethod[method] {
		if id := r.g.methodOf(t, method); r.leads[id] {
			return true
		}
	}
	return r.foreign[method]
}

// foreignMethods names the methods of other modules that values may have, and those by which layers of clients call each other.
func (g *Program) foreignMethods() map[string]bool {
	names := map[string]bool{}
	for _, method := range layerMethods {
		names[method] = true
	}
	for id := range g.foreign {
		if _, method, ok := strings.Cut(id, ")."); ok {
			names[method] = true
		}
	}
	return names
}
