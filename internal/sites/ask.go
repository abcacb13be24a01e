package sites

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// A loop may leave the decision to a policy: it asks an object for the next delay, and leaves when the answer is "stop", a
// delay below zero or a boolean. How often it asks until then is a number of the policy value (Evaluator.Until). In a walk,
// the answer is unknown until the policy was asked that often, and "stop" from then on.

// An Ask is a call of a policy whose answer ends the attempts.
type Ask struct {
	Call *ssa.Call
	// Stop is the answer that ends them: of result 0 or 1, negative, zero, true or false, as in "0 negative".
	Stop string
	// Starts are the arguments of the first call; Moves tells which of them grow by one from call to call.
	Starts []value.Term
	Moves  []bool
}

// The answers that stop.
const (
	Negative = "negative"
	ZeroStop = "zero"
	TrueStop = "true"
	NotTrue  = "false"
)

// ask is an Ask within a walk. It stands for the number of times that the policy was asked, among the values of the walk.
type ask struct {
	*ssa.Call
	index int
	stop  string
	limit value.Term
}

// answer is the answer that stops, as a fact.
func (a *ask) answer() fact {
	switch a.stop {
	case Negative:
		return fact{kind: integer, n: -1}
	case ZeroStop:
		return fact{kind: integer}
	case TrueStop:
		return truth(true)
	}
	return truth(false)
}

// asksOf finds the policies that r asks: an answer decides whether r is left, and the policy is made outside of it.
func (f *finder) asksOf(r *region, operation ssa.CallInstruction) []*ask {
	if r.recursive != nil {
		return nil
	}
	var list []*ask
	for _, b := range f.function.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || !r.blocks[b] || r.blocks[b.Succs[0]] == r.blocks[b.Succs[1]] {
			continue
		}
		call, index, stop := asked(branch.Cond, !r.blocks[b.Succs[0]])
		if call == nil || ssa.CallInstruction(call) == operation || !r.blocks[call.Block()] || !madeBefore(r, call, f.memory) {
			continue
		}
		if a := newAsk(r, call, index, stop, f.memory, f.values); a != nil {
			list = append(list, a)
		}
	}
	return list
}

func newAsk(r *region, call *ssa.Call, index int, stop string, m *memory, values Evaluator) *ask {
	starts, moves := startsOf(r, call, m, values)
	limit := values.Until(Ask{Call: call, Stop: stopOf(index, stop), Starts: starts, Moves: moves})
	if !limit.Known() {
		return nil
	}
	return &ask{Call: call, index: index, stop: stop, limit: limit}
}

// stopOf names the answer of a result.
func stopOf(index int, stop string) string { return string(rune('0'+index)) + " " + stop }

// asked reads a test of an answer: the call, which of its results is tested, and the answer that makes the test come out
// as leaves says.
func asked(cond ssa.Value, leaves bool) (call *ssa.Call, index int, stop string) {
	cond, leaves = Unnegated(cond, leaves)
	if isBoolean(cond.Type()) {
		if call, index = resultOf(cond); call != nil {
			return call, index, word(leaves)
		}
	}
	test, ok := cond.(*ssa.BinOp)
	if !ok || !isInteger(test.X.Type()) {
		return nil, 0, ""
	}
	c, ok := test.Y.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return nil, 0, ""
	}
	n, _ := constant.Int64Val(c.Value)
	if stop = sentinel(test.Op, n, leaves); stop == "" {
		return nil, 0, ""
	}
	call, index = resultOf(test.X)
	return call, index, stop
}

// sentinel tells which answers make the comparison with n come out as leaves says.
func sentinel(op token.Token, n int64, leaves bool) string {
	if !leaves {
		op = map[token.Token]token.Token{
			token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
		}[op]
	}
	switch {
	case op == token.EQL && n < 0, op == token.LSS && n == 0:
		return Negative
	case (op == token.EQL || op == token.LEQ) && n == 0:
		return ZeroStop
	}
	return ""
}

// resultOf returns the call that v is a result of, directly or kept in a variable that holds results of one call only.
func resultOf(v ssa.Value) (call *ssa.Call, index int) {
	switch v := v.(type) {
	case *ssa.Call:
		if _, isBuiltin := v.Call.Value.(*ssa.Builtin); !isBuiltin {
			return v, 0
		}
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return call, v.Index
		}
	}
	return nil, 0
}

// madeBefore reports whether the policy that call asks is made before r begins, so that one object is asked each time.
func madeBefore(r *region, call *ssa.Call, m *memory) bool {
	policy := call.Call.Value
	if callee := call.Call.StaticCallee(); callee != nil {
		if callee.Signature.Recv() == nil && len(call.Call.Args) == 0 {
			return false
		}
		if callee.Signature.Recv() != nil {
			policy = call.Call.Args[0]
		} else {
			return true // a function of the attempt's number
		}
	}
	for range 10 {
		policy = unchangedPhi(policy)
		instr, ok := policy.(ssa.Instruction)
		if !ok || !r.blocks[instr.Block()] {
			return true
		}
		switch v := policy.(type) {
		case *ssa.UnOp:
			if v.Op != token.MUL || m.written(r, m.cell(v.X)) {
				return false
			}
			policy = v.X
		case *ssa.FieldAddr:
			policy = v.X
		case *ssa.Field:
			policy = v.X
		default:
			return false
		}
	}
	return false
}

// unchangedPhi returns what v is before the loop that carries it, if the loop doesn't change it.
func unchangedPhi(v ssa.Value) ssa.Value {
	phi, ok := v.(*ssa.Phi)
	if !ok {
		return v
	}
	var other ssa.Value
	for _, e := range phi.Edges {
		if e == v || e == other {
			continue
		}
		if other != nil {
			return v
		}
		other = e
	}
	return other
}

// startsOf describes the arguments of call in the first round of r, and tells which of them grow by one each round.
func startsOf(r *region, call *ssa.Call, m *memory, values Evaluator) (starts []value.Term, moves []bool) {
	for _, a := range call.Call.Args {
		start, moving := value.Term{}, false
		if isInteger(a.Type()) && !isDuration(a.Type()) {
			start, moving = movement(r, a, m, values)
		}
		if !start.Known() {
			start = values.Term(a)
		}
		starts, moves = append(starts, start), append(moves, moving)
	}
	return starts, moves
}

// movement returns what v is in the first round of r, and whether it is one more in each further round.
func movement(r *region, v ssa.Value, m *memory, values Evaluator) (start value.Term, moving bool) {
	switch v := v.(type) {
	case *ssa.Parameter:
		return values.Term(v), r.recursive != nil
	case *ssa.Convert:
		return movement(r, v.X, m, values)
	case *ssa.Phi:
		if v.Block() == r.head && stepsByOne(r, v) {
			return values.Initial(v), true
		}
	case *ssa.BinOp:
		c, ok := v.Y.(*ssa.Const)
		if !ok || v.Op != token.ADD || !r.blocks[v.Block()] {
			return value.Term{}, false
		}
		if start, moving = movement(r, v.X, m, values); moving {
			return value.Operation("+", start, value.Number(c.Int64())), true
		}
	case *ssa.UnOp:
		if v.Op == token.MUL && r.blocks[v.Block()] {
			return movementInMemory(r, v, m, values)
		}
	}
	return value.Term{}, false
}

func stepsByOne(r *region, phi *ssa.Phi) bool {
	steps := 0
	for i, e := range phi.Edges {
		if !r.blocks[phi.Block().Preds[i]] {
			continue
		}
		if !isIncrement(e, func(x ssa.Value) bool { return x == ssa.Value(phi) }) {
			return false
		}
		steps++
	}
	return steps > 0
}

func isIncrement(v ssa.Value, of func(ssa.Value) bool) bool {
	step, ok := v.(*ssa.BinOp)
	if !ok || step.Op != token.ADD || !of(step.X) {
		return false
	}
	c, ok := step.Y.(*ssa.Const)
	return ok && c.Value != nil && c.Int64() == 1
}

// movementInMemory is like movement for a variable in memory that one assignment of the region increments.
func movementInMemory(r *region, load *ssa.UnOp, m *memory, values Evaluator) (start value.Term, moving bool) {
	cell := m.cell(load.X)
	var step *ssa.Store
	for _, s := range m.stores[cell] {
		if !r.blocks[s.Block()] {
			continue
		}
		if step != nil {
			return value.Term{}, false
		}
		step = s
	}
	loads := func(x ssa.Value) bool {
		u, ok := x.(*ssa.UnOp)
		return ok && m.cell(u.X) == cell
	}
	if step == nil || !isIncrement(step.Val, loads) {
		return value.Term{}, false
	}
	start = values.Term(load)
	if v := m.initial(r, cell); v != nil {
		start = values.Term(v)
	}
	if before(step, load) {
		start = value.Operation("+", start, value.Number(1))
	}
	return start, true
}

// before reports whether a is executed before b whenever b is.
func before(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return indexOf(a) < indexOf(b)
	}
	return a.Block().Dominates(b.Block())
}

// asked counts a call of a policy.
func (w *walker) ask(call *ssa.Call, e env) env {
	for _, a := range w.asks {
		if a.Call != call || w.number(a.limit).kind != integer {
			continue
		}
		n := e[a]
		return e.with(a, fact{kind: integer, n: n.n + 1, moving: true})
	}
	return e
}

// answered is what is known of v, an answer of a policy: that it says stop, once the policy was asked often enough.
func (w *walker) answered(v ssa.Value, e env) (fact, bool) {
	if len(w.asks) == 0 {
		return fact{}, false
	}
	call, index := resultOf(v)
	for _, a := range w.asks {
		if a.Call != call || a.index != index {
			continue
		}
		limit := w.number(a.limit)
		if limit.kind == integer && e[a].n >= limit.n {
			return a.answer(), true
		}
		return fact{}, true
	}
	return fact{}, false
}

var elapsedWord = regexp.MustCompile(`(?i)elapsed|since`)

// measuresTime reports whether v is a stretch of time that has passed: it is measured, or given to a function as a duration.
func measuresTime(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return isDuration(v.Type())
	case *ssa.Call:
		return isDuration(v.Type()) && (elapsedWord.MatchString(calleeName(&v.Call)) || asksTime(&v.Call, calleeName(&v.Call)))
	}
	return false
}

// isPolicyAnswer reports whether a signature is that of a policy that is asked for a delay.
func isPolicyAnswer(sig *types.Signature) bool {
	for v := range sig.Results().Variables() {
		if isDuration(v.Type()) {
			return true
		}
	}
	return false
}

// GivesDelay reports whether call asks for a delay: a policy whose type isn't known yet counts as one only then.
func (a Ask) GivesDelay() bool { return isPolicyAnswer(a.Call.Call.Signature()) }
