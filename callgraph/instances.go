package callgraph

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// construct collects the structs that functions make, as instances: decorators are followed as what they were built of. What
// a constructor makes of its parameters counts where somebody calls it, with what it is given; only where nobody does, and a
// user may, it counts as it stands.
func (g *Program) construct() {
	for _, id := range g.ids {
		b := g.bodied[id]
		frame := g.frameOf(id)
		see := func(t value.Term) {
			if t.Any(isRecord) {
				g.collectMade(frame.Substitute(t))
			}
		}
		for _, t := range b.Results {
			if !t.Open() || !g.called(id) {
				see(t)
			}
		}
		for i := range b.Calls {
			c := &b.Calls[i]
			for _, t := range c.Args {
				see(t)
			}
			if c.Tail != nil {
				see(c.Tail.Callee)
				for _, t := range c.Tail.Args {
					see(t)
				}
			}
		}
	}
	for _, to := range slices.Sorted(maps.Keys(g.flows)) {
		for _, f := range g.flows[to] {
			if f.Value.Any(isRecord) {
				g.collectMade(g.frameOf(f.In).Substitute(f.Value))
			}
		}
	}
}

func isRecord(t value.Term) bool { return t.Kind == value.Record }

// called reports whether the program calls a function, by its name or as a value.
func (g *Program) called(id string) bool { return len(g.callsOf(id)) > 0 || strings.Contains(id, "$") }

// collectMade notes the structs of the program's types in a value.
func (g *Program) collectMade(t value.Term) {
	t.Any(func(part value.Term) bool {
		if part.Kind == value.Record && g.types[part.Name] != nil && len(part.Args) > 0 {
			if list := g.made[part.Name]; len(list) < maxInstances && !holds(list, part) {
				g.made[part.Name] = append(list, part)
			}
			for _, a := range part.Args {
				if a.Kind == value.Slot && !slices.Contains(g.holders[a.Name], part.Name) {
					g.holders[a.Name] = append(g.holders[a.Name], part.Name)
				}
			}
		}
		return false
	})
}

// maxInstances is how many different instances of a type are followed.
const maxInstances = 24

// entries returns the frames in which a function is looked at by itself: a method with each instance of its type, any function
// with what arrives at its parameters.
func (g *Program) entries(body *Body) []value.Frame {
	frame := g.entryFrame(body)
	frames := []value.Frame{frame}
	if !body.Method || len(frame.Params) == 0 {
		return frames
	}
	for _, instance := range g.made[typeOf(body.Params[0])] {
		f := frame
		f.Params = append([]value.Term{instance}, frame.Params[1:]...)
		frames = append(frames, f)
	}
	return frames
}

// entryFrame is like frameOf, but leaves out what calls by name give: the callers of a helper are looked at by themselves, and
// never linked to each other through its body.
func (g *Program) entryFrame(body *Body) value.Frame {
	f := g.frame(nil, nil)
	called := len(g.callsOf(body.ID)) > 0
	common := g.callersArguments(body)
	for i, param := range body.Params {
		switch {
		case common[i].Kind != value.Param:
			f.Params = append(f.Params, common[i])
		case called && !(body.Method && i == 0):
			f.Params = append(f.Params, value.Term{Kind: value.Unknown, Name: param.Name, Names: param.Names})
		default:
			f.Params = append(f.Params, paramOf(body.ID, i, param))
		}
	}
	if around := g.bodied[body.Parent]; around != nil {
		frame := g.entryFrame(around)
		for _, b := range body.Bindings {
			f.Free = append(f.Free, frame.Substitute(b))
		}
	}
	return f
}

// inflows lists what is assigned to a slot, in terms of slots.
func (g *Program) inflows(slot string) []value.Term {
	list, ok := g.flowing.known(slot)
	if ok || g.flowing.isOpen(slot) {
		return list
	}
	return g.flowing.answer(slot, func() []value.Term { return g.findInflows(slot) })
}

func (g *Program) findInflows(slot string) []value.Term {
	if rest, ok := strings.CutPrefix(slot, paramSlot); ok {
		i := strings.LastIndexByte(rest, ' ')
		n, _ := strconv.Atoi(rest[i+1:])
		return g.argumentsFor(rest[:i], n)
	}
	var list []value.Term
	for _, f := range g.flows[slot] {
		list = append(list, g.frameOf(f.In).Substitute(f.Value))
	}
	if len(list) == 0 {
		list = g.injected(slot)
	}
	return list
}

// argumentsFor lists what parameter n of a function is given: by calls, by calls of an interface method that it implements,
// and by containers that call it.
func (g *Program) argumentsFor(id string, n int) []value.Term {
	body := g.bodied[id]
	if body != nil && body.Method && n == 0 { // instances are looked at one by one
		return []value.Term{{Kind: value.Record, Name: typeOf(body.Params[0])}}
	}
	var list []value.Term
	for _, c := range g.callsOf(id) {
		if n < len(c.Args) {
			list = append(list, g.frameOf(c.At.Owner).Substitute(c.Args[n]))
		}
	}
	if body != nil && body.Method {
		list = append(list, g.invokedWith(id, n-1)...)
	}
	for _, r := range g.takes[id] {
		if n < len(r.Params) {
			list = append(list, g.providedAs(r.Params[n])...)
		}
	}
	return list
}

func typeOf(param value.Term) string {
	if len(param.Names) == 0 {
		return ""
	}
	return param.Names[0]
}

// invokedWith lists what calls of an interface method give for argument n, for each interface that the method's type
// implements.
func (g *Program) invokedWith(id string, n int) []value.Term {
	method := methodOfName(id)
	typ := strings.TrimLeft(id[:strings.LastIndexByte(id, ')')], "(*")
	if g.invokes == nil {
		g.indexInvokes()
	}
	var list []value.Term
	for _, c := range g.invokes[method] {
		if n < len(c.Tail.Args) && g.implements(typ, c.Interface) {
			list = append(list, g.frameOf(c.At.Owner).Substitute(c.Tail.Args[n]))
		}
	}
	return list
}

func (g *Program) indexInvokes() {
	g.invokes = map[string][]*Call{}
	for _, id := range g.ids {
		b := g.bodied[id]
		for i := range b.Calls {
			if c := &b.Calls[i]; c.Tail != nil && c.Tail.Method != "" {
				g.invokes[c.Tail.Method] = append(g.invokes[c.Tail.Method], c)
			}
		}
	}
}

// implements reports whether a type has all methods of an interface, both of the program.
func (g *Program) implements(typ, iface string) bool {
	key := [2]string{typ, iface}
	if does, ok := g.fits[key]; ok {
		return does
	}
	g.fits[key] = g.hasMethods(typ, iface)
	return g.fits[key]
}

func (g *Program) hasMethods(typ, iface string) bool {
	t, i := g.types[typ], g.types[iface]
	if t == nil || i == nil || !i.Interface || len(i.Methods) == 0 {
		return false
	}
	have := map[string]bool{}
	for _, m := range t.Methods {
		have[m] = true
	}
	for _, m := range i.Methods {
		if !have[m] {
			return false
		}
	}
	return true
}

// injected lists what a container puts into a field that nothing assigns: fields of structs that it makes for functions that
// it calls.
func (g *Program) injected(slot string) []value.Term {
	field, ok := strings.CutPrefix(slot, fieldSlot)
	if !ok {
		return nil
	}
	dot := strings.LastIndexByte(field, '.')
	owner, name := field[:dot], field[dot+1:]
	if !g.isParameterOfReflected(owner) {
		return nil
	}
	return g.providedAs(g.fieldType(owner, name))
}

func (g *Program) fieldType(owner, name string) string {
	t := g.types[owner]
	if t == nil {
		return ""
	}
	for _, f := range t.Fields {
		if rest, ok := strings.CutPrefix(f, name+":"); ok {
			return rest
		}
	}
	return ""
}

func (g *Program) isParameterOfReflected(typ string) bool {
	if g.injectable == nil {
		g.injectable = map[string]bool{}
		for _, instances := range g.takes {
			for _, r := range instances {
				for _, p := range r.Params {
					g.injectable[p] = true
				}
			}
		}
	}
	return g.injectable[typ]
}

// providedAs lists the results of that type of the functions that a container calls.
func (g *Program) providedAs(typ string) []value.Term {
	if typ == "" || typ == "error" {
		return nil
	}
	var list []value.Term
	for _, f := range g.provided[typ] {
		for _, one := range g.functionsOf(f) {
			results := g.resultsOf(one.Function)
			for i, r := range f.Results {
				if r == typ && i < len(results) {
					list = append(list, g.frameOfReflected(one).Substitute(results[i]))
				}
			}
		}
	}
	return list
}

// functionsOf lists the functions that a container may call where it was given f.
func (g *Program) functionsOf(f Reflected) []Reflected {
	if f.Value == nil {
		return []Reflected{f}
	}
	var list []Reflected
	for _, fn := range alternativesOf(g.resolve(g.frameOf(f.In).Substitute(*f.Value))) {
		if fn.Kind == value.Func {
			list = append(list, Reflected{Function: fn.Name, Captured: fn.Args})
		}
	}
	return list
}

// frameOfReflected describes the parameters of a function that a container calls, and what this instance of it has captured.
func (g *Program) frameOfReflected(f Reflected) value.Frame {
	frame := g.frameOf(f.Function)
	if len(f.Captured) == 0 {
		return frame
	}
	frame.Free = nil
	for _, c := range f.Captured {
		frame.Free = append(frame.Free, g.frameOf(f.In).Substitute(c))
	}
	return frame
}
