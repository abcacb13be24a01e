package sites

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
)

// A delay is described by what it is made of: the expression that reaches a wait is followed backwards through the region,
// and through functions of the package, to constants, attempt numbers, earlier delays and randomness. Nothing is said of a
// delay that is made of something that isn't looked into.

// A Delay says what a wait between attempts waits for.
type Delay struct {
	// At is the instruction that is told the delay: the sleep, the call that makes the timer, or that of a function that waits.
	At ssa.Instruction
	// Within is what computes the delay in a function that waits, nil if that is given it.
	Within ssa.Instruction
	// Known is set if everything that the delay is made of is; Told, if the outcome of the attempt tells it, as Retry-After does.
	Known, Told bool
	// Random is set if randomness flows into it.
	Random bool
	// Zero is set if it is zero, always.
	Zero bool
	// Grows is what makes it grow from attempt to attempt without a maximum; Overflows is a shift or product that may be too
	// large for its type before the maximum is looked at.
	Grows, Overflows ssa.Instruction
}

// DelayOf describes what instr, a wait of s, waits for: one delay for each place that is told one. There are none if that
// isn't found.
func (s *Site) DelayOf(instr ssa.Instruction, values Evaluator) []Delay {
	d := &delays{site: s, region: s.region, values: values, memory: memoryOf(s.Function)}
	d.rounds()
	var list []Delay
	for _, told := range d.toldBy(instr, nil, 0) {
		e := &delayed{delays: d, assumed: map[place]limit{}}
		x := e.of(told.value, told.frame, told.at.Block())
		delay := Delay{At: told.at, Known: !x.opaque, Told: x.told, Random: x.random, Zero: x.zero}
		if x.upper.endless() {
			delay.Grows = e.grows
		}
		delay.Overflows = e.overflows
		if told.frame != nil { // a function that waits may be called by many loops
			delay.At, delay.Within = instr, told.computed()
		}
		list = append(list, delay)
	}
	return list
}

// delays knows the region whose delays are described.
type delays struct {
	site   *Site
	region *region
	values Evaluator
	memory *memory
	last   limit // of the number of the attempt
}

// rounds finds out how large the number of an attempt gets.
func (d *delays) rounds() {
	switch n, known := d.site.Attempts.IsInt(); {
	case known && d.site.Attempts.Known():
		d.last = number(float64(n))
	case d.site.Unlimited && d.site.Bounded != "elapsed" && d.site.Bounded != "waiter":
		d.last = boundless
	default:
		d.last = limited
	}
}

// frame is a call of a function of the package whose body is looked into.
type frame struct {
	call   *ssa.CallCommon
	parent *frame
	depth  int
}

const maxFrames = 4

func (f *frame) into(call *ssa.CallCommon) *frame {
	depth := 1
	if f != nil {
		depth = f.depth + 1
	}
	if depth > maxFrames {
		return nil
	}
	return &frame{call, f, depth}
}

// told is a duration that a wait is told, at an instruction of the function that frame has called.
type told struct {
	at    ssa.Instruction
	value ssa.Value
	frame *frame
}

// computed is the instruction that computes the duration in a function that the loop calls, nil if the loop gives it.
func (t told) computed() ssa.Instruction {
	for t.frame != nil {
		p, ok := t.value.(*ssa.Parameter)
		if !ok {
			break
		}
		i := slices.Index(p.Parent().Params, p)
		if i < 0 || i >= len(t.frame.call.Args) {
			break
		}
		t.value, t.frame = t.frame.call.Args[i], t.frame.parent
	}
	if t.frame == nil {
		return nil
	}
	if made, ok := t.value.(ssa.Instruction); ok {
		return made
	}
	return t.at
}

// toldBy lists the durations that instr waits for.
func (d *delays) toldBy(instr ssa.Instruction, f *frame, depth int) []told {
	switch instr := instr.(type) {
	case *ssa.Call:
		return d.toldCall(instr, f, depth)
	case *ssa.UnOp:
		return d.toldChannel(instr.X, instr.Block().Parent(), f)
	case *ssa.Select:
		var list []told
		for _, s := range instr.States {
			if s.Dir == types.RecvOnly && carriesTime(s.Chan.Type()) {
				list = append(list, d.toldChannel(s.Chan, instr.Block().Parent(), f)...)
			}
		}
		return list
	}
	return nil
}

// toldCall lists what a sleep, or a function that waits, is told.
func (d *delays) toldCall(call *ssa.Call, f *frame, depth int) []told {
	callee := call.Call.StaticCallee()
	if callee != nil && callee.Blocks != nil && depth < maxFrames {
		inner := f.into(&call.Call)
		if inner == nil {
			return nil
		}
		var list []told
		for _, b := range callee.Blocks {
			for _, instr := range b.Instrs {
				if !d.values.Waits(instr) {
					continue
				}
				found := d.toldBy(instr, inner, depth+1)
				if len(found) == 0 {
					return nil
				}
				list = append(list, found...)
			}
		}
		return list
	}
	if !slices.Contains([]string{"Sleep", "SleepContext", "SleepWithContext", "SleepCtx"}, calleeName(&call.Call)) {
		return nil
	}
	for _, a := range call.Call.Args {
		if isDuration(a.Type()) {
			return []told{{call, a, f}}
		}
	}
	return nil
}

// toldChannel lists the durations after which a channel of times delivers.
func (d *delays) toldChannel(ch ssa.Value, fn *ssa.Function, f *frame) []told {
	switch v := ch.(type) {
	case *ssa.Call: // time.After
		if calleeName(&v.Call) != "After" && calleeName(&v.Call) != "Tick" {
			return nil
		}
		return d.toldDuration(v, f)
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return d.toldTimer(fa.X, fn, f)
		}
	case *ssa.ChangeType:
		return d.toldChannel(v.X, fn, f)
	}
	return nil
}

func (d *delays) toldDuration(call *ssa.Call, f *frame) []told {
	for _, a := range call.Call.Args {
		if isDuration(a.Type()) {
			return []told{{call, a, f}}
		}
	}
	return nil
}

// toldTimer lists what a timer or ticker is made with, and reset to.
func (d *delays) toldTimer(timer ssa.Value, fn *ssa.Function, f *frame) []told {
	var list []told
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || calleeName(&call.Call) != "Reset" || len(call.Call.Args) == 0 || !sameTimer(call.Call.Args[0], timer, d.memory) {
				continue
			}
			list = append(list, d.toldDuration(call, f)...)
		}
	}
	made := madeBy(timer, d.memory)
	if made == nil {
		return nil
	}
	return append(list, d.toldDuration(made, f)...)
}

func sameTimer(a, b ssa.Value, m *memory) bool {
	if a == b {
		return true
	}
	x, ok := a.(*ssa.UnOp)
	y, okToo := b.(*ssa.UnOp)
	return ok && okToo && m.cell(x.X) == m.cell(y.X)
}

// madeBy returns the call that makes a timer, if one does.
func madeBy(timer ssa.Value, m *memory) *ssa.Call {
	switch v := timer.(type) {
	case *ssa.Call:
		if name := calleeName(&v.Call); name == "NewTimer" || name == "NewTicker" {
			return v
		}
	case *ssa.UnOp:
		var made *ssa.Call
		for _, s := range m.stores[m.cell(v.X)] {
			call := madeBy(s.Val, m)
			if call == nil || made != nil {
				return nil
			}
			made = call
		}
		return made
	}
	return nil
}

// limit is the most that a number can be: a number, one that isn't known but limited, or none.
type limit struct {
	kind limitKind
	n    float64
}

type limitKind uint8

const (
	isNumber limitKind = iota
	isLimited
	isBoundless
)

var (
	limited   = limit{kind: isLimited}
	boundless = limit{kind: isBoundless}
)

func number(n float64) limit { return limit{n: n} }

func (l limit) endless() bool { return l.kind == isBoundless }

// or is the larger of two limits, and the smaller one.
func (l limit) or(m limit) limit {
	if l.kind != isNumber || m.kind != isNumber {
		return limit{kind: max(l.kind, m.kind)}
	}
	return number(math.Max(l.n, m.n))
}

func (l limit) and(m limit) limit {
	switch {
	case l.kind == isNumber && m.kind == isNumber:
		return number(math.Min(l.n, m.n))
	case l.kind < m.kind:
		return l
	}
	return m
}

// with computes with the numbers of two limits.
func (l limit) with(m limit, f func(x, y float64) float64) limit {
	if l.kind == isNumber && m.kind == isNumber {
		return number(f(l.n, m.n))
	}
	return limit{kind: max(l.kind, m.kind)}
}

// ingredients is what is known of a value that flows into a delay.
type ingredients struct {
	upper                      limit
	random, opaque, told, zero bool
}

func (x ingredients) or(y ingredients) ingredients {
	return ingredients{x.upper.or(y.upper), x.random || y.random, x.opaque || y.opaque, x.told || y.told, x.zero && y.zero}
}

func constantly(n float64) ingredients { return ingredients{upper: number(n), zero: n == 0} }

var (
	unlooked = ingredients{upper: limited, opaque: true}
	setting  = ingredients{upper: limited}
)

// place is a value in a frame.
type place struct {
	value ssa.Value
	frame *frame
}

// delayed follows one delay backwards.
type delayed struct {
	*delays
	assumed          map[place]limit // of values that depend on themselves, while they are followed
	steps            int
	grows, overflows ssa.Instruction
}

const maxDelaySteps = 5000

// of describes v, as used in block at: conditions that hold there limit it.
func (d *delayed) of(v ssa.Value, f *frame, at *ssa.BasicBlock) ingredients {
	x := d.unlimited(v, f)
	x.upper = x.upper.and(d.limitAt(v, f, at))
	return x
}

// unlimited describes v, wherever it is used.
func (d *delayed) unlimited(v ssa.Value, f *frame) ingredients {
	if d.steps++; d.steps > maxDelaySteps {
		return unlooked
	}
	switch v := v.(type) {
	case *ssa.Const:
		return ofConst(v)
	case *ssa.Parameter:
		return d.parameter(v, f)
	case *ssa.FreeVar:
		return setting
	case *ssa.Phi:
		return d.phi(v, f)
	case *ssa.BinOp:
		return d.binary(v, f)
	case *ssa.UnOp:
		return d.unary(v, f)
	case *ssa.Convert:
		return d.convert(v, f)
	case *ssa.ChangeType:
		return d.of(v.X, f, v.Block())
	case *ssa.Call:
		return d.call(v, 0, f)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return d.call(call, v.Index, f)
		}
	case *ssa.Field, *ssa.Index, *ssa.Lookup:
		return setting
	}
	return unlooked
}

func ofConst(c *ssa.Const) ingredients {
	if c.Value == nil {
		return constantly(0)
	}
	n, _ := constant.Float64Val(constant.ToFloat(c.Value))
	return constantly(n)
}

// parameter is what a function of the package is given; the region's own function is given a setting.
func (d *delayed) parameter(v *ssa.Parameter, f *frame) ingredients {
	if f == nil {
		if d.region != nil && d.region.recursive != nil && isInteger(v.Type()) && !isDuration(v.Type()) {
			return ingredients{upper: d.last}
		}
		return setting
	}
	if i := slices.Index(v.Parent().Params, v); i >= 0 && i < len(f.call.Args) {
		return d.of(f.call.Args[i], f.parent, blockOf(f.call))
	}
	return setting
}

// blockOf is nil: a call's common part doesn't know its block; what holds there is left aside.
func blockOf(*ssa.CallCommon) *ssa.BasicBlock { return nil }

// phi joins what several ways assign.
func (d *delayed) phi(v *ssa.Phi, f *frame) ingredients {
	if f == nil && d.region != nil && v.Block() == d.region.head && isInteger(v.Type()) && steps(v) {
		return ingredients{upper: d.last}
	}
	return d.settle(place{v, f}, func() ingredients {
		var x ingredients
		for i, e := range v.Edges {
			y := d.of(e, f, v.Block().Preds[i])
			y.upper = y.upper.and(d.limitOnEdge(e, v.Block().Preds[i], v.Block(), f))
			if i == 0 {
				x = y
			} else {
				x = x.or(y)
			}
		}
		return x
	})
}

// settle describes a value that may depend on what it was before. That is taken for endless at first: if the way round limits
// it all the same, it has that limit.
func (d *delayed) settle(p place, describe func() ingredients) ingredients {
	if assumed, ok := d.assumed[p]; ok {
		return ingredients{upper: assumed}
	}
	grows, overflows := d.grows, d.overflows
	d.assumed[p] = boundless
	x := describe()
	d.grows, d.overflows = grows, overflows
	if x.upper.endless() && !d.many() {
		x.upper = limited
	}
	d.assumed[p] = x.upper
	y := describe()
	delete(d.assumed, p)
	y.upper = x.upper
	return y
}

// steps reports whether phi counts rounds: each way round adds or takes away a constant.
func steps(phi *ssa.Phi) bool {
	if isDuration(phi.Type()) {
		return false
	}
	found := false
	for _, e := range phi.Edges {
		step, ok := e.(*ssa.BinOp)
		if !ok {
			continue
		}
		if _, isConst := step.Y.(*ssa.Const); !isConst || step.X != ssa.Value(phi) || step.Op != token.ADD && step.Op != token.SUB {
			return false
		}
		found = true
	}
	return found
}

// tooMany is a number of rounds after which a delay that doubles is absurd: 100 ms have become a year.
const tooMany = 28

// many reports whether there are so many attempts that a delay which doubles has no limit in practice. A number that isn't
// known counts as small.
func (d *delayed) many() bool {
	return d.last.kind == isBoundless || d.last.kind == isNumber && d.last.n > tooMany
}

func (d *delayed) binary(v *ssa.BinOp, f *frame) ingredients {
	a, b := d.of(v.X, f, v.Block()), d.of(v.Y, f, v.Block())
	x := a.or(b)
	x.zero = false
	switch v.Op {
	case token.ADD:
		x.upper = a.upper.with(b.upper, func(x, y float64) float64 { return x + y })
	case token.SUB:
		x.upper = a.upper
	case token.MUL:
		x.zero = a.zero || b.zero
		x.upper = a.upper.with(b.upper, func(x, y float64) float64 { return x * y })
		d.check(v, x.upper, a.upper, b.upper)
	case token.QUO, token.SHR:
		x.upper = a.upper
		if b.upper.kind == isNumber && a.upper.kind == isNumber && v.Op == token.QUO && b.upper.n > 0 {
			x.upper = number(a.upper.n / b.upper.n)
		}
	case token.REM:
		x.upper = b.upper
		if d.ofTime(v.X, 0) {
			x.random, x.opaque = true, false
		}
	case token.AND:
		x.upper = a.upper.and(b.upper)
	case token.SHL:
		x.upper = shifted(a.upper, b.upper)
		d.check(v, x.upper, b.upper, number(1))
	}
	return x
}

func shifted(a, by limit) limit {
	if by.kind == isBoundless {
		return boundless
	}
	return a.with(by, func(x, y float64) float64 { return x * math.Pow(2, y) })
}

// check remembers what makes a delay grow without an end, and what may be too large for its type.
func (d *delayed) check(v *ssa.BinOp, upper, a, b limit) {
	if isFloat(v.Type()) {
		if upper.endless() && d.many() && d.grows == nil {
			d.grows = v
		}
		return
	}
	switch {
	case upper.endless() && d.many():
		if d.grows == nil {
			d.grows = v
		}
		if d.overflows == nil && exponential(v) && !guarded(v) {
			d.overflows = v
		}
	case upper.kind == isNumber && upper.n > math.MaxInt64:
		if d.overflows == nil && !guarded(v) {
			d.overflows = v
		}
	}
}

// exponential reports whether v outgrows its type within some sixty rounds: a shift, or a product with what it was before.
func exponential(v *ssa.BinOp) bool {
	if v.Op == token.SHL {
		return true
	}
	for _, side := range []ssa.Value{v.X, v.Y} {
		if phi, ok := unconverted(side).(*ssa.Phi); ok && steps(phi) {
			return false
		}
	}
	_, constX := v.X.(*ssa.Const)
	_, constY := v.Y.(*ssa.Const)
	return constX || constY
}

// guarded reports whether what v flows into is compared with zero: the code knows that it may overflow.
func guarded(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value, depth int) bool
	visit = func(v ssa.Value, depth int) bool {
		if seen[v] || depth > 6 || v.Referrers() == nil {
			return false
		}
		seen[v] = true
		for _, ref := range *v.Referrers() {
			switch ref := ref.(type) {
			case *ssa.BinOp:
				if comparesWithZero(ref) || ref.Op == token.MUL && visit(ref, depth+1) {
					return true
				}
			case *ssa.Convert:
				if visit(ref, depth+1) {
					return true
				}
			case *ssa.ChangeType:
				if visit(ref, depth+1) {
					return true
				}
			case *ssa.Phi:
				if visit(ref, depth+1) {
					return true
				}
			}
		}
		return false
	}
	return visit(v, 0)
}

func comparesWithZero(test *ssa.BinOp) bool {
	switch test.Op {
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return false
	}
	for _, side := range []ssa.Value{test.X, test.Y} {
		if c, ok := side.(*ssa.Const); ok && c.Value != nil && constant.Sign(c.Value) <= 0 {
			return true
		}
	}
	return false
}

func (d *delayed) unary(v *ssa.UnOp, f *frame) ingredients {
	switch v.Op {
	case token.MUL:
		return d.load(v, f)
	case token.SUB:
		x := d.of(v.X, f, v.Block())
		return x
	case token.ARROW:
		return unlooked
	}
	return setting
}

// load describes what a variable in memory holds: what its function stores there, or what it was before.
func (d *delayed) load(v *ssa.UnOp, f *frame) ingredients {
	if f == nil && d.region != nil && (dependsOn(v.X, d.site.Operation.Value(), d.region, d.memory) || filledIn(v.X, d.region)) {
		return ingredients{upper: limited, told: true}
	}
	m := d.memory
	if v.Parent() != m.function {
		m = memoryOf(v.Parent())
	}
	cell := m.cell(v.X)
	if isInteger(v.Type()) && !isDuration(v.Type()) && countsIn(m, cell) {
		return ingredients{upper: d.last}
	}
	return d.settle(place{cell, f}, func() ingredients {
		x, begun := setting, false
		if _, isAlloc := cell.(*ssa.Alloc); !isAlloc {
			begun = true // what it was before
		}
		for _, s := range m.stores[cell] {
			y := d.of(s.Val, f, s.Block())
			if begun {
				y = x.or(y)
			}
			x, begun = y, true
		}
		return x
	})
}

// filledIn reports whether addr lies in a variable whose address a call of the region is given, such as errors.As.
func filledIn(addr ssa.Value, r *region) bool {
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
			continue
		case *ssa.UnOp:
			addr = v.X
			continue
		case *ssa.Alloc:
			return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
				switch ref.(type) {
				case *ssa.Call, *ssa.MakeInterface:
					return r != nil && r.blocks[ref.Block()]
				}
				return false
			})
		}
		return false
	}
}

// countsIn reports whether a variable in memory is only incremented, but for constants that it is set to.
func countsIn(m *memory, cell ssa.Value) bool {
	found := false
	for _, s := range m.stores[cell] {
		switch v := s.Val.(type) {
		case *ssa.Const:
		case *ssa.BinOp:
			load, ok := v.X.(*ssa.UnOp)
			if _, isConst := v.Y.(*ssa.Const); !ok || !isConst || v.Op != token.ADD || m.cell(load.X) != cell {
				return false
			}
			found = true
		default:
			return false
		}
	}
	return found
}

// convert carries limits over; a float that has none makes any integer.
func (d *delayed) convert(v *ssa.Convert, f *frame) ingredients {
	x := d.of(v.X, f, v.Block())
	if isFloat(v.X.Type()) && isInteger(v.Type()) && d.overflows == nil && !guarded(v) {
		if x.upper.endless() || x.upper.kind == isNumber && x.upper.n > math.MaxInt64 {
			d.overflows = v
		}
	}
	return x
}

// call describes a result of a call.
func (d *delayed) call(v *ssa.Call, index int, f *frame) ingredients {
	common := &v.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return d.builtin(b.Name(), v, f)
	}
	if f == nil && ssa.CallInstruction(v) == d.site.Operation {
		return ingredients{upper: limited, told: true}
	}
	callee := common.StaticCallee()
	if callee == nil {
		return d.foreign(v, f)
	}
	if callee.Origin() != nil {
		callee = callee.Origin()
	}
	switch catalog.Does(fullName(callee)) {
	case "randomise":
		return ingredients{upper: d.randomLimit(v, f), random: true}
	}
	if catalog.Random(packageOfFunction(callee)) {
		return ingredients{upper: d.randomLimit(v, f), random: true}
	}
	if callee.Blocks != nil {
		return d.body(v, callee, index, f)
	}
	return d.foreign(v, f)
}

func packageOfFunction(fn *ssa.Function) string {
	if fn.Pkg != nil {
		return fn.Pkg.Pkg.Path()
	}
	if fn.Object() != nil && fn.Object().Pkg() != nil {
		return fn.Object().Pkg().Path()
	}
	return ""
}

// randomLimit is the limit of what a random function is given.
func (d *delayed) randomLimit(v *ssa.Call, f *frame) limit {
	upper := number(1)
	for _, a := range v.Call.Args {
		if isInteger(a.Type()) || isFloat(a.Type()) {
			upper = upper.or(d.of(a, f, v.Block()).upper)
		}
	}
	return upper
}

// builtin computes min and max.
func (d *delayed) builtin(name string, v *ssa.Call, f *frame) ingredients {
	if name != "min" && name != "max" {
		return setting
	}
	var x ingredients
	for i, a := range v.Call.Args {
		y := d.of(a, f, v.Block())
		switch {
		case i == 0:
			x = y
		case name == "min":
			upper := x.upper.and(y.upper)
			x = x.or(y)
			x.upper = upper
		default:
			x = x.or(y)
		}
	}
	return x
}

// body describes what a function of the package returns.
func (d *delayed) body(v *ssa.Call, callee *ssa.Function, index int, f *frame) ingredients {
	inner := f.into(&v.Call)
	if inner == nil || isOpen(callee, f) {
		return unlooked
	}
	x, begun := ingredients{}, false
	for _, b := range callee.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || index >= len(ret.Results) {
			continue
		}
		y := d.of(ret.Results[index], inner, b)
		if begun {
			y = x.or(y)
		}
		x, begun = y, true
	}
	if !begun {
		return unlooked
	}
	return x
}

// isOpen reports whether fn is being looked into already.
func isOpen(fn *ssa.Function, f *frame) bool {
	for ; f != nil; f = f.parent {
		if f.call.StaticCallee() == fn {
			return true
		}
	}
	return false
}

// foreign describes the result of a function that isn't looked into: a few compute, of others nothing is known.
func (d *delayed) foreign(v *ssa.Call, f *frame) ingredients {
	callee := v.Call.StaticCallee()
	if callee == nil {
		return unlooked
	}
	name, pkg := callee.Name(), packageOfFunction(callee)
	args := make([]ingredients, len(v.Call.Args))
	for i, a := range v.Call.Args {
		args[i] = d.of(a, f, v.Block())
	}
	if pkg != "math" && pkg != "time" || len(args) == 0 {
		return unlooked
	}
	x := args[0]
	for _, y := range args[1:] {
		x = x.or(y)
	}
	switch {
	case pkg == "math" && name == "Min":
		x.upper = args[0].upper.and(args[1].upper)
	case pkg == "math" && name == "Pow":
		x.upper = args[0].upper.with(args[1].upper, math.Pow)
		if x.upper.endless() && d.grows == nil {
			d.grows = v
		}
	case pkg == "math" && (name == "Exp2" || name == "Exp"):
		x.upper = number(2).with(args[0].upper, math.Pow)
		if x.upper.endless() && d.grows == nil {
			d.grows = v
		}
	case pkg == "math" && name == "Max":
	case pkg == "time" && name == "Now", pkg == "time" && name == "Since", pkg == "time" && name == "Until":
		return unlooked
	case pkg == "time" && !isNamed(v.Call.Args[0].Type(), "time", "Duration"):
		return unlooked
	}
	return x
}

// ofTime reports whether v is made of the present time.
func (d *delayed) ofTime(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Call:
		if calleeName(&v.Call) == "Now" {
			return true
		}
		return slices.ContainsFunc(v.Call.Args, func(a ssa.Value) bool { return d.ofTime(a, depth+1) })
	case *ssa.Convert:
		return d.ofTime(v.X, depth+1)
	}
	return false
}
