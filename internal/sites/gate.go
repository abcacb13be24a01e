package sites

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// GateEnds tells after what a site makes no other attempt: that no classifier is given, or what the one that is given
// answers.
type GateEnds struct{ Nil, True, False bool }

// Any reports whether the classifier decides anything.
func (g GateEnds) Any() bool { return g.Nil || g.True || g.False }

// After reports whether an answer ends the repetitions.
func (g GateEnds) After(answer bool) bool { return answer && g.True || !answer && g.False }

// A supposition takes for granted that a classifier, the function value that call calls, isn't given, or what it answers.
type supposition struct {
	call   *ssa.Call
	absent bool
	answer bool
}

// of is what s says about v: a read of the classifier, or a call of it.
func (s *supposition) of(v ssa.Value, m *memory) (fact, bool) {
	if s == nil {
		return fact{}, false
	}
	if call, ok := v.(*ssa.Call); ok {
		if !s.absent && isClassifier(call) && sameVariable(call.Call.Value, s.call.Call.Value, m) {
			return truth(s.answer), true
		}
		return fact{}, false
	}
	if _, isFunction := v.Type().Underlying().(*types.Signature); !isFunction || !sameVariable(v, s.call.Call.Value, m) {
		return fact{}, false
	}
	if s.absent {
		return fact{kind: isNil}, true
	}
	return fact{kind: notNil}, true
}

// sameVariable reports whether two values are one, or read from one variable.
func sameVariable(v, w ssa.Value, m *memory) bool {
	if v == w {
		return true
	}
	switch x := v.(type) {
	case *ssa.UnOp:
		y, ok := w.(*ssa.UnOp)
		return ok && x.Op == token.MUL && y.Op == token.MUL && m.cell(x.X) == m.cell(y.X)
	case *ssa.Field:
		y, ok := w.(*ssa.Field)
		return ok && x.Field == y.Field && sameVariable(x.X, y.X, m)
	}
	return false
}

// isClassifier reports whether call asks a function value about an error.
func isClassifier(call *ssa.Call) bool {
	if call.Call.IsInvoke() || call.Call.StaticCallee() != nil || !isBoolean(call.Type()) {
		return false
	}
	_, isBuiltin := call.Call.Value.(*ssa.Builtin)
	return !isBuiltin && passesError(call)
}

// gateOf finds a classifier that decides whether r repeats the operation, whatever stands around its call: a test that one
// is given, a switch, a flag.
func (f *finder) gateOf(r *region, operation ssa.CallInstruction, o outcome, isBool bool) (*ssa.Call, GateEnds) {
	for _, b := range r.function.Blocks {
		if !r.blocks[b] {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !isClassifier(call) || instr == ssa.Instruction(operation) {
				continue
			}
			ends := GateEnds{
				Nil:   f.endsWith(r, operation, o, isBool, supposition{call: call, absent: true}),
				True:  f.endsWith(r, operation, o, isBool, supposition{call: call, answer: true}),
				False: f.endsWith(r, operation, o, isBool, supposition{call: call}),
			}
			if ends.Any() {
				return call, ends
			}
		}
	}
	return nil, GateEnds{}
}

// endsWith reports whether r doesn't repeat the operation under a supposition.
func (f *finder) endsWith(r *region, operation ssa.CallInstruction, o outcome, isBool bool, s supposition) bool {
	w := newWalker(r, operation, o, f.memory, f.values)
	w.boolean, w.supposes = isBool, &s
	ways, _, complete := w.again(inputs{})
	return complete && len(rounds(ways)) == 0
}
