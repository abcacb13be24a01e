package callgraph

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

// # Types that flow
//
// Values with their parts (flows.go) are followed on demand, one by one, and only so far. Where that ends, it is still known
// which types of values, and which functions, can arrive: by variable type analysis over the summaries. Parameters, results,
// fields, variables and the elements of containers are nodes; assignments, arguments and returns are edges; types of
// structs that are made, and functions that are used as values, spread along them until nothing changes. Calls of methods
// and of function values add edges when a type or function reaches what they are called on. Instances of a type share the
// nodes of its fields. What a slot is declared to hold keeps out what else the terms would let in, as they pass through
// type assertions.

// A typeFlow knows which types and functions reach which node.
type typeFlow struct {
	g       *Program
	named   map[string]int
	nodes   []typeNode
	edges   map[[2]int]bool
	pending []arrival
	known   map[string]bool            // functions of other modules whose results are linked
	told    map[[2]string][]value.Term // types of an interface in a slot
}

// A typeNode is a place that values arrive at.
type typeNode struct {
	accepts  func(flowItem) bool // nil if anything may arrive
	holds    map[flowItem]bool
	order    []flowItem
	next     []int
	previous []int
	elements int // node of the elements of what arrives, 0 if nobody asks
	nested   int // how many containers are around
	watchers []func(flowItem)
}

// A flowItem is a type, or a function that is used as a value.
type flowItem struct {
	Type     string // pkgpath.Type
	Function string
	Bound    bool // to a receiver
	Invoked  bool // a method of an interface: the receiver decides what is executed
	Receiver int  // node of the receiver of one that is bound and invoked
}

type arrival struct {
	at   int
	item flowItem
}

// nowhere is the node of terms that nothing is known of.
const nowhere = 0

func newTypeFlow(g *Program) *typeFlow {
	f := &typeFlow{g: g, named: map[string]int{}, edges: map[[2]int]bool{}, known: map[string]bool{}, told: map[[2]string][]value.Term{}}
	f.node(nil)
	for _, id := range g.ids {
		f.addBody(g.bodied[id])
	}
	f.addFlows(g.flows)
	f.addFlows(g.coarse)
	for _, field := range slices.Sorted(maps.Keys(g.fields)) {
		f.edge(f.of("", g.fields[field]), f.slot(fieldSlot+field))
	}
	f.addReflected()
	f.spread()
	return f
}

func (f *typeFlow) addFlows(flows map[string][]Flow) {
	for _, to := range slices.Sorted(maps.Keys(flows)) {
		for _, flow := range flows[to] {
			f.edge(f.of(flow.In, flow.Value), f.slot(to))
		}
	}
}

func (f *typeFlow) addBody(b *Body) {
	for i, r := range b.Results {
		f.edge(f.of(b.ID, r), f.slot(resultSlotOf(b.ID, i)))
	}
	for i := range b.Calls {
		c := &b.Calls[i]
		if c.Callee != "" {
			f.execute(c.Callee, 0, f.all(b.ID, c.Args), nowhere, 0)
		}
		for t := c.Tail; t != nil; t = t.Then {
			on := f.of(b.ID, t.Callee)
			if t.Site == nil {
				f.call(dynamic{method: t.Method, iface: c.Interface, args: f.all(b.ID, t.Args)}, on)
			}
		}
	}
}

func (f *typeFlow) all(id string, terms []value.Term) []int {
	list := make([]int, len(terms))
	for i, t := range terms {
		list[i] = f.of(id, t)
	}
	return list
}

// addReflected links the functions that a container for dependency injection calls, by the types of what they take and give.
func (f *typeFlow) addReflected() {
	for _, typ := range slices.Sorted(maps.Keys(f.g.provided)) {
		for _, p := range f.g.provided[typ] {
			for i, r := range p.Results {
				if r == typ && typ != "error" && typ != "" {
					f.edge(f.resultOf(p, i), f.slot(providedSlot+typ))
				}
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(f.g.takes)) {
		for _, r := range f.g.takes[id] {
			for i, typ := range r.Params {
				f.edge(f.slot(providedSlot+typ), f.slot(paramSlotOf(id, i)))
				f.injectInto(typ)
			}
		}
	}
}

// injectInto links the fields of a struct that a container makes for a function.
func (f *typeFlow) injectInto(typ string) {
	t := f.g.types[typ]
	if t == nil || t.Interface {
		return
	}
	for _, field := range t.Fields {
		name, of, _ := strings.Cut(field, ":")
		if len(f.g.flows[fieldSlot+typ+"."+name]) == 0 {
			f.edge(f.slot(providedSlot+of), f.slot(fieldSlot+typ+"."+name))
		}
	}
}

func (f *typeFlow) resultOf(p Reflected, i int) int {
	if p.Value == nil {
		return f.slot(resultSlotOf(p.Function, i))
	}
	result := f.node(nil)
	f.call(dynamic{result: result, index: i}, f.of(p.In, *p.Value))
	return result
}

// Nodes that are no slots of values.
const (
	providedSlot = "provided " // type
	typeSlot     = "type "
)

func (f *typeFlow) node(accepts func(flowItem) bool) int {
	f.nodes = append(f.nodes, typeNode{accepts: accepts, holds: map[flowItem]bool{}})
	return len(f.nodes) - 1
}

func (f *typeFlow) slot(name string) int {
	if container, ok := strings.CutPrefix(name, elementsOf); ok {
		return f.elements(f.slot(container))
	}
	n, ok := f.named[name]
	if !ok {
		n = f.node(f.accepted(name))
		f.named[name] = n
		if receiver := f.receiver(name); receiver != "" {
			f.arrive(n, flowItem{Type: receiver})
		}
	}
	return n
}

// receiver is the type of the method whose receiver a slot is, "" if it is none.
func (f *typeFlow) receiver(slot string) string {
	id, ok := strings.CutPrefix(slot, paramSlot)
	if id, isFirst := strings.CutSuffix(id, " 0"); ok && isFirst && f.g.bodied[id] != nil && f.g.bodied[id].Method {
		return typeOf(f.g.bodied[id].Params[0])
	}
	return ""
}

// accepted tells what fits into a slot by its declared type; nil if that says nothing.
func (f *typeFlow) accepted(slot string) func(flowItem) bool {
	declared := f.declared(slot)
	t := f.g.types[declared]
	if t == nil {
		return nil
	}
	return func(i flowItem) bool {
		switch {
		case i.Type == "":
			return true
		case t.Interface:
			return len(t.Methods) == 0 || f.g.implements(i.Type, declared)
		}
		return i.Type == declared
	}
}

func (f *typeFlow) declared(slot string) string {
	if rest, ok := strings.CutPrefix(slot, paramSlot); ok {
		at := strings.LastIndexByte(rest, ' ')
		n, _ := strconv.Atoi(rest[at+1:])
		if b := f.g.bodied[rest[:at]]; b != nil && n < len(b.Params) {
			return typeOf(b.Params[n])
		}
	}
	if field, ok := strings.CutPrefix(slot, fieldSlot); ok {
		dot := strings.LastIndexByte(field, '.')
		return f.g.fieldType(field[:dot], field[dot+1:])
	}
	return ""
}

// maxNested is how many containers in each other are told apart.
const maxNested = 2

// elements is the node of the elements of the containers that arrive at n. They go wherever their containers go.
func (f *typeFlow) elements(n int) int {
	if n == nowhere {
		return nowhere
	}
	if e := f.nodes[n].elements; e != 0 {
		return e
	}
	if f.nodes[n].nested == maxNested {
		return n
	}
	e := f.node(nil)
	f.nodes[e].nested = f.nodes[n].nested + 1
	f.nodes[n].elements = e
	for _, p := range slices.Clone(f.nodes[n].previous) {
		f.edge(f.elements(p), e)
	}
	for _, s := range slices.Clone(f.nodes[n].next) {
		f.edge(e, f.elements(s))
	}
	return e
}

func (f *typeFlow) edge(from, to int) {
	if from == nowhere || to == nowhere || from == to || f.edges[[2]int{from, to}] {
		return
	}
	f.edges[[2]int{from, to}] = true
	f.nodes[from].next = append(f.nodes[from].next, to)
	f.nodes[to].previous = append(f.nodes[to].previous, from)
	if f.nodes[from].elements != 0 || f.nodes[to].elements != 0 {
		f.edge(f.elements(from), f.elements(to))
	}
	for _, item := range f.nodes[from].order {
		f.arrive(to, item)
	}
}

func (f *typeFlow) arrive(at int, item flowItem) {
	n := &f.nodes[at]
	if at == nowhere || n.holds[item] || n.accepts != nil && !n.accepts(item) {
		return
	}
	n.holds[item] = true
	n.order = append(n.order, item)
	f.pending = append(f.pending, arrival{at, item})
}

// spread lets what has arrived go on, until nothing is new.
func (f *typeFlow) spread() {
	for len(f.pending) > 0 {
		a := f.pending[len(f.pending)-1]
		f.pending = f.pending[:len(f.pending)-1]
		for _, to := range slices.Clone(f.nodes[a.at].next) {
			f.arrive(to, a.item)
		}
		for _, seen := range slices.Clone(f.nodes[a.at].watchers) {
			seen(a.item)
		}
	}
}

// watch calls seen for whatever has arrived at a node, or will.
func (f *typeFlow) watch(at int, seen func(flowItem)) {
	if at == nowhere {
		return
	}
	f.nodes[at].watchers = append(f.nodes[at].watchers, seen)
	for _, item := range slices.Clone(f.nodes[at].order) {
		seen(item)
	}
}

// of returns the node of a term of a function.
func (f *typeFlow) of(in string, t value.Term) int {
	switch t.Kind {
	case value.Slot:
		return f.slot(t.Name)
	case value.Param:
		return f.slot(paramSlotOf(in, int(t.N)))
	case value.Free:
		if b := f.g.bodied[in]; b != nil && t.N < int64(len(b.Bindings)) {
			return f.of(b.Parent, b.Bindings[t.N])
		}
	case value.Global:
		n := f.slot(variableSlot + t.Name)
		for _, held := range t.Args {
			f.edge(f.of(in, held), n)
		}
		return n
	case value.Field:
		return f.field(in, t)
	case value.Element:
		return f.elements(f.of(in, t.Args[0]))
	case value.Record:
		return f.record(in, t)
	case value.Func:
		return f.function(in, t)
	case value.List:
		return f.list(in, t)
	case value.Result:
		result := f.node(nil)
		args := make([]int, 0, len(t.Args))
		for _, a := range t.Args[1:] {
			args = append(args, f.of(in, a))
		}
		f.call(dynamic{method: t.Name, args: args, result: result, index: int(t.N)}, f.of(in, t.Args[0]))
		return result
	case value.Cond:
		return f.any(in, t.Args[1:])
	case value.Either, value.Symbol:
		return f.any(in, t.Args)
	case value.Op:
		if t.Name == "apply" {
			return f.any(in, t.Args)
		}
	}
	return nowhere
}

func (f *typeFlow) any(in string, terms []value.Term) int {
	n := f.node(nil)
	for _, t := range terms {
		f.edge(f.of(in, t), n)
	}
	return n
}

func (f *typeFlow) field(in string, t value.Term) int {
	if slot := slotFor(t); slot != "" {
		f.of(in, t.Args[0])
		return f.slot(slot)
	}
	n := f.node(nil)
	f.watch(f.of(in, t.Args[0]), func(i flowItem) {
		if i.Type != "" {
			f.edge(f.slot(fieldSlot+i.Type+"."+t.Name), n)
		}
	})
	return n
}

// record is the node of a type; what its fields are given goes to the nodes of the fields.
func (f *typeFlow) record(in string, t value.Term) int {
	for i, name := range t.Names {
		if i < len(t.Args) {
			f.set(in, t.Name, name, t.Args[i])
		}
	}
	if t.Name == "" {
		return nowhere
	}
	n := f.slot(typeSlot + t.Name)
	f.arrive(n, flowItem{Type: t.Name})
	return n
}

func (f *typeFlow) set(in, typ, field string, v value.Term) {
	if field != value.Applied {
		f.edge(f.of(in, v), f.slot(fieldSlot+typ+"."+field))
		return
	}
	for _, option := range flatten(v) {
		if option.Kind == value.Setter {
			for i, name := range option.Names {
				f.set(in, typ, name, option.Args[i])
			}
		}
	}
}

func (f *typeFlow) function(in string, t value.Term) int {
	args := make([]int, len(t.Args))
	for i, a := range t.Args {
		args[i] = f.of(in, a)
	}
	item := flowItem{Function: t.Name, Bound: slices.Contains(t.Names, bound), Invoked: slices.Contains(t.Names, invoked)}
	if item.Bound && item.Invoked {
		item.Receiver = args[0]
	}
	n := f.node(nil)
	f.arrive(n, item)
	return n
}

func (f *typeFlow) list(in string, t value.Term) int {
	n := f.node(nil)
	for _, a := range t.Args {
		if a.Kind == value.Op && a.Name == "..." {
			f.edge(f.elements(f.of(in, a.Args[0])), f.elements(n))
			continue
		}
		f.edge(f.of(in, a), f.elements(n))
	}
	return n
}

// A dynamic call runs what reaches the node that it is made on.
type dynamic struct {
	method, iface string
	args          []int
	result        int // node of the result that is wanted, or nowhere
	index         int
	made          map[int]bool // nodes that it has been made on
}

func (f *typeFlow) call(d dynamic, on int) {
	if d.made == nil {
		d.made = map[int]bool{}
	}
	if d.made[on] {
		return // a decorator that may hold itself
	}
	d.made[on] = true
	f.watch(on, func(i flowItem) {
		if d.method != "" {
			f.invoke(d, i)
		} else {
			f.run(d, i)
		}
	})
}

// invoke links a call of a method with that of a type.
func (f *typeFlow) invoke(d dynamic, i flowItem) {
	if i.Type == "" || f.g.types[d.iface] != nil && !f.g.implements(i.Type, d.iface) {
		return
	}
	receiver := value.Term{Kind: value.Record, Name: i.Type}
	if part, _, ok := f.g.embedded(receiver, d.method); ok {
		d.iface = ""
		f.call(d, f.of("", part))
		return
	}
	if id := f.g.methodID(receiver, d.method); id != "" {
		f.execute(id, 1, d.args, d.result, d.index)
	}
}

// run links a call of a function value with a function, or with that inside of a function type with methods.
func (f *typeFlow) run(d dynamic, i flowItem) {
	switch {
	case i.Type != "":
		f.call(d, f.slot(fieldSlot+i.Type+"."+value.From))
	case i.Invoked && i.Bound:
		d.method = methodOfName(i.Function)
		f.call(d, i.Receiver)
	case i.Invoked && len(d.args) > 0:
		d.method = methodOfName(i.Function)
		receiver := d.args[0]
		d.args = d.args[1:]
		f.call(d, receiver)
	case i.Bound:
		f.execute(i.Function, 1, d.args, d.result, d.index)
	default:
		f.execute(i.Function, 0, d.args, d.result, d.index)
	}
}

// execute links the arguments of a call with the parameters of a function, and a result with what the caller takes it for.
func (f *typeFlow) execute(id string, first int, args []int, result, index int) {
	for i, a := range args {
		f.edge(a, f.slot(paramSlotOf(id, first+i)))
	}
	if foreign := f.g.foreign[id]; foreign != nil && f.g.bodied[id] == nil && !f.known[id] {
		f.known[id] = true
		f.addForeign(foreign)
	}
	if result != nowhere {
		f.edge(f.slot(resultSlotOf(id, index)), result)
	}
}

// addForeign links what a function of another module returns.
func (f *typeFlow) addForeign(fn *Function) {
	for i, r := range fn.Results {
		f.edge(f.of(fn.ID, r), f.slot(resultSlotOf(fn.ID, i)))
	}
}

// types lists the types of an interface that can arrive where t is read, as values of which no part is known.
func (f *typeFlow) types(iface string, t value.Term) []value.Term {
	slot := slotFor(t)
	if slot == "" {
		return f.typesAt(f.of("", t), iface)
	}
	key := [2]string{iface, slot}
	if _, ok := f.told[key]; !ok {
		f.told[key] = f.typesAt(f.slot(slot), iface)
	}
	return f.told[key]
}

func (f *typeFlow) typesAt(n int, iface string) []value.Term {
	f.spread() // the node may be new
	var list []value.Term
	for _, i := range f.nodes[n].order {
		if i.Type != "" && f.g.implements(i.Type, iface) && !f.g.types[i.Type].isMock() {
			list = append(list, value.Term{Kind: value.Record, Name: i.Type})
		}
	}
	slices.SortFunc(list, func(a, b value.Term) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// alsoArriving adds to what a reference is known to stand for the types that can arrive there by ways on which values aren't followed. That
// is done for interfaces that the program declares: functions, and what implements io.Reader, belong to the instance that
// somebody gave them to. So do the values of a field, if there are a few; of many, any may be there.
func (g *Program) alsoArriving(known, t value.Term, iface string) value.Term {
	if i := g.types[iface]; i == nil || !i.Interface || !g.incomplete(t) {
		return known
	}
	var list []value.Term
	if known.Kind != t.Kind {
		list = alternativesOf(known)
	}
	for _, v := range g.flowingTypes().types(iface, t) {
		if !slices.ContainsFunc(list, func(u value.Term) bool { return u.Kind == v.Kind && u.Name == v.Name }) {
			list = append(list, v)
		}
	}
	isField := strings.HasPrefix(slotFor(t), fieldSlot)
	if len(list) > maxSlotValues || isField && len(list) > 1 && len(list) <= narrow {
		return known
	}
	if len(list) == 0 {
		return t
	}
	return value.Term{Kind: value.Either, Args: list}
}

// flowingTypes knows which types flow where.
func (g *Program) flowingTypes() *typeFlow {
	if g.flowed == nil {
		g.flowed = newTypeFlow(g)
	}
	return g.flowed
}

// incomplete reports whether a reference is assigned what can't be followed as a value.
func (g *Program) incomplete(t value.Term) bool {
	seen := map[string]bool{}
	lacks := g.lacksAmong(t, seen)
	if !lacks {
		for slot := range seen {
			g.lacking[slot] = false // all that flows there was looked at
		}
	}
	return lacks
}

func (g *Program) lacksAmong(t value.Term, seen map[string]bool) bool {
	switch t.Kind {
	case value.Unknown, value.Element, value.Result:
		return true
	case value.Either:
		return slices.ContainsFunc(t.Args, func(a value.Term) bool { return g.lacksAmong(a, seen) })
	case value.Cond:
		return g.lacksAmong(t.Args[1], seen) || g.lacksAmong(t.Args[2], seen)
	}
	slot := slotFor(t)
	if lacks, known := g.lacking[slot]; known || slot == "" || seen[slot] {
		return lacks
	}
	seen[slot] = true
	if len(g.coarse[slot]) > 0 || slices.ContainsFunc(g.inflows(slot), func(in value.Term) bool { return g.lacksAmong(in, seen) }) {
		g.lacking[slot] = true
	}
	return g.lacking[slot]
}
