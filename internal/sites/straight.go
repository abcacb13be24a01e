package sites

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// twinBefore reports whether the operation of s is also executed once before the region, with its error deciding whether the
// region is entered: a first attempt outside of the loop.
func twinBefore(s *Site) bool {
	if s.Kind == Recursion {
		return false
	}
	for _, instr := range s.region.head.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			break
		}
		if !typename.IsError(phi.Type()) {
			continue
		}
		for i, e := range phi.Edges {
			if !s.region.blocks[s.region.head.Preds[i]] && sameCall(callOf(e), callOf(s.Operation.Value()), 0) {
				return true
			}
		}
	}
	return false
}

// twinAfter reports whether the operation of s is executed once more after the region, when it has failed each time: a last
// attempt outside of the loop, whose outcome is what the function returns.
func (f *finder) twinAfter(s *Site) bool {
	if s.Kind == Recursion {
		return false
	}
	operation, _ := s.Operation.(*ssa.Call)
	for _, call := range f.errorCalls() {
		if s.region.blocks[call.Block()] || !s.region.head.Dominates(call.Block()) || !sameCall(call, operation, 0) {
			continue
		}
		if returned(call) {
			return true
		}
	}
	return false
}

// returned reports whether a result of call is returned as it is.
func returned(call *ssa.Call) bool {
	for _, ref := range *call.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Return:
			return true
		case *ssa.Extract:
			for _, use := range *ref.Referrers() {
				if _, isReturn := use.(*ssa.Return); isReturn {
					return true
				}
			}
		}
	}
	return false
}

// callOf returns the call that v is a result of, or nil.
func callOf(v ssa.Value) *ssa.Call {
	if x, ok := v.(*ssa.Extract); ok {
		v = x.Tuple
	}
	call, _ := v.(*ssa.Call)
	return call
}

// sameCall reports whether a and b call the same function with the same arguments, contexts aside.
func sameCall(a, b *ssa.Call, depth int) bool {
	if a == nil || b == nil || a == b || a.Call.IsInvoke() != b.Call.IsInvoke() || len(a.Call.Args) != len(b.Call.Args) {
		return false
	}
	if a.Call.IsInvoke() {
		if a.Call.Method != b.Call.Method || !sameValue(a.Call.Value, b.Call.Value, depth) {
			return false
		}
	} else if f := a.Call.StaticCallee(); f != b.Call.StaticCallee() || f == nil && !sameValue(a.Call.Value, b.Call.Value, depth) {
		return false
	}
	for i := range a.Call.Args {
		if isContext(a.Call.Args[i].Type()) {
			continue
		}
		if !sameValue(a.Call.Args[i], b.Call.Args[i], depth) {
			return false
		}
	}
	return true
}

// sameValue reports whether a and b are written alike.
func sameValue(a, b ssa.Value, depth int) bool {
	if a == b {
		return true
	}
	if depth > 6 {
		return false
	}
	if from, how := converted(a); how != "" {
		other, otherHow := converted(b)
		return how == otherHow && sameValue(from, other, depth+1)
	}
	switch x := a.(type) {
	case *ssa.Const:
		y, ok := b.(*ssa.Const)
		if !ok || x.Value == nil || y.Value == nil {
			return ok && x.Value == nil && y.Value == nil
		}
		return x.Value.ExactString() == y.Value.ExactString()
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		return ok && x.Op == y.Op && sameValue(x.X, y.X, depth+1)
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && sameValue(x.X, y.X, depth+1)
	case *ssa.MakeClosure:
		y, ok := b.(*ssa.MakeClosure)
		return ok && x.Fn == y.Fn
	case *ssa.Alloc:
		y, ok := b.(*ssa.Alloc)
		return ok && sameContent(x, y, depth)
	}
	return false
}

// converted returns what v is another form of, and which form, or "" if it is none.
func converted(v ssa.Value) (from ssa.Value, how string) {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return v.X, "made an interface"
	case *ssa.ChangeType:
		return v.X, "another type"
	case *ssa.ChangeInterface:
		return v.X, "another interface"
	case *ssa.Convert:
		return v.X, "converted"
	case *ssa.Slice:
		return v.X, "sliced"
	}
	return nil, ""
}

// sameContent compares argument lists of variadic calls and struct literals: filled alike.
func sameContent(a, b *ssa.Alloc, depth int) bool {
	va, vb := elements(a), elements(b)
	if len(va) != len(vb) || len(va) == 0 {
		return false
	}
	for i := range va {
		if !sameValue(va[i], vb[i], depth+1) {
			return false
		}
	}
	return true
}

func elements(a *ssa.Alloc) []ssa.Value {
	var list []ssa.Value
	for _, ref := range *a.Referrers() {
		addr, ok := ref.(ssa.Value)
		switch ref.(type) {
		case *ssa.IndexAddr, *ssa.FieldAddr:
		default:
			ok = false
		}
		if !ok {
			continue
		}
		for _, r := range *addr.Referrers() {
			if s, isStore := r.(*ssa.Store); isStore {
				list = append(list, s.Val)
			}
		}
	}
	return list
}

// straight finds second attempts without a loop: a call that is made once more, alike, on a way that only a failure of the
// first one takes.
func (f *finder) straight(found []*Site) []*Site {
	if !f.waitsAnywhere() {
		return nil
	}
	calls := f.errorCalls()
	var sites []*Site
	used := map[*ssa.Call]bool{}
	for i, first := range calls {
		for _, second := range calls[i+1:] {
			if used[first] || used[second] || !sameCall(first, second, 0) || insideSite(found, first, second) {
				continue
			}
			if s := f.secondAttempt(first, second); s != nil {
				used[first], used[second] = true, true
				sites = append(sites, s)
			}
		}
	}
	return sites
}

func (f *finder) waitsAnywhere() bool {
	for _, b := range f.function.Blocks {
		for _, instr := range b.Instrs {
			if f.values.Waits(instr) {
				return true
			}
		}
	}
	return false
}

func insideSite(found []*Site, first, second *ssa.Call) bool {
	for _, s := range found {
		if s.Holds(first) != s.Holds(second) || s.Kind == Recursion {
			return true
		}
	}
	return false
}

// errorCalls are the calls of the function that return an error and are made in sequence, not in one loop only.
func (f *finder) errorCalls() []*ssa.Call {
	var calls []*ssa.Call
	for _, b := range f.function.DomPreorder() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if ok && outcomeOf(call) == byError && !isMaker(call) && !tellsError(call) && !passesError(call) && !f.values.Local(call) && !f.values.Waits(call) {
				calls = append(calls, call)
			}
		}
	}
	return calls
}

// tellsError reports whether call only asks its receiver for an error that it remembers: LastErr, GetError.
func tellsError(call *ssa.Call) bool {
	name := calleeName(&call.Call)
	if !typename.IsError(call.Type()) || !strings.HasSuffix(name, "Err") && !strings.HasSuffix(name, "Error") {
		return false
	}
	return call.Call.IsInvoke() && len(call.Call.Args) == 0 || call.Call.Signature().Recv() != nil && len(call.Call.Args) == 1
}

// secondAttempt returns the site of first and second, if second is reached from first after a failure only, and something
// on the way waits or the function speaks of retries.
func (f *finder) secondAttempt(first, second *ssa.Call) *Site {
	if !first.Block().Dominates(second.Block()) || innermost(f.loops, first.Block()) != innermost(f.loops, second.Block()) {
		return nil
	}
	r := &region{function: f.function, head: f.function.Blocks[0], blocks: map[*ssa.BasicBlock]bool{}}
	for _, b := range f.function.Blocks {
		r.blocks[b] = true
	}
	reached := func(o outcome) (hit, waits bool, waiting []ssa.Instruction) {
		w := newWalker(r, first, o, f.memory, f.values)
		x := &explorer{walker: w, seen: map[string]bool{}, asks: map[ssa.Value]bool{}}
		hit, waits = x.reaches(state{block: first.Block(), from: indexOf(first) + 1, env: env{}}, second, false, 0)
		return hit, waits, w.waiting
	}
	if hit, _, _ := reached(succeeded); hit {
		return nil
	}
	hit, waits, waiting := reached(failed)
	if !hit || !waits {
		return nil
	}
	s := &Site{
		Kind: Straight, Role: Retry, Function: f.function, Operation: first,
		Attempts: value.Number(2), Bounded: "counter", Waits: waits, Waiting: waiting,
	}
	s.Pos = first.Pos()
	s.Repeated = map[ssa.Instruction]bool{first: true, second: true}
	return s
}

// reaches reports whether control reaches target, and whether it may have waited on the way.
func (a *explorer) reaches(s state, target *ssa.Call, waited bool, depth int) (hit, waits bool) {
	key := a.key(s)
	if waited {
		key += "w"
	}
	if a.seen[key] || depth > 2000 || a.memory.exhausted() {
		return false, false
	}
	a.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		if instr == ssa.Instruction(target) {
			return true, waited
		}
		if st, ok := instr.(*ssa.Store); ok {
			e = a.store(st, e)
		}
		waited = a.wait(instr) || waited
	}
	next, _ := a.successors(s, e)
	for _, n := range next {
		h, w := a.reaches(n, target, waited, depth+1)
		hit, waits = hit || h, waits || w
	}
	return hit, waits
}
