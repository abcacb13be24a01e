package sites

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// The walker executes a region on abstract values: integers and booleans where they are known, whether an error is nil, and
// nothing of all else. Where a condition isn't known, both ways are taken. It answers two questions:
//
//   - Does control come back to an operation after it failed, and after it succeeded? (classify.go)
//   - How often, at most, is an operation executed if it fails each time? (attempts.go)
//
// Since counters are executed and not matched against patterns, it makes no difference whether a loop counts up or down,
// with < or <=, in its head, its body or its condition, or shares the counter with another loop.

// fact is what is known of a value.
type fact struct {
	kind factKind
	n    int64
	// tried is set if the value was made up for a trial; moving, if it was computed from something that the region changes.
	tried, moving bool
	// fault is what an error can be, in walks that trace errors.
	fault fault.Set
	// from is the value that an error has come from, in walks that follow origins.
	from ssa.Value
}

// is compares what is known, not where it comes from.
func (f fact) is(g fact) bool {
	return f.kind == g.kind && f.n == g.n && f.fault == g.fault && f.from == g.from
}

// known reports whether f says anything.
func (f fact) known() bool { return f.kind != nothing || f.fault.Known() || f.from != nil }

type factKind uint8

const (
	nothing factKind = iota
	integer
	boolean
	isNil
	notNil
	same // as at the begin of the walk: n tells which input
)

func truth(b bool) fact {
	if b {
		return fact{kind: boolean, n: 1}
	}
	return fact{kind: boolean}
}

// An outcome is what is supposed of the calls in the region.
type outcome uint8

const (
	failed    outcome = iota // the operation returns an error; nothing is supposed of other calls
	succeeded                // no call returns an error
)

// walker holds one walk through a region.
type walker struct {
	region    *region
	operation ssa.CallInstruction
	outcome   outcome
	values    Evaluator
	memory    *memory
	// unknown are the integers met that nobody knows; trial gives them values to find out how attempts depend on them.
	unknown  []value.Term
	trial    []int64
	switches *switches // nil in walks that don't ask for them
	// boolean tells that the operation reports its outcome by a boolean result.
	boolean bool
	depth   int // of classifiers that ask classifiers
	// durations tells whether delays are executed like other integers; it makes for many states.
	durations bool
	// traces tells whether errors are told apart (fault.go); given is what the operation fails with.
	traces bool
	given  fault.Set
	// origins tells whether it is followed where errors come from (ending.go).
	origins bool
	// supposes is what is taken for granted of a classifier (gate.go).
	supposes *supposition
	relevant map[ssa.Value]bool
	steps    int
	asks     []*ask            // policies that the region asks
	waiting  []ssa.Instruction // that were passed and wait
	exits    bool              // a branch that leaves the region was decided by a counter
	// policy tells that the region is a policy that is asked; late, that all time has passed; done, that contexts are (done.go).
	policy, late, done bool
}

// wait reports whether instr waits, and remembers it.
func (w *walker) wait(instr ssa.Instruction) bool {
	if !w.values.Waits(instr) {
		return false
	}
	if !slices.Contains(w.waiting, instr) {
		w.waiting = append(w.waiting, instr)
	}
	return true
}

// state is a place in the region, with what is known of the values that decide.
type state struct {
	block *ssa.BasicBlock
	from  int // index of the first instruction to execute
	env   env
}

// env holds what is known of phis, of parameters of a recursive region, and of variables in memory (by address).
type env map[ssa.Value]fact

func (e env) with(v ssa.Value, f fact) env {
	c := make(env, len(e)+1)
	for k, x := range e {
		c[k] = x
	}
	if f.known() {
		c[v] = f
	} else {
		delete(c, v)
	}
	return c
}

// key identifies a state among those of one walk.
func (w *walker) key(s state) string {
	key := strconv.AppendInt(make([]byte, 0, 64), int64(s.block.Index), 10)
	key = strconv.AppendInt(append(key, ':'), int64(s.from), 10)
	return string(w.memory.describe(key, s.env))
}

// enter returns the state at the begin of to, coming from block from.
func (w *walker) enter(from, to *ssa.BasicBlock, e env) state {
	next := make(env, len(e))
	for k, x := range e {
		if phi, ok := k.(*ssa.Phi); !ok || live(phi, to) {
			next[k] = x
		}
	}
	for i, pred := range to.Preds {
		if pred != from {
			continue
		}
		for _, instr := range to.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok {
				break
			}
			if !w.relevant[phi] {
				continue
			}
			if f := w.read(phi.Edges[i], e); f.known() {
				next[phi] = f
			} else {
				delete(next, phi)
			}
		}
		break
	}
	return state{block: to, env: next}
}

// live tells whether what is known of phi may still matter in block b: where phi's block dominates b.
func live(phi *ssa.Phi, b *ssa.BasicBlock) bool { return phi.Block().Dominates(b) }

// fact returns what is known of v in e.
func (w *walker) fact(v ssa.Value, e env) fact {
	if f, ok := e[v]; ok {
		f.moving = true
		return f
	}
	if f, ok := w.supposes.of(v, w.memory); ok {
		return f
	}
	if f, ok := w.whenDone(v); ok {
		return f
	}
	if f, ok := w.answered(v, e); ok {
		return f
	}
	if w.policy && measuresTime(v) {
		return w.passed()
	}
	f := w.plain(v, e)
	if w.traces && !f.fault.Known() && f.kind != isNil && typename.IsError(v.Type()) {
		f.fault = w.faultOf(v, e)
	}
	return f
}

// plain is what is known of v beside which error it is.
func (w *walker) plain(v ssa.Value, e env) fact {
	switch v := v.(type) {
	case *ssa.Const:
		return constFact(v)
	case *ssa.Phi:
		if w.region.blocks[v.Block()] {
			return fact{}
		}
		return w.leaf(v)
	case *ssa.BinOp:
		return w.binary(v, e)
	case *ssa.UnOp:
		return w.unary(v, e)
	case *ssa.Convert:
		return w.fact(v.X, e)
	case *ssa.ChangeType:
		return w.fact(v.X, e)
	case *ssa.ChangeInterface:
		return w.fact(v.X, e)
	case *ssa.MakeInterface:
		return fact{kind: notNil}
	case *ssa.Alloc, *ssa.MakeClosure, *ssa.Function, *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice:
		return fact{kind: notNil}
	case *ssa.Extract:
		return w.extract(v, e)
	case *ssa.Call:
		return w.callResult(v, v, e)
	}
	return w.leaf(v)
}

// passed is a stretch of time in a policy: unknown, or longer than any limit.
func (w *walker) passed() fact {
	if w.late {
		return fact{kind: integer, n: 1 << 40, moving: true}
	}
	return fact{}
}

func constFact(c *ssa.Const) fact {
	switch {
	case c.Value == nil:
		return fact{kind: isNil}
	case c.Value.Kind() == constant.Bool:
		return truth(constant.BoolVal(c.Value))
	case c.Value.Kind() == constant.Int:
		if n, ok := constant.Int64Val(c.Value); ok {
			return fact{kind: integer, n: n}
		}
	}
	return fact{}
}

// leaf asks the evaluator for a value that the region doesn't compute.
func (w *walker) leaf(v ssa.Value) fact {
	if isBoolean(v.Type()) {
		t := w.values.Term(v)
		if b, ok := t.IsBool(); ok {
			return truth(b)
		}
		return w.switches.of(v, t)
	}
	if !isInteger(v.Type()) || isDuration(v.Type()) && !w.durations {
		return fact{}
	}
	t := w.values.Term(v)
	if _, isConst := t.IsInt(); !isConst && w.made(v, 0) {
		return fact{}
	}
	return w.number(t)
}

// made reports whether v is made by a call in the region: then it may differ each time.
func (w *walker) made(v ssa.Value, depth int) bool {
	if alloc, isAlloc := v.(*ssa.Alloc); isAlloc {
		return w.filled(alloc)
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || depth > 10 || !w.region.blocks[instr.Block()] {
		return false
	}
	if call, isCall := v.(*ssa.Call); isCall {
		if _, isBuiltin := call.Call.Value.(*ssa.Builtin); !isBuiltin {
			return true
		}
	}
	if _, isPhi := v.(*ssa.Phi); isPhi {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if *op != nil && w.made(*op, depth+1) {
			return true
		}
	}
	return false
}

// number is the integer that t stands for; unknown integers take the value of the trial.
func (w *walker) number(t value.Term) fact {
	if n, ok := t.IsInt(); ok {
		return fact{kind: integer, n: n}
	}
	if t.Kind == value.Op && len(t.Args) == 2 && (t.Name == "+" || t.Name == "-" || t.Name == "*") {
		x, y := w.number(t.Args[0]), w.number(t.Args[1])
		if x.kind == integer && y.kind == integer {
			if n, ok := value.Operation(t.Name, value.Number(x.n), value.Number(y.n)).IsInt(); ok {
				return fact{kind: integer, n: n, tried: x.tried || y.tried}
			}
		}
		return fact{}
	}
	if !t.Known() && t.Name == "" {
		return fact{}
	}
	for i, u := range w.unknown {
		if value.Equal(u, t) {
			return w.tried(i)
		}
	}
	w.unknown = append(w.unknown, t)
	return w.tried(len(w.unknown) - 1)
}

func (w *walker) tried(i int) fact {
	if i < len(w.trial) {
		return fact{kind: integer, n: w.trial[i], tried: true}
	}
	return fact{}
}

// filled reports whether a call in the region is given the address of a variable, and may write to it.
func (w *walker) filled(alloc *ssa.Alloc) bool {
	for _, ref := range *alloc.Referrers() {
		if !w.region.blocks[ref.Block()] {
			continue
		}
		switch ref.(type) {
		case *ssa.MakeInterface, *ssa.Call:
			return true
		}
	}
	return false
}

func (w *walker) binary(v *ssa.BinOp, e env) fact {
	if isDuration(v.X.Type()) && !w.durations || isDuration(v.Type()) && w.policy {
		return fact{} // in a policy, the limits of delays decide, and not what they grow to
	}
	x, y := w.fact(v.X, e), w.fact(v.Y, e)
	if f, ok := nilTest(v.Op, x, y); ok {
		return f
	}
	if f, ok := w.codeTest(v, e); ok {
		return f
	}
	if f, ok := w.asked(v, e); ok {
		return f
	}
	if x.kind != y.kind || x.kind != integer && x.kind != boolean {
		return fact{}
	}
	if isUnsigned(v.X.Type()) && x.n < 0 {
		x.n = math.MaxInt64 // it has wrapped around
	}
	tried, moving := x.tried || y.tried, x.moving || y.moving
	t := value.Operation(v.Op.String(), value.Number(x.n), value.Number(y.n))
	if b, ok := t.IsBool(); ok && t.Kind == value.Bool {
		if x.tried && y.tried && !moving {
			return fact{} // the same each time round: it decides whether, not how often
		}
		f := truth(b)
		f.moving = moving
		return f
	}
	if n, ok := t.IsInt(); ok && x.kind == integer {
		return fact{kind: integer, n: n, tried: tried, moving: moving}
	}
	return fact{}
}

// codeTest compares the code of an error with the one that stands for success: no other error has that.
func (w *walker) codeTest(v *ssa.BinOp, e env) (fact, bool) {
	call, isCall := v.X.(*ssa.Call)
	code, isConst := v.Y.(*ssa.Const)
	if !isCall || !isConst || v.Op != token.EQL && v.Op != token.NEQ || !isInteger(code.Type()) {
		return fact{}, false
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Object() == nil || catalog.Does(fullName(callee)) != "ask-code" {
		return fact{}, false
	}
	switch failure := w.fact(call.Call.Args[0], e); {
	case failure.kind == isNil:
		return truth((code.Int64() == 0) == (v.Op == token.EQL)), true
	case failure.kind == notNil && code.Int64() == 0:
		return truth(v.Op == token.NEQ), true
	}
	return fact{}, false
}

func nilTest(op token.Token, x, y fact) (fact, bool) {
	if y.kind != isNil {
		x, y = y, x
	}
	if y.kind != isNil || x.kind != isNil && x.kind != notNil || op != token.EQL && op != token.NEQ {
		return fact{}, false
	}
	return truth((x.kind == isNil) == (op == token.EQL)), true
}

func (w *walker) unary(v *ssa.UnOp, e env) fact {
	switch v.Op {
	case token.NOT:
		if f := w.fact(v.X, e); f.kind == boolean {
			not := truth(f.n == 0)
			not.moving = f.moving
			return not
		}
		return fact{}
	case token.SUB:
		if f := w.fact(v.X, e); f.kind == integer {
			return fact{kind: integer, n: -f.n, tried: f.tried, moving: f.moving}
		}
		return fact{}
	case token.MUL:
		return w.load(v, e)
	}
	return fact{}
}

// load reads a variable in memory: as stored by the region, else as the evaluator knows it.
func (w *walker) load(v *ssa.UnOp, e env) fact {
	if g, ok := v.X.(*ssa.Global); ok && typename.IsError(v.Type()) && g.Name() != "" {
		return fact{kind: notNil} // a sentinel
	}
	cell := w.memory.cell(v.X)
	if f, ok := e[cell]; ok {
		f.moving = true
		return f
	}
	if w.memory.written(w.region, cell) || w.memory.replaced(w.region, cell) {
		return fact{}
	}
	return w.leaf(v)
}

func (w *walker) extract(v *ssa.Extract, e env) fact {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		if f, ok := w.asked(t, e); ok && v.Index == 1 {
			return f // errors.AsType
		}
		return w.callResult(t, v, e)
	case *ssa.TypeAssert:
		if v.Index == 1 && w.fact(t.X, e).kind == isNil {
			return truth(false)
		}
		if f, ok := w.asked(t, e); ok && v.Index == 1 {
			return f
		}
	}
	return fact{}
}

// callResult is what is known of v, a result of call.
func (w *walker) callResult(call *ssa.Call, v ssa.Value, e env) fact {
	if f, ok := w.supposed(call, v); ok {
		return f
	}
	if f, ok := w.knownFunction(call, e); ok {
		return f
	}
	if isInteger(v.Type()) || isBoolean(v.Type()) {
		return w.leaf(v)
	}
	return fact{}
}

// supposed is the outcome that the walk supposes of a call.
func (w *walker) supposed(call *ssa.Call, v ssa.Value) (fact, bool) {
	isOperation := ssa.CallInstruction(call) == w.operation
	switch {
	case typename.IsError(v.Type()):
		if isMaker(call) {
			return fact{kind: notNil}, true
		}
		if isOperation && w.outcome == failed {
			return fact{kind: notNil}, true
		}
		if w.outcome == succeeded && w.region.blocks[call.Block()] && !passesError(call) {
			return fact{kind: isNil}, true
		}
	case isBoolean(v.Type()) && isOperation && w.boolean:
		return truth(w.outcome == succeeded), true
	}
	return fact{}, false
}

// knownFunction computes calls of functions whose meaning for errors and integers is fixed.
func (w *walker) knownFunction(call *ssa.Call, e env) (fact, bool) {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return w.builtin(b.Name(), call, e)
	}
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Object() == nil {
		return fact{}, false
	}
	if inner := enclosed(call); inner != nil {
		f := w.fact(inner, e)
		return fact{kind: f.kind, moving: f.moving}, f.kind == isNil || f.kind == notNil
	}
	switch catalog.Does(fullName(callee)) {
	case "ask-error":
		if w.fact(call.Call.Args[0], e).kind == isNil {
			return truth(false), true
		}
		if f, ok := w.asked(call, e); ok {
			return f, true
		}
	case "pass-error":
		return fact{}, true
	}
	return w.predicate(call, callee, e)
}

// predicate computes a boolean or error function of this package, a classifier, as far as what is known of its arguments
// decides: that an error is nil, or that no attempt is left.
func (w *walker) predicate(call *ssa.Call, callee *ssa.Function, e env) (fact, bool) {
	if callee.Blocks == nil && w.traces {
		return w.foreign(call, callee, e)
	}
	if callee.Blocks == nil || len(callee.Blocks) > 40 || w.depth > 3 || callee == w.region.function {
		return fact{}, false
	}
	given, moving := env{}, false
	for i, a := range call.Call.Args {
		f := w.fact(a, e)
		if !f.known() || f.kind == same || i >= len(callee.Params) {
			continue
		}
		moving = moving || f.moving
		given[callee.Params[i]] = fact{kind: f.kind, n: f.n, fault: f.fault}
	}
	if len(given) == 0 {
		return fact{}, false
	}
	f, ok := w.memory.answer(callee, given, w.values, w.depth+1)
	f.moving = moving
	return f, ok
}

func (w *walker) builtin(name string, call *ssa.Call, e env) (fact, bool) {
	switch name {
	case "len":
		return w.leaf(call), true
	case "min", "max":
		if !w.varies(call) {
			return w.leaf(call), true // as a whole: min(n, 3) doesn't grow evenly with n
		}
		args := make([]value.Term, 0, len(call.Call.Args))
		for _, a := range call.Call.Args {
			f := w.fact(a, e)
			if f.kind != integer {
				return w.leaf(call), true
			}
			args = append(args, value.Number(f.n))
		}
		if n, ok := value.Operation(name, args...).IsInt(); ok {
			return fact{kind: integer, n: n}, true
		}
	}
	return fact{}, false
}

// varies reports whether an argument of call is computed in the region.
func (w *walker) varies(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		if instr, ok := a.(ssa.Instruction); ok && w.region.blocks[instr.Block()] {
			return true
		}
	}
	return false
}

// store executes an assignment to a variable in memory.
func (w *walker) store(s *ssa.Store, e env) env {
	cell := w.memory.cell(s.Addr)
	for known := range e {
		if fa, ok := known.(*ssa.FieldAddr); ok && w.memory.cell(fa.X) == cell {
			e = e.with(known, fact{}) // the variable is replaced as a whole
		}
	}
	if cell == nil || !w.relevant[cell] {
		return e
	}
	return e.with(cell, w.read(s.Val, e))
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

func isBoolean(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func isDuration(t types.Type) bool { return isNamed(t, "time", "Duration") }

func isNamed(t types.Type, pkg, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg
}

func isContext(t types.Type) bool { return isNamed(t, "context", "Context") }

// enclosed returns the error that a call returns inside of another one, nil if it doesn't.
func enclosed(call *ssa.Call) ssa.Value {
	callee := call.Call.StaticCallee()
	if callee == nil || callee.Object() == nil || catalog.EnclosesIn(fullName(callee)) == "" {
		return nil
	}
	return call.Call.Args[0]
}

// isMaker reports whether call makes an error, always.
func isMaker(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	if callee == nil {
		return false
	}
	does := ""
	if callee.Object() != nil {
		does = catalog.Does(fullName(callee))
	}
	return does == "make-error" || does == "make-answer" || constructsError(callee)
}

// constructsError reports whether fn, a function of this package, returns a value of an error type, and nothing else.
func constructsError(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	if len(fn.Blocks) == 0 || len(fn.Blocks) > 10 || results.Len() != 1 || !typename.IsError(results.At(0).Type()) {
		return false
	}
	returns := 0
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if _, isValue := ret.Results[0].(*ssa.MakeInterface); !isValue {
			return false
		}
		returns++
	}
	return returns > 0
}

// passesError reports whether call is given an error: then its result is made of it, and no outcome of its own.
func passesError(call *ssa.Call) bool {
	for _, a := range call.Call.Args {
		if typename.IsError(a.Type()) {
			return true
		}
	}
	return false
}

func fullName(fn *ssa.Function) string {
	if fn.Pkg == nil && fn.Object() == nil {
		return fn.Name()
	}
	if f, ok := fn.Object().(*types.Func); ok {
		return catalog.Alias(f.Origin().FullName())
	}
	return fn.Name()
}
