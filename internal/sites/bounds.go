package sites

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// A site without an end is one whose operation may fail for ever, and whose exits on that way are of two kinds: they ask about
// the failure, or they can't come true. Any other condition may be a bound, known or not: the site is left alone then.

// Endless says what is wrong with the bound of a site.
type Endless struct {
	// Stuck are comparisons that should leave the region and never do, since their numbers don't change, or in the wrong
	// direction. Restarted are questions about the time that begins anew in each round.
	Stuck     []Stuck
	Restarted []*ssa.Call
	// Copied are calls of methods that should count, and count in a copy of their receiver.
	Copied []*ssa.Call
	// Unbounded is set if there is nothing else that could end the attempts.
	Unbounded bool
}

// Stuck is a comparison of numbers that never comes true. Settable tells that one of them is a variable that others may set.
type Stuck struct {
	Test     *ssa.BinOp
	Settable bool
}

// Endless returns what is wrong with the bound of s, nil if nothing is.
func (s *Site) Endless(values Evaluator) *Endless {
	lost := !s.Unlimited && !s.Attempts.Known() // a counter goes on and on
	if !s.Unlimited && !lost || s.region == nil {
		return nil
	}
	g := s.statesOf(values, nil)
	if g == nil {
		return nil
	}
	e := &Endless{}
	mayEnd := lost || s.Bounded != "" || g.cut
	for _, exit := range g.exits() {
		test, isTest := strip(exit.branch.Cond).(*ssa.BinOp)
		switch isNumeric := isTest && isInteger(test.X.Type()); {
		case isNumeric && !exit.leaves && (!lost || s.countsAway(test)) && !g.progress(test):
			e.Stuck = append(e.Stuck, Stuck{test, g.settable(test)})
		case exit.leaves && g.mayBound(exit.branch.Cond):
			mayEnd = true
		}
		if call, isCall := strip(exit.branch.Cond).(*ssa.Call); isCall && s.region.blocks[call.Block()] && countsInCopy(call) {
			e.Copied = append(e.Copied, call)
		}
	}
	if s.Bounded == "elapsed" {
		e.Restarted = s.restarted()
	}
	e.Unbounded = !mayEnd && !s.endsWithContext(values)
	return e
}

// countsInCopy reports whether call is one of a method that changes a number of its receiver, which is a copy: the next call
// begins with the same one.
func countsInCopy(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Signature.Recv() == nil || len(callee.Params) == 0 {
		return false
	}
	m := memoryOf(callee)
	for cell, stores := range m.stores {
		field, ok := cell.(*ssa.FieldAddr)
		if !ok || !isInteger(stores[0].Val.Type()) || !copiesReceiver(field.X, m) {
			continue
		}
		for _, s := range stores {
			if sum, isSum := s.Val.(*ssa.BinOp); isSum && (sum.Op == token.ADD || sum.Op == token.SUB) && m.reads(sum.X, cell) {
				return true
			}
		}
	}
	return false
}

// copiesReceiver reports whether a variable is the copy of the receiver that a method works on.
func copiesReceiver(variable ssa.Value, m *memory) bool {
	alloc, ok := variable.(*ssa.Alloc)
	return ok && slices.ContainsFunc(m.stores[m.cell(alloc)], func(s *ssa.Store) bool { return s.Val == ssa.Value(m.function.Params[0]) })
}

// countsAway reports whether one number of a comparison moves away from the other, so that the region is never left.
func (s *Site) countsAway(test *ssa.BinOp) bool {
	op, counter, other := test.Op, test.X, test.Y
	if _, isPhi := counter.(*ssa.Phi); !isPhi {
		op, counter, other = mirrored(op), other, counter
	}
	phi, ok := counter.(*ssa.Phi)
	if !ok || phi.Block() != s.region.head || !steps(phi) {
		return false
	}
	if s.region.blocks[test.Block().Succs[1]] {
		op = negated(op) // what keeps control inside
	}
	up := stepOf(phi) > 0
	if c, isConst := other.(*ssa.Const); isConst && op == token.GEQ && isUnsigned(phi.Type()) && c.Value != nil && c.Int64() == 0 {
		return true // no unsigned number is below zero
	}
	switch op {
	case token.GTR, token.GEQ:
		return up
	case token.LSS, token.LEQ:
		return !up
	case token.NEQ:
		return s.startsBeyond(phi, other, up)
	}
	return false
}

// stepOf is what phi changes by from round to round.
func stepOf(phi *ssa.Phi) int64 {
	for _, e := range phi.Edges {
		if step, ok := e.(*ssa.BinOp); ok {
			n := step.Y.(*ssa.Const).Int64()
			if step.Op == token.SUB {
				n = -n
			}
			return n
		}
	}
	return 0
}

// startsBeyond reports whether phi begins on the side of a constant that it moves away to.
func (s *Site) startsBeyond(phi *ssa.Phi, other ssa.Value, up bool) bool {
	end, ok := other.(*ssa.Const)
	if !ok || end.Value == nil {
		return false
	}
	for i, e := range phi.Edges {
		start, isConst := e.(*ssa.Const)
		if s.region.blocks[phi.Block().Preds[i]] || !isConst || start.Value == nil {
			continue
		}
		return start.Int64() > end.Int64() == up
	}
	return false
}

// settable reports whether a comparison asks for the value of a variable that others may set.
func (g *stateGraph) settable(test *ssa.BinOp) bool {
	if test.Op != token.EQL && test.Op != token.NEQ {
		return false
	}
	return slices.ContainsFunc([]ssa.Value{test.X, test.Y}, func(v ssa.Value) bool {
		load, ok := v.(*ssa.UnOp)
		return ok && load.Op == token.MUL && !g.memory.written(g.region, g.memory.cell(load.X))
	})
}

// exit is a branch that leads out of the region; leaves tells whether it does, in a state that is reached.
type exit struct {
	branch *ssa.If
	leaves bool
}

// exits lists the branches that have a way out, as far as they are reached after the operation has failed.
func (g *stateGraph) exits() []exit {
	var list []exit
	index := map[*ssa.If]int{}
	for _, n := range g.nodes {
		branch, ok := n.block.Instrs[len(n.block.Instrs)-1].(*ssa.If)
		if !ok || g.region.blocks[n.block.Succs[0]] && g.region.blocks[n.block.Succs[1]] {
			continue
		}
		i, known := index[branch]
		if !known {
			i = len(list)
			index[branch] = i
			list = append(list, exit{branch: branch})
		}
		list[i].leaves = list[i].leaves || len(n.leaves) > 0
	}
	return list
}

// mayBound reports whether cond may become true some day for another reason than the outcome of an attempt.
func (g *stateGraph) mayBound(cond ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value) bool
	visit = func(v ssa.Value) bool {
		if v == nil || seen[v] {
			return false
		}
		seen[v] = true
		instr, ok := v.(ssa.Instruction)
		if !ok || !g.region.blocks[instr.Block()] {
			return false
		}
		switch v := v.(type) {
		case *ssa.Call:
			if g.isOutcome(v) {
				return false
			}
			if g.remembers(v) {
				return true
			}
		case *ssa.Select, *ssa.Next, *ssa.Lookup:
			return true
		case *ssa.UnOp:
			switch {
			case v.Op == token.ARROW:
				return true
			case v.Op == token.MUL:
				return g.mayBeSet(v, visit)
			}
		case *ssa.Phi:
			if v.Block() == g.region.head {
				return !typename.IsError(v.Type()) && g.changes(v)
			}
		}
		for _, op := range instr.Operands(nil) {
			if visit(*op) {
				return true
			}
		}
		return false
	}
	return visit(cond)
}

// progress reports whether a comparison asks for a number that a success advances, and no failure: how far the work has got.
func (g *stateGraph) progress(test *ssa.BinOp) bool {
	return slices.ContainsFunc([]ssa.Value{test.X, test.Y}, func(v ssa.Value) bool {
		phi, ok := unconverted(v).(*ssa.Phi)
		if !ok || phi.Block() != g.region.head || g.changes(phi) {
			return false
		}
		for i, e := range phi.Edges {
			if g.region.blocks[phi.Block().Preds[i]] && e != ssa.Value(phi) {
				return true
			}
		}
		return false
	})
}

// changes reports whether phi is another one in the round after a failure.
func (g *stateGraph) changes(phi *ssa.Phi) bool {
	for _, n := range g.nodes {
		if !slices.ContainsFunc(n.next, func(next *stateNode) bool { return next.block == g.region.head }) {
			continue
		}
		for i, pred := range g.region.head.Preds {
			if pred == n.block && phi.Edges[i] != ssa.Value(phi) {
				return true
			}
		}
	}
	return false
}

// isOutcome reports whether call is an attempt, or something else that can fail: that it fails some day is no bound.
func (g *stateGraph) isOutcome(call *ssa.Call) bool {
	if g.site.Repeated[call] && outcomeOf(call) == byError || ssa.CallInstruction(call) == g.operation {
		return true
	}
	return outcomeOf(call) == byError && !passesError(call) && !givenContext(call) && !g.values.Waits(call)
}

// remembers reports whether what call answers may differ some day, though it is asked the same: it isn't looked into, or it
// asks for the time, counts, or reads what others may set.
func (g *stateGraph) remembers(call *ssa.Call) bool {
	if _, isBuiltin := call.Call.Value.(*ssa.Builtin); isBuiltin {
		return false
	}
	if asksTime(&call.Call, calleeName(&call.Call)) || call.Call.IsInvoke() && isContext(call.Call.Value.Type()) {
		return true
	}
	if call.Call.IsInvoke() {
		return !passesOutcome(g, call) || !typename.IsError(call.Call.Value.Type()) && !ofOutcome(g, call.Call.Value)
	}
	callee := call.Call.StaticCallee()
	if callee == nil {
		return true
	}
	if callee.Object() != nil && (catalog.Does(fullName(callee)) != "" || catalog.Computes(packageOfFunction(callee))) {
		return false
	}
	if callee.Signature.Recv() != nil && isNamed(callee.Signature.Recv().Type(), "time", "Time") {
		return false // a comparison with the present is told apart above
	}
	if callee.Blocks == nil {
		return callee.Signature.Recv() != nil && !ofOutcome(g, call.Call.Args[0]) || !passesOutcome(g, call)
	}
	return changesOrReads(callee, 0)
}

// passesOutcome reports whether an argument or the receiver of call is made of what an attempt came to.
func passesOutcome(g *stateGraph, call *ssa.Call) bool {
	if call.Call.IsInvoke() && ofOutcome(g, call.Call.Value) {
		return true
	}
	return slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool { return typename.IsError(a.Type()) || ofOutcome(g, a) })
}

func ofOutcome(g *stateGraph, v ssa.Value) bool {
	return typename.IsError(v.Type()) || filledIn(v, g.region) || dependsOn(v, g.operation.Value(), g.region, g.memory)
}

// changesOrReads reports whether fn changes something that outlives its call, asks for the time, or reads what isn't its own.
func changesOrReads(fn *ssa.Function, depth int) bool {
	if depth > 3 {
		return true
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if !isLocalAddress(instr.Addr) {
					return true
				}
			case *ssa.Select, *ssa.Send, *ssa.Go, *ssa.MapUpdate:
				return true
			case *ssa.UnOp:
				if instr.Op == token.ARROW || instr.Op == token.MUL && !isLocalAddress(instr.X) && (isBoolean(instr.Type()) || isInteger(instr.Type())) {
					return true
				}
			case *ssa.Call:
				if foreignMemory(instr, depth) {
					return true
				}
			}
		}
	}
	return false
}

// foreignMemory is changesOrReads for a call in a function that is looked into.
func foreignMemory(call *ssa.Call, depth int) bool {
	if _, isBuiltin := call.Call.Value.(*ssa.Builtin); isBuiltin || passesError(call) && !call.Call.IsInvoke() && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Blocks == nil {
		return false
	}
	if call.Call.IsInvoke() {
		return !typename.IsError(call.Call.Value.Type()) && len(call.Call.Args) == 0 && !passesError(call)
	}
	callee := call.Call.StaticCallee()
	switch {
	case callee == nil:
		return true
	case callee.Blocks != nil:
		return changesOrReads(callee, depth+1)
	}
	return asksTime(&call.Call, calleeName(&call.Call)) || callee.Object() != nil && callee.Pkg != nil && callee.Pkg.Pkg.Path() == "sync/atomic"
}

// isLocalAddress reports whether addr lies in a variable of its own function, or in what an argument that is no receiver
// points to.
func isLocalAddress(addr ssa.Value) bool {
	for {
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			addr = v.X
		case *ssa.IndexAddr:
			addr = v.X
		case *ssa.UnOp:
			addr = v.X
		case *ssa.Alloc:
			return true
		case *ssa.Parameter:
			return v.Parent().Signature.Recv() == nil || v.Parent().Params[0] != v
		case *ssa.TypeAssert, *ssa.Extract, *ssa.Call, *ssa.Phi:
			return true // made of the arguments
		default:
			return false
		}
	}
}

// mayBeSet reports whether a variable that is read may hold something else some day: a flag, or what the region changes itself.
func (g *stateGraph) mayBeSet(load *ssa.UnOp, visit func(ssa.Value) bool) bool {
	if typename.IsError(load.Type()) {
		return false
	}
	if filledIn(load.X, g.region) {
		return false
	}
	cell := g.memory.cell(load.X)
	if stores := g.memory.stores[cell]; g.memory.written(g.region, cell) {
		return slices.ContainsFunc(stores, func(s *ssa.Store) bool { return visit(s.Val) })
	}
	switch x := load.X.(type) {
	case *ssa.Global:
		return isBoolean(load.Type()) || isInteger(load.Type())
	case *ssa.FieldAddr:
		if ofOutcome(g, x.X) || g.memory.replaced(g.region, cell) {
			return visit(x.X)
		}
		return isBoolean(load.Type()) || isInteger(load.Type())
	case *ssa.Alloc, *ssa.FreeVar:
		return isBoolean(load.Type()) || isInteger(load.Type())
	}
	return visit(load.X)
}

// endsWithContext reports whether a context that is done may end the attempts by making the operation fail with its error.
func (s *Site) endsWithContext(values Evaluator) bool {
	if !s.mayFailWithContext() {
		return false
	}
	for _, name := range []string{"context.Canceled", "context.DeadlineExceeded"} {
		g := s.statesOf(values, func(w *walker) { w.trace(fault.Of(fault.Sentinel(name))) })
		if g == nil || g.cut || slices.ContainsFunc(g.nodes, func(n *stateNode) bool { return n.cameFrom(len(n.block.Instrs)) && len(n.leaves) > 0 }) {
			return true
		}
	}
	return false
}

// mayFailWithContext reports whether an attempt is given a context, or is a closure that may have one.
func (s *Site) mayFailWithContext() bool {
	for instr := range s.Repeated {
		call, ok := instr.(*ssa.Call)
		if !ok {
			continue
		}
		if givenContext(call) || givenRequest(call) {
			return true
		}
		if callee := call.Call.StaticCallee(); !call.Call.IsInvoke() && (callee == nil || callee.Parent() != nil) && len(call.Call.Args) == 0 {
			return true
		}
	}
	return false
}

func givenRequest(call *ssa.Call) bool {
	return slices.ContainsFunc(call.Call.Args, func(a ssa.Value) bool {
		ptr, ok := a.Type().(*types.Pointer)
		return ok && isNamed(ptr.Elem(), "net/http", "Request")
	})
}

// restarted lists the questions about the time, if all of them ask for a time that begins anew in each round.
func (s *Site) restarted() []*ssa.Call {
	var clocks []*ssa.Call
	for _, b := range s.region.inOrder() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || s.region.blocks[b.Succs[0]] && s.region.blocks[b.Succs[1]] {
			continue
		}
		clock := clockOf(branch.Cond, 0)
		if clock == nil {
			if limitsTime(branch.Cond) || boundOf(branch.Cond, 0) == "elapsed" {
				return nil
			}
			continue
		}
		if !s.startsInside(clock) {
			return nil
		}
		clocks = append(clocks, clock)
	}
	return clocks
}

// clockOf returns the call that asks how late it is, in a condition.
func clockOf(v ssa.Value, depth int) *ssa.Call {
	if depth > 6 {
		return nil
	}
	if call, ok := v.(*ssa.Call); ok && asksTime(&call.Call, calleeName(&call.Call)) {
		return call
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return nil
	}
	if _, isPhi := v.(*ssa.Phi); isPhi {
		return nil
	}
	for _, op := range instr.Operands(nil) {
		if call := clockOf(*op, depth+1); call != nil {
			return call
		}
	}
	return nil
}

// startsInside reports whether the start, or the end, that the clock is compared with is made anew in each round: before the
// operation, or at the end of the round.
func (s *Site) startsInside(clock *ssa.Call) bool {
	for _, a := range clock.Call.Args {
		if !isNamed(a.Type(), "time", "Time") {
			continue
		}
		if phi, ok := a.(*ssa.Phi); ok && s.setEachRound(phi) {
			return true
		}
		made := timeMadeIn(a, s.region, 0)
		if made != nil && before(made, s.Operation) && (ssa.Value(made) != a || !s.endedByContext()) {
			return true // with a context, the time that one attempt takes may be what is asked for
		}
	}
	return false
}

// endedByContext reports whether a context or a signal ends s.
func (s *Site) endedByContext() bool {
	return slices.ContainsFunc(s.region.inOrder(), toldToStop)
}

// setEachRound reports whether each way round sets phi to a time that is made of the present one.
func (s *Site) setEachRound(phi *ssa.Phi) bool {
	if phi.Block() != s.region.head {
		return false
	}
	for i, e := range phi.Edges {
		if s.region.blocks[phi.Block().Preds[i]] && timeMadeIn(e, s.region, 0) == nil {
			return false
		}
	}
	return true
}

// timeMadeIn returns the call of Now in r that v is made of.
func timeMadeIn(v ssa.Value, r *region, depth int) *ssa.Call {
	call, ok := v.(*ssa.Call)
	if !ok || depth > 4 || !r.blocks[call.Block()] {
		return nil
	}
	if calleeName(&call.Call) == "Now" {
		return call
	}
	for _, a := range call.Call.Args {
		if made := timeMadeIn(a, r, depth+1); made != nil {
			return made
		}
	}
	return nil
}
