package callgraph

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// Terms say what a value is, with its parts, or nothing. Of values that they don't say all of, because a loop, an assignment
// within a function literal or a local map lies between, a package still tells which functions and types they can be: in the raw
// term stands a slot beside what is known, and a coarse flow to that slot, which only types are read from (typeflow.go).

// coarse completes the raw terms of a function.
type coarse struct {
	p      *Package
	fn     *ssa.Function
	id     string
	open   map[ssa.Value]bool // values that are being looked at
	nested int                // values that are looked at for the sake of others
	flows  []Flow
}

// maxNestedOrigins is how far results of results, and elements of elements, are told apart.
const maxNestedOrigins = 6

// Slots of a function's own.
const (
	localSlot  = "local "  // function, space, index of a variable that literals share, or of a container
	coarseSlot = "coarse " // function, space, index
)

func (p *Package) newCoarse(fn *ssa.Function) *coarse {
	return &coarse{p: p, fn: fn, id: idOf(fn), open: map[ssa.Value]bool{}}
}

// complete puts into the terms of a body what they lack, and lists what flows into local slots.
func (c *coarse) complete(b *Body) {
	for i := range b.Results {
		b.Results[i] = c.result(i, b.Results[i])
	}
	for i := range b.Calls {
		c.call(&b.Calls[i])
	}
	for _, block := range c.fn.Blocks {
		for _, instr := range block.Instrs {
			c.local(instr)
		}
	}
	b.Coarse = c.flows
}

func (c *coarse) result(i int, t value.Term) value.Term {
	if !spreads(c.fn.Signature.Results().At(i).Type()) {
		return t
	}
	o := c.newOrigins()
	for _, block := range c.fn.Blocks {
		if ret, ok := block.Instrs[len(block.Instrs)-1].(*ssa.Return); ok && i < len(ret.Results) {
			o.visit(ret.Results[i])
		}
	}
	return c.with(t, o)
}

func (c *coarse) call(call *Call) {
	if call.instr == nil {
		return
	}
	common := call.instr.Common()
	switch {
	case call.Callee != "":
		call.Args = c.arguments(call.Args, common)
	case call.Tail != nil && call.Tail.Site == nil && call.Tail.Then == nil && common.StaticCallee() == nil:
		tail := *call.Tail
		tail.Callee, tail.Args = c.term(common.Value, tail.Callee), c.arguments(tail.Args, common)
		call.Tail = &tail
	}
}

func (c *coarse) arguments(args []value.Term, common *ssa.CallCommon) []value.Term {
	args = slices.Clone(args)
	for i := range args {
		args[i] = c.term(common.Args[i], args[i])
	}
	return args
}

// term is the term t of v, completed.
func (c *coarse) term(v ssa.Value, t value.Term) value.Term {
	if !spreads(v.Type()) {
		return t
	}
	o := c.newOrigins()
	o.visit(v)
	return c.with(t, o)
}

// with puts a slot beside t for what v can be if t doesn't tell.
func (c *coarse) with(t value.Term, o *origins) value.Term {
	if len(o.list) == 0 || !o.local && tells(t) {
		return t
	}
	slot := value.Term{Kind: value.Slot, Name: c.slotOf(value.OneOf(o.list...)), Names: []string{t.Text(), ""}}
	if !tells(t) && !t.Any(moves) {
		return slot
	}
	return value.OneOf(t, slot)
}

// slotOf names the slot that all flows to.
func (c *coarse) slotOf(all value.Term) string {
	for i, f := range c.flows {
		if strings.HasPrefix(f.To, coarseSlot) && value.Equal(f.Value, all) {
			return c.flows[i].To
		}
	}
	name := coarseSlot + c.id + " " + strconv.Itoa(len(c.flows))
	c.flows = append(c.flows, Flow{To: name, Value: all})
	return name
}

// local lets values flow into variables that literals share, and into containers.
func (c *coarse) local(instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.Store:
		switch addr := instr.Addr.(type) {
		case *ssa.Alloc, *ssa.FreeVar:
			c.put([]string{c.p.shared(addr)}, instr.Val)
		case *ssa.IndexAddr:
			c.put(c.containers(addr.X), instr.Val)
		}
	case *ssa.MapUpdate:
		c.put(c.containers(instr.Map), instr.Value)
	case *ssa.Send:
		c.put(c.containers(instr.Chan), instr.X)
	case *ssa.Select:
		for _, state := range instr.States {
			if state.Send != nil {
				c.put(c.containers(state.Chan), state.Send)
			}
		}
	}
}

func (c *coarse) put(slots []string, v ssa.Value) {
	if !spreads(v.Type()) {
		return
	}
	from := c.origins(v)
	for _, slot := range slots {
		if slot != "" && len(from) > 0 {
			c.flows = append(c.flows, Flow{To: slot, Value: value.OneOf(from...)})
		}
	}
}

// localsOf names the variables of fn that function literals share, and the containers that it makes.
func (p *Package) localsOf(fn *ssa.Function) map[ssa.Value]string {
	if names, ok := p.locals[fn]; ok {
		return names
	}
	names := map[ssa.Value]string{}
	p.locals[fn] = names
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if ok && isLocal(v) {
				names[v] = localSlot + idOf(fn) + " " + strconv.Itoa(len(names))
			}
		}
	}
	return names
}

func isLocal(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice:
		return spreads(v.Type())
	case *ssa.Alloc:
		return spreads(v.Type().Underlying().(*types.Pointer).Elem()) && slices.ContainsFunc(*v.Referrers(), isClosure)
	}
	return false
}

func isClosure(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.MakeClosure)
	return ok
}

// spreads reports whether values of a type can be one of several functions or types: all others are what they are declared as.
func spreads(t types.Type) bool {
	t = content(t)
	switch t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return !typename.IsError(t) && typename.Of(t) != "context.Context"
	}
	return false
}

// content returns what containers of a type hold, containers of containers aside. Of a type that holds itself, it returns that.
func content(t types.Type) types.Type {
	for range 8 {
		switch u := t.Underlying().(type) {
		case *types.Slice:
			t = u.Elem()
		case *types.Array:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		case *types.Chan:
			t = u.Elem()
		default:
			return t
		}
	}
	return t
}

// shared names a variable that literals share, in the function that declares it.
func (p *Package) shared(v ssa.Value) string {
	for v != nil {
		free, ok := v.(*ssa.FreeVar)
		if !ok {
			return p.localsOf(v.Parent())[v]
		}
		v = boundTo(free)
	}
	return ""
}

// containers lists the slots of the elements of a container.
func (c *coarse) containers(v ssa.Value) []string {
	var list []string
	for _, o := range c.origins(v) {
		if o.Kind == value.Param {
			o = paramOf(c.id, int(o.N), o)
		}
		if slot := elements(o); slot != "" {
			list = append(list, slot)
		}
	}
	return list
}

// tells reports whether a term says all that a value can be.
func tells(t value.Term) bool {
	switch t.Kind {
	case value.Unknown:
		return false
	case value.Either, value.List, value.Element, value.Symbol:
		return !slices.ContainsFunc(t.Args, func(a value.Term) bool { return !tells(a) })
	case value.Cond:
		return tells(t.Args[1]) && tells(t.Args[2])
	case value.Result:
		return tells(t.Args[0])
	case value.Field:
		return slotFor(t) != "" || tells(t.Args[0])
	case value.Op:
		return t.Name == "..." && tells(t.Args[0])
	}
	return true
}

// origins collects what a value can be, in terms of the function it is in: parameters, results, fields, elements, functions, types.
type origins struct {
	c     *coarse
	seen  map[ssa.Value]bool
	list  []value.Term
	local bool // among them is a slot of the function's own, of which terms don't know
}

func (c *coarse) newOrigins() *origins { return &origins{c: c, seen: map[ssa.Value]bool{}} }

func (c *coarse) origins(v ssa.Value) []value.Term {
	if c.nested == maxNestedOrigins {
		return nil
	}
	c.nested++
	defer func() { c.nested-- }()
	o := c.newOrigins()
	o.visit(v)
	return o.list
}

func (o *origins) add(t value.Term) {
	if t.Known() && t.Kind != value.Nil && !holds(o.list, t) {
		o.list = append(o.list, t)
	}
}

func (o *origins) slot(name string) {
	if name != "" {
		o.local = true
		o.add(value.Term{Kind: value.Slot, Name: name, Names: []string{"", ""}})
	}
}

func (o *origins) visit(v ssa.Value) {
	if o.seen[v] || o.c.open[v] {
		return
	}
	o.seen[v], o.c.open[v] = true, true
	defer delete(o.c.open, v)
	if x, ok := converted(v); ok {
		o.visit(x)
		return
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		o.add(parameter(v))
	case *ssa.Function, *ssa.MakeClosure:
		o.add(flowing(o.c.p.Term(v)))
	case *ssa.Phi:
		for _, e := range v.Edges {
			o.visit(e)
		}
	case *ssa.MakeInterface:
		o.made(v.X)
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice:
		o.slot(o.c.p.shared(v))
	case *ssa.Slice:
		o.slice(v)
	case *ssa.UnOp:
		o.load(v)
	case *ssa.Lookup:
		o.element(v.X)
	case *ssa.Index:
		o.element(v.X)
	case *ssa.Field:
		o.field(v.X, v.Field)
	case *ssa.Extract:
		o.extract(v)
	case *ssa.Call:
		o.call(v, 0)
	}
}

// made adds the type of a value that becomes an interface.
func (o *origins) made(x ssa.Value) {
	name := typename.Of(x.Type())
	if name == "" || types.NewMethodSet(x.Type()).Len() == 0 {
		o.visit(x) // a function without a type of its own
		return
	}
	t := value.Term{Kind: value.Record, Name: name}
	if _, isFunc := x.Type().Underlying().(*types.Signature); isFunc {
		if held := o.c.origins(x); len(held) > 0 {
			t = t.With(value.From, value.OneOf(held...))
		}
	}
	o.add(t)
}

// slice adds what is sliced: the elements of a literal, or another list.
func (o *origins) slice(v *ssa.Slice) {
	alloc, ok := v.X.(*ssa.Alloc)
	if !ok {
		o.visit(v.X)
		return
	}
	list := value.Term{Kind: value.List}
	eachStored(alloc, func(x ssa.Value) { list.Args = append(list.Args, o.c.origins(x)...) })
	if len(list.Args) > 0 {
		o.add(list)
	}
}

func (o *origins) load(v *ssa.UnOp) {
	switch v.Op {
	case token.ARROW:
		o.element(v.X)
	case token.MUL:
		o.at(v.X)
	}
}

// at adds what is stored at an address.
func (o *origins) at(addr ssa.Value) {
	switch addr := addr.(type) {
	case *ssa.FieldAddr:
		o.field(addr.X, addr.Field)
	case *ssa.Global:
		o.add(value.Term{Kind: value.Global, Name: addr.Pkg.Pkg.Path() + "." + addr.Name()})
	case *ssa.IndexAddr:
		o.element(addr.X)
	case *ssa.FreeVar:
		o.slot(o.c.p.shared(addr))
	case *ssa.Alloc:
		if name := o.c.p.shared(addr); name != "" {
			o.slot(name)
			return
		}
		eachStored(addr, o.visit)
	}
}

func (o *origins) field(x ssa.Value, index int) {
	st, owner := structOf(x.Type())
	if st != nil && typename.Of(owner) != "" {
		o.add(value.Term{Kind: value.Field, Name: st.Field(index).Name(), Names: []string{typename.Of(owner)}, Args: []value.Term{{}}})
	}
}

func (o *origins) element(container ssa.Value) {
	inner := o.c.newOrigins()
	if o.c.nested++; o.c.nested <= maxNestedOrigins {
		inner.visit(container)
	}
	o.c.nested--
	for _, t := range inner.list {
		o.add(value.ElementOf(t))
	}
	o.local = o.local || inner.local
}

func (o *origins) extract(v *ssa.Extract) {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		o.call(t, v.Index)
	case *ssa.TypeAssert:
		o.visit(t.X)
	case *ssa.UnOp:
		o.element(t.X)
	case *ssa.Lookup:
		o.element(t.X)
	case *ssa.Next:
		if r, ok := t.Iter.(*ssa.Range); ok && v.Index == 2 {
			o.element(r.X)
		}
	case *ssa.Select:
		if ch := receivedFrom(t, v.Index); ch != nil {
			o.element(ch)
		}
	}
}

// receivedFrom returns the channel that a select received one of its results from: after an index and a boolean, one for each
// state that receives.
func receivedFrom(s *ssa.Select, index int) ssa.Value {
	index -= 2
	for _, state := range s.States {
		if state.Dir == types.SendOnly {
			continue
		}
		if index == 0 {
			return state.Chan
		}
		index--
	}
	return nil
}

// call adds what a call results in.
func (o *origins) call(v *ssa.Call, index int) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		if b.Name() == "append" && len(v.Call.Args) == 2 {
			o.visit(v.Call.Args[0])
			for _, more := range o.c.origins(v.Call.Args[1]) {
				o.add(value.Term{Kind: value.List, Args: []value.Term{{Kind: value.Op, Name: "...", Args: []value.Term{more}}}})
			}
		}
		return
	}
	callee := resolve(v.Call.StaticCallee())
	switch {
	case callee == nil:
		o.dynamic(v, index)
	case o.c.p.inWorkspace(callee):
		o.add(value.Term{Kind: value.Slot, Name: resultSlotOf(o.c.p.identify(callee), index), Names: []string{"", ""}})
	default:
		o.add(flowing(o.c.p.call(v, index)))
	}
}

func (o *origins) dynamic(v *ssa.Call, index int) {
	method := ""
	if v.Call.IsInvoke() {
		method = v.Call.Method.Name()
	}
	for _, callee := range o.c.origins(v.Call.Value) {
		o.add(value.Term{Kind: value.Result, N: int64(index), Name: method, Args: []value.Term{callee}})
	}
}
