package budget

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// A Polarity says what a larger counter does to a gate.
type Polarity int8

// The polarities.
const (
	Balance Polarity = +1 // a larger one admits more: tokens that are left, calls that a share is taken of
	Debt    Polarity = -1 // a larger one refuses earlier: repeats that were made
)

// A Gate is a decision, by counters, whether something may happen.
type Gate struct {
	// Function decides, or holds the branch that does.
	Function *ssa.Function
	Terms    []Term
	// Ratios are comparisons of one counter with a share of another.
	Ratios []Ratio
}

// A Term is a counter that a gate looks at, with a comparison that does.
type Term struct {
	Counter  Counter
	Polarity Polarity
	Compare  *ssa.BinOp
	Read     ssa.Instruction
}

// A Ratio admits as long as Used is less than a share of Base.
type Ratio struct{ Used, Base Counter }

// A Refusal is the result by which a function refuses: a boolean with a value, or an error. Where the result is a struct, Field is
// the one of its fields, counted from 1, that is the boolean.
type Refusal struct {
	Result int
	Field  int
	Value  bool
	Error  bool
}

type gateKey struct {
	fn *ssa.Function
	r  Refusal
}

// GateOf describes fn as a gate that refuses so, nil if no counter decides.
func (x *Index) GateOf(fn *ssa.Function, r Refusal) *Gate {
	key := gateKey{fn, r}
	if g, ok := x.gates[key]; ok {
		return g
	}
	x.gates[key] = nil // while it is looked at
	if len(fn.Blocks) > 60 {
		return nil
	}
	g := &Gate{Function: fn}
	v := &verdicts{refusal: r, seen: map[[2]*ssa.BasicBlock]bool{}}
	for _, b := range fn.Blocks {
		switch last := b.Instrs[len(b.Instrs)-1].(type) {
		case *ssa.If:
			then, other := v.of(b.Succs[0], b), v.of(b.Succs[1], b)
			switch {
			case then == refuses && other != refuses:
				x.decide(g, last.Cond, true, 0)
			case other == refuses && then != refuses:
				x.decide(g, last.Cond, false, 0)
			}
		case *ssa.Return:
			if val := returned(last, r); val != nil && !r.Error {
				x.decide(g, val, r.Value, 0)
			}
		}
	}
	if len(g.Terms) == 0 {
		return nil
	}
	x.gates[key] = g
	return g
}

// GateAt describes the condition of a branch as a gate that refuses if it is refusing; nil if no counter decides.
func (x *Index) GateAt(branch *ssa.If, refusing bool) *Gate {
	g := &Gate{Function: branch.Parent()}
	x.decide(g, branch.Cond, refusing, 0)
	if len(g.Terms) == 0 {
		return nil
	}
	return g
}

// decide adds to g the counters that make cond come out as refusing.
func (x *Index) decide(g *Gate, cond ssa.Value, refusing bool, depth int) {
	if depth > 5 {
		return
	}
	if call, r := answered(cond); call != nil {
		r.Value = refusing
		x.asked(g, call, r)
		return
	}
	switch cond := cond.(type) {
	case *ssa.UnOp:
		if cond.Op == token.NOT {
			x.decide(g, cond.X, !refusing, depth+1)
		}
	case *ssa.Phi:
		for _, e := range cond.Edges {
			x.decide(g, e, refusing, depth+1)
		}
	case *ssa.Call, *ssa.Extract:
		if call, index := resultOf(cond); call != nil {
			x.asked(g, call, Refusal{Result: index, Value: refusing})
		}
	case *ssa.BinOp:
		if isNil(cond.X) || isNil(cond.Y) {
			x.failed(g, cond, refusing)
			return
		}
		if x.taken(g, cond, refusing) {
			return
		}
		x.compared(g, cond, refusing)
	}
}

// failed adds the gate whose error a comparison with nil is about.
func (x *Index) failed(g *Gate, test *ssa.BinOp, refusing bool) {
	subject := test.X
	if isNil(subject) {
		subject = test.Y
	}
	if call, index := resultOf(subject); call != nil && typename.IsError(subject.Type()) && (test.Op == token.NEQ) == refusing {
		x.asked(g, call, Refusal{Result: index, Error: true})
	}
}

func (x *Index) asked(g *Gate, call *ssa.Call, r Refusal) {
	for _, callee := range x.Callees(&call.Call) {
		if inner := x.GateOf(callee, r); inner != nil {
			g.Terms, g.Ratios = append(g.Terms, inner.Terms...), append(g.Ratios, inner.Ratios...)
		}
	}
}

// resultOf returns the call that v is a result of, and which.
func resultOf(v ssa.Value) (call *ssa.Call, index int) {
	switch v := v.(type) {
	case *ssa.Call:
		return v, 0
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return call, v.Index
		}
	}
	return nil, 0
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// Asked returns the call whose result a condition is about, nil if it compares the counter itself.
func (x *Index) Asked(cond ssa.Value) ssa.CallInstruction { return x.askedWithin(cond, 0) }

func (x *Index) askedWithin(cond ssa.Value, depth int) ssa.CallInstruction {
	if depth > 6 {
		return nil
	}
	if call, _ := answered(cond); call != nil {
		return x.askedWithin(call, depth+1)
	}
	switch v := cond.(type) {
	case *ssa.UnOp:
		return x.askedWithin(v.X, depth+1)
	case *ssa.Extract:
		return x.askedWithin(v.Tuple, depth+1)
	case *ssa.BinOp:
		for _, side := range []ssa.Value{v.X, v.Y} {
			if call := x.askedWithin(side, depth+1); call != nil && typename.IsError(side.Type()) {
				return call
			}
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if call := x.askedWithin(e, depth+1); call != nil {
				return call
			}
		}
	case *ssa.Call:
		for _, callee := range x.Callees(&v.Call) {
			if len(x.GatesOf(callee)) > 0 {
				return v
			}
		}
	}
	return nil
}

// CallBehind returns the call whose result a condition is about, nil if there is none.
func CallBehind(cond ssa.Value) *ssa.Call { return callBehind(cond, 0) }

func callBehind(v ssa.Value, depth int) *ssa.Call {
	if depth > 6 {
		return nil
	}
	if call, _ := answered(v); call != nil {
		return call
	}
	switch v := v.(type) {
	case *ssa.Call:
		return v
	case *ssa.Extract:
		return callBehind(v.Tuple, depth+1)
	case *ssa.UnOp:
		if v.Op == token.NOT {
			return callBehind(v.X, depth+1)
		}
	case *ssa.BinOp:
		if typename.IsError(v.X.Type()) && isNil(v.Y) {
			return callBehind(v.X, depth+1)
		}
	}
	return nil
}

// Receiver is the type of the budget that a method is called on, nil if a call is of no method.
func Receiver(call *ssa.CallCommon) types.Type {
	if call.Signature().Recv() == nil || len(call.Args) == 0 {
		return nil
	}
	return call.Args[0].Type()
}

// compared adds the counters of a comparison that refuses if it comes out as refusing.
func (x *Index) compared(g *Gate, test *ssa.BinOp, refusing bool) {
	op := test.Op
	if !refusing {
		op = negated[op]
	}
	side := Polarity(0) // of what stands on the left
	switch op {
	case token.LSS, token.LEQ:
		side = Balance
	case token.GTR, token.GEQ:
		side = Debt
	case token.EQL:
		if _, isConst := number(test.Y); isConst {
			side = Balance
		} else {
			side = Debt
		}
	default:
		return
	}
	l := &leaves{index: x, found: map[Counter]leaf{}}
	l.visit(test.X, side, 0)
	l.visit(test.Y, -side, 0)
	var used, base Counter
	for c, leaf := range l.found {
		g.Terms = append(g.Terms, Term{Counter: c, Polarity: leaf.polarity, Compare: test, Read: leaf.read})
		if leaf.polarity == Debt {
			used = c
		} else {
			base = c
		}
	}
	if used != nil && base != nil {
		g.Ratios = append(g.Ratios, Ratio{used, base})
	}
}

var negated = map[token.Token]token.Token{
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
}

// leaves finds the counters that an expression is made of.
type leaves struct {
	index *Index
	found map[Counter]leaf
}

type leaf struct {
	polarity Polarity
	read     ssa.Instruction
}

func (l *leaves) visit(v ssa.Value, side Polarity, depth int) {
	if v == nil || depth > 10 {
		return
	}
	if c := accessOf(v); c != nil {
		l.add(c, side, v.(ssa.Instruction))
		return
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		l.visit(v.X, side, depth+1)
		if v.Op == token.SUB || v.Op == token.QUO {
			side = -side
		}
		l.visit(v.Y, side, depth+1)
	case *ssa.Convert:
		l.visit(v.X, side, depth+1)
	case *ssa.ChangeType:
		l.visit(v.X, side, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			l.visit(e, side, depth+4)
		}
	case *ssa.Slice:
		l.held(v, v.X, side)
	case *ssa.UnOp:
		l.held(v, v.X, side)
	case *ssa.Call:
		l.call(v, side, depth)
	}
}

// held adds the array that is read as a whole.
func (l *leaves) held(at ssa.Instruction, addr ssa.Value, side Polarity) {
	if c := CounterOf(addr); c != nil {
		l.add(c, side, at)
	}
}

func (l *leaves) call(v *ssa.Call, side Polarity, depth int) {
	for _, a := range v.Call.Args {
		l.visit(a, side, depth+1)
	}
	for _, callee := range l.index.Callees(&v.Call) {
		if callee.Signature.Results().Len() != 1 || !isNumber(callee.Signature.Results().At(0).Type()) {
			continue
		}
		for _, a := range l.index.accesses[callee] {
			if !a.Writes {
				l.add(a.Counter, side, v)
			}
		}
	}
}

func (l *leaves) add(c Counter, side Polarity, read ssa.Instruction) {
	if _, ok := l.found[c]; ok || !l.index.Mutable(c) || l.index.Marks(c) {
		return
	}
	l.found[c] = leaf{side, read}
}

// verdicts tells how fn ends on the ways from a block.
type verdicts struct {
	refusal Refusal
	seen    map[[2]*ssa.BasicBlock]bool
}

type verdict uint8

const (
	nothing verdict = 0
	refuses verdict = 1
	admits  verdict = 2
)

// of unites the verdicts of all ways that enter b from pred.
func (v *verdicts) of(b, pred *ssa.BasicBlock) verdict {
	clear(v.seen)
	return v.from(b, pred)
}

func (v *verdicts) from(b, pred *ssa.BasicBlock) verdict {
	key := [2]*ssa.BasicBlock{b, pred}
	if v.seen[key] {
		return nothing
	}
	v.seen[key] = true
	if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
		return v.returns(returned(ret, v.refusal), b, pred)
	}
	all := nothing
	for _, succ := range b.Succs {
		all |= v.from(succ, b)
	}
	return all
}

func (v *verdicts) returns(val ssa.Value, b, pred *ssa.BasicBlock) verdict {
	if phi, ok := val.(*ssa.Phi); ok && phi.Block() == b {
		for i, p := range b.Preds {
			if p == pred {
				val = phi.Edges[i]
			}
		}
	}
	switch c, isConst := val.(*ssa.Const); {
	case val == nil:
		return refuses | admits
	case v.refusal.Error && isNil(val):
		return admits
	case v.refusal.Error:
		return refuses
	case isConst && c.Value != nil && c.Value.Kind() == constant.Bool:
		if constant.BoolVal(c.Value) == v.refusal.Value {
			return refuses
		}
		return admits
	}
	return refuses | admits
}

// returned is what a return statement answers.
func returned(ret *ssa.Return, r Refusal) ssa.Value {
	if r.Result >= len(ret.Results) {
		return nil
	}
	v := justSet(ret.Results[r.Result], ret.Block())
	if r.Field > 0 {
		return fieldOf(v, r.Field-1)
	}
	return v
}

// justSet is the value that was put into the variable which v is read from, at the end of b: results are read so where functions are
// deferred.
func justSet(v ssa.Value, b *ssa.BasicBlock) ssa.Value {
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return v
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return v
	}
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if s, isStore := b.Instrs[i].(*ssa.Store); isStore && s.Addr == ssa.Value(alloc) {
			return s.Val
		}
	}
	return v
}
