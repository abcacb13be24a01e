package sites

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// TimeLimit returns the time after which a loop makes no other attempt, in nanoseconds, and the call that asks how late it is. It
// is 0 if the time isn't constant, or isn't asked for in every round.
func (s *Site) TimeLimit(values Evaluator) (limit int64, asks *ssa.Call) {
	if s.region == nil || s.Bounded != "elapsed" {
		return 0, nil
	}
	for _, b := range s.region.inOrder() {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || s.region.blocks[b.Succs[0]] && s.region.blocks[b.Succs[1]] || !s.everyRound(b) {
			continue
		}
		clock := clockOf(branch.Cond, 0)
		if clock == nil || s.startsInside(clock) {
			continue
		}
		if d := limitIn(branch.Cond, clock, values); d > 0 && (limit == 0 || d < limit) {
			limit, asks = d, clock
		}
	}
	return limit, asks
}

// everyRound reports whether no way round the region leaves b out.
func (s *Site) everyRound(b *ssa.BasicBlock) bool {
	for _, pred := range s.region.head.Preds {
		if s.region.blocks[pred] && !b.Dominates(pred) {
			return false
		}
	}
	return true
}

// limitIn reads the limit off a condition: time.Since(start) < limit, or time.Now().Before(start.Add(limit)).
func limitIn(cond ssa.Value, clock *ssa.Call, values Evaluator) int64 {
	if test, ok := strip(cond).(*ssa.BinOp); ok && calleeName(&clock.Call) == "Since" {
		return constantBeside(test, clock, values)
	}
	if strip(cond) != ssa.Value(clock) {
		return 0
	}
	for _, a := range clock.Call.Args {
		if add, ok := a.(*ssa.Call); ok && calleeName(&add.Call) == "Add" && len(add.Call.Args) == 2 && present(add.Call.Args[0], 0) {
			n, _ := values.Term(add.Call.Args[1]).IsInt()
			return n
		}
	}
	return 0
}

// constantBeside is the number that the clock is compared with.
func constantBeside(test *ssa.BinOp, clock *ssa.Call, values Evaluator) int64 {
	other := test.Y
	switch {
	case test.Op == token.EQL || test.Op == token.NEQ:
		return 0
	case test.Y == ssa.Value(clock):
		other = test.X
	case test.X != ssa.Value(clock):
		return 0
	}
	n, _ := values.Term(other).IsInt()
	return n
}
