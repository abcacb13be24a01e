package callgraph

import (
	"slices"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// frameOf describes the parameters of a function as slots, and what a literal captures in the terms of the function around.
func (g *Program) frameOf(id string) value.Frame {
	if f, ok := g.frames[id]; ok {
		return f
	}
	f := value.Frame{Call: g.result, Ask: g.ask}
	g.frames[id] = f
	body := g.bodied[id]
	if body == nil {
		return f
	}
	for i, param := range body.Params {
		f.Params = append(f.Params, paramOf(id, i, param))
	}
	if body.Parent != "" {
		around := g.frameOf(body.Parent)
		for _, b := range body.Bindings {
			f.Free = append(f.Free, around.Substitute(b))
		}
	}
	g.frames[id] = f
	return f
}

func paramOf(id string, i int, param value.Term) value.Term {
	typ := ""
	if len(param.Names) > 0 {
		typ = param.Names[0]
	}
	return value.Term{Kind: value.Slot, Name: paramSlotOf(id, i), Names: []string{param.Name, typ}}
}

func (g *Program) frame(params, free []value.Term) value.Frame {
	return value.Frame{Params: params, Free: free, Call: g.result, Ask: g.ask}
}

// result describes a result of calling a function value, or a method of a value, that has become known.
func (g *Program) result(callee value.Term, method string, args []value.Term, n int64) (value.Term, bool) {
	if g.inquiry.tooDeep() {
		return value.Term{}, false
	}
	defer g.inquiry.deeper()()
	if method != "" {
		if callee.Kind != value.Record {
			return value.Term{}, false
		}
		if part, _, ok := g.embedded(callee, method); ok {
			if callee = g.resolve(part); callee.Kind != value.Record {
				return value.Term{}, false
			}
		}
		id := g.methodID(callee, method)
		if id == "" {
			return value.Term{}, false
		}
		callee = value.Term{Kind: value.Func, Name: id, Names: []string{bound}, Args: []value.Term{callee}}
	}
	if callee.Kind != value.Func {
		return value.Term{}, false
	}
	if receiver, method, rest, ok := invocation(callee, args); ok {
		return g.invokedResult(receiver, method, rest, n)
	}
	results := g.resultsOf(callee.Name)
	if n >= int64(len(results)) || !results[n].Known() {
		return value.Term{}, false
	}
	return g.frame(bind(callee, args)).Substitute(results[n]), true
}

// invokedResult describes a result of a method of an interface, if one value is known to be in it. With several, each of whose results has
// several again, there would be no end.
func (g *Program) invokedResult(receiver value.Term, method string, args []value.Term, n int64) (value.Term, bool) {
	if alternatives := alternativesOf(g.resolve(receiver)); len(alternatives) == 1 {
		return g.result(alternatives[0], method, args, n)
	}
	return value.Term{}, false
}

func (g *Program) resultsOf(id string) []value.Term {
	if b := g.bodied[id]; b != nil {
		return b.Results
	}
	if f := g.foreign[id]; f != nil {
		return f.Results
	}
	return nil
}

const (
	// maxLinkDepth is how far a value is followed backwards from slot to slot.
	maxLinkDepth = 24
	// maxSlotValues is how many values a slot is looked at to hold; one with more holds anything.
	maxSlotValues = 96
)

// valuesIn returns what a slot can hold, each with its head known: functions, structs, lists, constants. For a field of an
// instance that isn't known, one answer is wanted: what is assigned at different places belongs to different instances, and
// which of them it is can't be told. alike tells that the slot is looked at for such a field.
func (g *Program) valuesIn(slot string, alike bool) []value.Term {
	key := slot
	if alike = alike || strings.HasPrefix(slot, fieldSlot); alike {
		key += " alike"
	}
	if list, ok := g.slots.known(key); ok {
		return list
	}
	if g.slots.isOpen(key) || g.inquiry.tooDeep() {
		return nil
	}
	return g.slots.answer(key, func() []value.Term {
		wasAlike := g.alike
		g.alike = alike
		defer func() { g.alike = wasAlike }()
		return g.gather(slot, alike)
	})
}

func (g *Program) gather(slot string, alike bool) []value.Term {
	var list []value.Term
	for _, in := range g.inflows(slot) {
		one := g.addHeads(nil, in)
		if alike && len(list) > 0 && len(one) > 0 && !sameValues(list, one) {
			return nil
		}
		list = addNew(list, one)
	}
	if len(list) > maxSlotValues {
		return nil
	}
	return list
}

// sameValues reports whether two lists hold values of the same types, or the same functions.
func sameValues(a, b []value.Term) bool {
	for _, v := range b {
		if !slices.ContainsFunc(a, func(u value.Term) bool { return u.Kind == v.Kind && u.Name == v.Name }) {
			return false
		}
	}
	return len(a) == len(b)
}

func (g *Program) addHeads(list []value.Term, t value.Term) []value.Term {
	for _, alt := range alternativesOf(g.resolve(t)) {
		if alt.Known() && alt.Kind != value.Nil && alt.Kind != value.Zero && !isReference(alt) && !holds(list, alt) {
			list = append(list, alt)
		}
	}
	return list
}

// addNew appends the values that list doesn't hold yet.
func addNew(list, values []value.Term) []value.Term {
	for _, v := range values {
		if !holds(list, v) {
			list = append(list, v)
		}
	}
	return list
}

func holds(list []value.Term, t value.Term) bool {
	for _, u := range list {
		if value.Equal(t, u) {
			return true
		}
	}
	return false
}

// isReference reports whether a term still stands for something else that wasn't found.
func isReference(t value.Term) bool {
	switch t.Kind {
	case value.Slot, value.Field, value.Result, value.Element, value.Param, value.Free, value.Global:
		return true
	}
	return false
}

func alternativesOf(t value.Term) []value.Term {
	switch t.Kind {
	case value.Either:
		return t.Args
	case value.Cond:
		return append(alternativesOf(t.Args[1]), alternativesOf(t.Args[2])...)
	}
	return []value.Term{t}
}

// resolve finds out what a reference stands for, as far as its head: the parts of a struct stay references, or decorators
// that decorate each other would have no end.
func (g *Program) resolve(t value.Term) value.Term {
	if g.inquiry.tooDeep() {
		return t
	}
	defer g.inquiry.deeper()()
	switch t.Kind {
	case value.Slot:
		return g.oneOf(t, g.valuesIn(t.Name, g.alike))
	case value.Global:
		if len(t.Args) == 1 && t.Args[0].Known() && !isReference(t.Args[0]) {
			return g.resolve(t.Args[0])
		}
		return g.oneOf(t, g.valuesIn(variableSlot+t.Name, g.alike))
	case value.Field:
		return g.resolveField(t)
	case value.Element:
		return g.resolveElement(t)
	case value.Result:
		return g.resolveResult(t)
	case value.Either, value.Cond:
		alts := alternativesOf(t)
		resolved := make([]value.Term, len(alts))
		for i, a := range alts {
			resolved[i] = g.resolve(a)
		}
		return value.OneOf(resolved...)
	}
	return t
}

// oneOf is t if nothing is known of it.
func (g *Program) oneOf(t value.Term, list []value.Term) value.Term {
	if len(list) == 0 {
		return t
	}
	return value.OneOf(list...)
}

func (g *Program) resolveField(t value.Term) value.Term {
	var list []value.Term
	open := false
	for _, base := range alternativesOf(g.resolve(t.Args[0])) {
		f := value.Select(base, t.Name)
		if f.Kind == value.Field && f.Names == nil {
			f.Names = t.Names
		}
		if f.Kind == value.Field {
			open = true
			continue
		}
		list = g.addHeads(list, f)
	}
	if open || len(list) == 0 {
		if slot := slotFor(t); slot != "" {
			list = addNew(list, g.valuesIn(slot, g.alike))
		}
	}
	return g.oneOf(t, list)
}

func (g *Program) resolveElement(t value.Term) value.Term {
	var list []value.Term
	for _, container := range alternativesOf(g.resolve(t.Args[0])) {
		if container.Kind == value.List {
			for _, e := range flatten(container) {
				list = g.addHeads(list, e)
			}
		}
	}
	if slot := elements(t.Args[0]); slot != "" {
		list = addNew(list, g.valuesIn(slot, g.alike))
	}
	return g.oneOf(t, list)
}

func (g *Program) resolveResult(t value.Term) value.Term {
	var list []value.Term
	for _, callee := range alternativesOf(g.resolve(t.Args[0])) {
		if r, ok := g.result(callee, t.Name, t.Args[1:], t.N); ok {
			list = g.addHeads(list, r)
		}
	}
	return g.oneOf(t, list)
}

// close describes a number or policy for a reader outside of all functions: slots hold what all assignments agree on.
func (g *Program) close(t value.Term) value.Term { return g.closeDeep(t, 0).Bounded() }

func (g *Program) closeDeep(t value.Term, depth int) value.Term {
	if depth > 30 || g.inquiry.tooDeep() {
		return value.Named(t.Text())
	}
	switch t.Kind {
	case value.Param, value.Free:
		return value.Term{Kind: value.Unknown, Name: t.Name, Names: t.Names}
	case value.Slot:
		return g.agreed(t, t.Name, depth)
	case value.Field:
		return g.closeField(t, depth)
	}
	return g.frame(nil, nil).Map(t, func(part value.Term) value.Term { return g.closeDeep(part, depth+1) })
}

func (g *Program) closeField(t value.Term, depth int) value.Term {
	base := t.Args[0]
	if base.Kind != value.Slot || depth > 0 {
		base = g.closeDeep(base, depth+1)
	}
	r := value.Select(base, t.Name)
	if r.Kind != value.Field {
		return g.closeHeld(t, r, depth)
	}
	if len(t.Names) == 0 {
		return r
	}
	r.Names = t.Names
	if v, ok := g.fields[t.Names[0]+"."+t.Name]; ok && v.Known() {
		return named(v, r.Text())
	}
	return g.agreed(r, fieldSlot+t.Names[0]+"."+t.Name, depth)
}

// closeHeld describes what a field holds. What holds values of the same field again, as instances do whose fields were merged, is left
// at that: each of them would have as many below it.
func (g *Program) closeHeld(field, held value.Term, depth int) value.Term {
	key := field.Name
	if len(field.Names) > 0 {
		key = field.Names[0] + "." + field.Name
	}
	if g.closing[key] == maxClosing {
		return value.Named(field.Text())
	}
	g.closing[key]++
	defer func() { g.closing[key]-- }()
	return g.closeDeep(held, depth+1)
}

// maxClosing is how often one field is described within what it holds itself.
const maxClosing = 2

// agreed returns what a slot holds if all assignments give one answer, else t as an unknown value of the name that the source
// gives it.
func (g *Program) agreed(t value.Term, slot string, depth int) value.Term {
	other := t
	if t.Kind == value.Slot {
		other = value.Named(t.Text())
	}
	one, ok := g.agreement.known(slot)
	if !ok && !g.agreement.isOpen(slot) {
		one = g.agreement.answer(slot, func() value.Term { return g.agree(slot, depth) })
	}
	if !one.Known() {
		return other
	}
	return one
}

// agree returns the one value that all assignments to a slot give it, an unknown one if they differ.
func (g *Program) agree(slot string, depth int) value.Term {
	one := value.Term{}
	for _, in := range g.inflows(slot) {
		v := g.closeDeep(in, depth+1)
		if !settled(v) || one.Known() && !value.Equal(v, one) {
			return value.Term{}
		}
		one = v
	}
	return one
}

// settled reports whether a value is known without its context.
func settled(t value.Term) bool { return t.Known() && !isReference(t) }
