package sites

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// How long a site waits is found as the number of attempts is: by executing what the delays are made of. A Span is what a
// duration can be; jitter makes it wide, and what isn't known makes it open.

// A Span holds the shortest and the longest that a duration can be, in nanoseconds.
type Span struct{ Min, Max int64 }

// Forever is the end of an open span.
const Forever = math.MaxInt64

var anyTime = Span{0, Forever}

// Open reports whether nothing limits the span.
func (s Span) Open() bool { return s.Max == Forever }

func (s Span) hull(t Span) Span { return Span{min(s.Min, t.Min), max(s.Max, t.Max)} }

// Longest returns the most that the wait instr can last, after any attempt.
func (s *Site) Longest(instr ssa.Instruction, values Evaluator) Span {
	c := &clock{region: s.region, values: values, now: map[*ssa.Phi]Span{}}
	c.begin()
	all := c.wait(instr)
	for range maxRounds {
		before := all
		c.step()
		if all = all.hull(c.wait(instr)); all == before {
			break
		}
	}
	return all
}

// maxRounds is how many attempts are looked at for the longest wait.
const maxRounds = 8

// Lasts returns the most that the wait instr can last after any of the attempts that there are, 0 if that isn't known.
func (s *Site) Lasts(instr ssa.Instruction, values Evaluator) int64 {
	c := &clock{region: s.region, values: values, now: map[*ssa.Phi]Span{}}
	c.begin()
	n, known := s.Attempts.IsInt()
	if !known {
		n = maxRounds
	}
	longest, last := Span{}, Span{}
	for range min(n, maxWaits) {
		last = c.wait(instr)
		longest = longest.hull(last)
		c.step()
	}
	if longest.Open() || !known && c.wait(instr) != last {
		return 0 // it may go on to grow
	}
	return longest.Max
}

// Waited returns what is waited in sum before the last of n attempts.
func (s *Site) Waited(n int, values Evaluator) Span {
	c := &clock{region: s.region, values: values, now: map[*ssa.Phi]Span{}}
	c.begin()
	sum := s.waits(c, true)
	for range min(n, maxWaits) - 1 {
		sum = add2(sum, s.waits(c, false))
		c.step()
		sum = add2(sum, s.waits(c, true))
	}
	return sum
}

// Begin returns how many of n attempts can begin within a time, if each lasts as long as it may and the waits are as short as
// they can be.
func (s *Site) Begin(n int, attempt, within int64, values Evaluator) int {
	c := &clock{region: s.region, values: values, now: map[*ssa.Phi]Span{}}
	c.begin()
	elapsed := int64(0)
	for i := range min(n, maxWaits) {
		if elapsed += s.waits(c, true).Min; elapsed >= within {
			return i
		}
		elapsed += attempt + s.waits(c, false).Min
		c.step()
	}
	return n
}

// maxWaits is how many waits are added up: what comes after them makes no difference to anybody.
const maxWaits = 1000

// waits is what is waited in one round, before the attempt or after it: what all ways round wait at least, and all waits together
// at most.
func (s *Site) waits(c *clock, first bool) Span {
	sum := Span{}
	for _, instr := range s.Waiting {
		if s.waitsFirst(instr) != first {
			continue
		}
		w := c.wait(instr)
		if s.region == nil || c.avoids(instr.Block()) {
			w.Min = 0
		}
		sum = add2(sum, w)
	}
	return sum
}

// waitsFirst reports whether a wait comes before the attempt of its round.
func (s *Site) waitsFirst(wait ssa.Instruction) bool {
	if s.region == nil || s.Operation == nil || wait.Parent() != s.Operation.Parent() {
		return false
	}
	if wait.Block() == s.Operation.Block() {
		return before(wait, s.Operation)
	}
	return s.region.reachesInRound(wait.Block(), s.Operation.Block())
}

// reachesInRound reports whether control can come from one block to another without passing the head.
func (r *region) reachesInRound(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{r.head: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		for _, next := range b.Succs {
			if r.blocks[next] && !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// avoids reports whether a way round the region, as the numbers are now, doesn't pass wait.
func (c *clock) avoids(wait *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{wait: true}
	work := []*ssa.BasicBlock{c.region.head}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, next := range c.taken(b) {
			if next == c.region.head {
				return true
			}
			if c.region.blocks[next] {
				work = append(work, next)
			}
		}
	}
	return false
}

// taken lists where control can go from the end of b, as far as numbers decide it.
func (c *clock) taken(b *ssa.BasicBlock) []*ssa.BasicBlock {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return b.Succs
	}
	test, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !isInteger(test.X.Type()) {
		return b.Succs
	}
	c.steps = 0
	x, y := c.span(test.X, 0), c.span(test.Y, 0)
	if x.Min != x.Max || y.Min != y.Max || x.Open() || y.Open() {
		return b.Succs
	}
	if holds, isBool := value.Operation(test.Op.String(), value.Number(x.Min), value.Number(y.Min)).IsBool(); isBool {
		return b.Succs[1-boolToInt(holds) : 2-boolToInt(holds)]
	}
	return b.Succs
}

func add2(a, b Span) Span {
	sum := Span{a.Min + b.Min, Forever}
	if !a.Open() && !b.Open() && a.Max+b.Max >= a.Max {
		sum.Max = a.Max + b.Max
	}
	return sum
}

// clock knows what the values that change from attempt to attempt are at one of them.
type clock struct {
	region *region
	values Evaluator
	now    map[*ssa.Phi]Span
	steps  int // of the computation at hand
}

func (c *clock) begin() { c.enter(false) }

func (c *clock) step() { c.enter(true) }

// enter moves the phis of the head on: to their values when the region begins, or when it comes round.
func (c *clock) enter(round bool) {
	if c.region == nil {
		return
	}
	next := map[*ssa.Phi]Span{}
	c.steps = 0
	for _, instr := range c.region.head.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if !isInteger(phi.Type()) {
			continue
		}
		span, seen := anyTime, false
		for i, pred := range phi.Block().Preds {
			if c.region.blocks[pred] != round {
				continue
			}
			v := c.span(phi.Edges[i], 0)
			if seen {
				v = v.hull(span)
			}
			span, seen = v, true
		}
		next[phi] = span
	}
	c.now = next
}

// wait is what a waiting instruction lasts.
func (c *clock) wait(instr ssa.Instruction) Span {
	c.steps = 0
	switch instr := instr.(type) {
	case *ssa.Call:
		return c.slept(instr)
	case *ssa.UnOp:
		return c.channel(instr.X)
	case *ssa.Select:
		for _, s := range instr.States {
			if carriesTime(s.Chan.Type()) {
				return c.channel(s.Chan)
			}
		}
	}
	return anyTime
}

// slept is the duration that a sleeping function is given.
func (c *clock) slept(call *ssa.Call) Span {
	var found ssa.Value
	for _, a := range call.Call.Args {
		if isDuration(a.Type()) {
			if found != nil {
				return anyTime
			}
			found = a
		}
	}
	if found == nil {
		return anyTime
	}
	return c.span(found, 0).positive()
}

// channel is the time after which a channel of a timer tells.
func (c *clock) channel(ch ssa.Value) Span {
	switch ch := ch.(type) {
	case *ssa.Call:
		if calleeName(&ch.Call) == "After" && len(ch.Call.Args) > 0 {
			return c.slept(ch)
		}
	case *ssa.UnOp:
		fa, ok := ch.X.(*ssa.FieldAddr)
		if !ok || ch.Op != token.MUL {
			return anyTime
		}
		if made, isCall := fa.X.(*ssa.Call); isCall && calleeName(&made.Call) == "NewTimer" && !isReset(made) {
			return c.slept(made)
		}
	}
	return anyTime
}

// isReset reports whether a timer is used for something else than to be read and stopped.
func isReset(timer *ssa.Call) bool {
	for _, ref := range *timer.Referrers() {
		switch ref := ref.(type) {
		case *ssa.FieldAddr:
		case ssa.CallInstruction:
			if calleeName(ref.Common()) != "Stop" {
				return true
			}
		default:
			return true
		}
	}
	return false
}

func (s Span) positive() Span { return Span{max(s.Min, 0), max(s.Max, 0)} }

const (
	maxSpanDepth = 24
	maxSpanSteps = 3000
)

// span is what an integer can be.
func (c *clock) span(v ssa.Value, depth int) Span {
	if c.steps++; depth > maxSpanDepth || c.steps > maxSpanSteps {
		return anyTime
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.Int {
			if n, ok := constant.Int64Val(v.Value); ok {
				return Span{n, n}
			}
		}
	case *ssa.Phi:
		return c.phi(v, depth)
	case *ssa.Convert:
		return c.converted(v, depth)
	case *ssa.ChangeType:
		return c.span(v.X, depth+1)
	case *ssa.BinOp:
		return c.binary(v.Op, c.span(v.X, depth+1), c.span(v.Y, depth+1))
	case *ssa.Call:
		return c.call(v, depth)
	}
	if n, ok := c.values.Term(v).IsInt(); ok {
		return Span{n, n}
	}
	return anyTime
}

func (c *clock) phi(v *ssa.Phi, depth int) Span {
	if span, ok := c.now[v]; ok {
		return span
	}
	if c.region == nil || !c.region.blocks[v.Block()] {
		if n, ok := c.values.Term(v).IsInt(); ok {
			return Span{n, n}
		}
	}
	span := c.span(v.Edges[0], depth+4)
	for _, e := range v.Edges[1:] {
		span = span.hull(c.span(e, depth+4))
	}
	return span
}

// converted knows integers that become integers; a float is known only if it is made from them by a product with a random one.
func (c *clock) converted(v *ssa.Convert, depth int) Span {
	if isInteger(v.X.Type()) {
		return c.span(v.X, depth+1)
	}
	low, high, ok := c.float(v.X, depth+1)
	if !ok || high > math.MaxInt64/2 {
		return anyTime
	}
	return Span{int64(low), int64(high)}
}

func (c *clock) float(v ssa.Value, depth int) (low, high float64, ok bool) {
	if c.steps++; depth > maxSpanDepth || c.steps > maxSpanSteps {
		return 0, 0, false
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return 0, 0, false
		}
		f, _ := constant.Float64Val(constant.ToFloat(v.Value))
		return f, f, true
	case *ssa.Convert:
		if !isInteger(v.X.Type()) {
			return c.float(v.X, depth+1)
		}
		s := c.span(v.X, depth+1)
		return float64(s.Min), float64(s.Max), !s.Open()
	case *ssa.BinOp:
		a, b, known := c.float(v.X, depth+1)
		x, y, alsoKnown := c.float(v.Y, depth+1)
		if !known || !alsoKnown {
			return 0, 0, false
		}
		switch v.Op {
		case token.ADD:
			return a + x, b + y, true
		case token.SUB:
			return a - y, b - x, true
		case token.MUL:
			return min(a*x, a*y, b*x, b*y), max(a*x, a*y, b*x, b*y), true
		}
	case *ssa.Call:
		if fromRandom(&v.Call) && calleeName(&v.Call) == "Float64" {
			return 0, 1, true
		}
	}
	return 0, 0, false
}

func (c *clock) binary(op token.Token, x, y Span) Span {
	if x.Min == x.Max && y.Min == y.Max && !x.Open() && !y.Open() {
		if n, ok := value.Operation(op.String(), value.Number(x.Min), value.Number(y.Min)).IsInt(); ok {
			return Span{n, n}
		}
	}
	switch op {
	case token.ADD:
		return add2(x, y)
	case token.SUB:
		if y.Open() {
			return anyTime
		}
		return Span{x.Min - y.Max, less(x.Max, y.Min)}
	case token.MUL:
		return product(x, y)
	case token.QUO:
		if y.Min == y.Max && y.Min > 0 {
			return Span{x.Min / y.Min, quotient(x.Max, y.Min)}
		}
	case token.SHL:
		if y.Min >= 0 && y.Max < 40 {
			return product(x, Span{1 << y.Min, 1 << y.Max})
		}
		if y.Min >= 0 && y.Min < 40 && x.Min >= 0 {
			return product(x, Span{1 << y.Min, Forever})
		}
	case token.SHR:
		if y.Min == y.Max && y.Min >= 0 && y.Min < 63 {
			return Span{x.Min >> y.Min, quotient(x.Max, 1<<y.Min)}
		}
	case token.REM:
		if !y.Open() && y.Min > 0 {
			return Span{0, y.Max - 1}
		}
	}
	return anyTime
}

func less(high, by int64) int64 {
	if high == Forever {
		return Forever
	}
	return high - by
}

func quotient(high, by int64) int64 {
	if high == Forever {
		return Forever
	}
	return high / by
}

// product multiplies what isn't negative.
func product(x, y Span) Span {
	if x.Min < 0 || y.Min < 0 {
		return anyTime
	}
	p := Span{times(x.Min, y.Min), Forever}
	if !x.Open() && !y.Open() {
		p.Max = times(x.Max, y.Max)
	}
	return p
}

func times(a, b int64) int64 {
	if a != 0 && b > Forever/a {
		return Forever
	}
	return a * b
}

func (c *clock) call(v *ssa.Call, depth int) Span {
	common := &v.Call
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return c.builtin(b.Name(), common, depth)
	}
	if fromRandom(common) {
		return c.random(common, depth)
	}
	if callee := common.StaticCallee(); callee != nil && len(callee.Blocks) == 1 && !common.IsInvoke() {
		return c.inlined(callee, common, depth)
	}
	if n, ok := c.values.Term(v).IsInt(); ok {
		return Span{n, n}
	}
	return anyTime
}

func (c *clock) builtin(name string, call *ssa.CallCommon, depth int) Span {
	if name != "min" && name != "max" || len(call.Args) == 0 {
		return anyTime
	}
	best := c.span(call.Args[0], depth+1)
	for _, a := range call.Args[1:] {
		s := c.span(a, depth+1)
		if name == "min" {
			best = Span{min(best.Min, s.Min), min(best.Max, s.Max)}
		} else {
			best = Span{max(best.Min, s.Min), max(best.Max, s.Max)}
		}
	}
	return best
}

// fromRandom reports whether a call asks a source of random numbers.
func fromRandom(call *ssa.CallCommon) bool {
	callee := call.StaticCallee()
	if callee == nil {
		return false
	}
	f, ok := callee.Object().(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	return f.Pkg().Path() == "math/rand" || f.Pkg().Path() == "math/rand/v2"
}

// random is a random number below the last argument.
func (c *clock) random(call *ssa.CallCommon, depth int) Span {
	if len(call.Args) == 0 || !isInteger(call.Args[len(call.Args)-1].Type()) {
		return anyTime
	}
	limit := c.span(call.Args[len(call.Args)-1], depth+1)
	if limit.Open() || limit.Max <= 0 {
		return anyTime
	}
	return Span{0, limit.Max - 1}
}

// inlined computes a function without branches.
func (c *clock) inlined(fn *ssa.Function, call *ssa.CallCommon, depth int) Span {
	ret, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
	if !ok || len(ret.Results) != 1 || !isInteger(ret.Results[0].Type()) || depth > maxSpanDepth/2 {
		return anyTime
	}
	inner := &inlinedCall{clock: c, function: fn, call: call, depth: depth}
	return inner.result(ret.Results[0])
}

// inlinedCall computes what a function makes of its arguments.
type inlinedCall struct {
	*clock
	function *ssa.Function
	call     *ssa.CallCommon
	depth    int
}

func (i *inlinedCall) result(v ssa.Value) Span {
	if i.steps++; i.steps > maxSpanSteps {
		return anyTime
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		for n, p := range i.function.Params {
			if p == v && n < len(i.call.Args) {
				return i.span(i.call.Args[n], i.depth+1)
			}
		}
	case *ssa.BinOp:
		return i.binary(v.Op, i.result(v.X), i.result(v.Y))
	case *ssa.Convert:
		if isInteger(v.X.Type()) {
			return i.result(v.X)
		}
	case *ssa.ChangeType:
		return i.result(v.X)
	case *ssa.Call:
		return i.called(v)
	}
	if !usesParameters(v, 0) {
		return i.span(v, i.depth+1)
	}
	return anyTime
}

// called computes random parts and bounds of them.
func (i *inlinedCall) called(v *ssa.Call) Span {
	common := &v.Call
	if fromRandom(common) && len(common.Args) > 0 && isInteger(common.Args[len(common.Args)-1].Type()) {
		if limit := i.result(common.Args[len(common.Args)-1]); !limit.Open() && limit.Max > 0 {
			return Span{0, limit.Max - 1}
		}
		return anyTime
	}
	b, ok := common.Value.(*ssa.Builtin)
	if !ok || b.Name() != "min" && b.Name() != "max" {
		return anyTime
	}
	best := i.result(common.Args[0])
	for _, a := range common.Args[1:] {
		s := i.result(a)
		if b.Name() == "min" {
			best = Span{min(best.Min, s.Min), min(best.Max, s.Max)}
		} else {
			best = Span{max(best.Min, s.Min), max(best.Max, s.Max)}
		}
	}
	return best
}

func usesParameters(v ssa.Value, depth int) bool {
	if _, ok := v.(*ssa.Parameter); ok || depth > 8 {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && usesParameters(*op, depth+1) {
			return true
		}
	}
	return false
}
