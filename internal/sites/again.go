package sites

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// path holds what lies on a way from an operation back to it.
type path struct {
	head     bool // passes the head of the region: another round
	tested   bool // a branch asks for a result of the operation that is no error: a status, a state
	state    bool // such a branch asks for something that doesn't look like a failure
	waited   bool // waits
	errored  bool // finds an error that was made of that result
	conflict bool // goes through a branch that asks for a conflict, and takes its side
	exists   bool // the same for something that exists already: a lock that somebody else holds
}

// arrival is a way from the operation back to it, with the inputs that have changed.
type arrival struct {
	path
	changed []ssa.Value
}

// again finds the ways from the operation back to it, if it has the given outcome. leaves tells whether there is one out of
// the region.
func again(
	r *region, operation ssa.CallInstruction, boolean bool, o outcome, in inputs, m *memory, values Evaluator,
) (arrivals []arrival, leaves bool) {
	w := newWalker(r, operation, o, m, values)
	w.boolean = boolean
	arrivals, leaves, _ = w.again(in)
	return arrivals, leaves
}

// again finds the ways back to the operation of w. complete tells whether all of them were walked.
func (w *walker) again(in inputs) (arrivals []arrival, leaves, complete bool) {
	a := &explorer{walker: w, inputs: in, seen: map[string]bool{}, asks: map[ssa.Value]bool{}}
	e := env{}
	for i, c := range in.carried {
		w.relevant[c] = true
		e[c] = fact{kind: same, n: int64(i)}
	}
	a.mark(in)
	a.explore(state{block: w.operation.Block(), from: indexOf(w.operation) + 1, env: e}, path{})
	return a.arrivals, a.leaves, !a.cut
}

func indexOf(instr ssa.Instruction) int {
	for i, x := range instr.Block().Instrs {
		if x == instr {
			return i
		}
	}
	return 0
}

type explorer struct {
	*walker
	inputs   inputs
	seen     map[string]bool
	asks     map[ssa.Value]bool // conditions, by whether they are computed from a result of the operation
	arrivals []arrival
	leaves   bool
	cut      bool // there were too many ways
}

// mark makes the phis that pass inputs on to the head part of the state.
func (a *explorer) mark(in inputs) {
	marked := map[ssa.Value]bool{}
	var visit func(v ssa.Value)
	visit = func(v ssa.Value) {
		phi, ok := v.(*ssa.Phi)
		if !ok || marked[phi] || !a.region.blocks[phi.Block()] {
			return
		}
		marked[phi], a.relevant[phi] = true, true
		for _, e := range phi.Edges {
			visit(e)
		}
	}
	for _, c := range in.carried {
		visit(c)
	}
}

func (a *explorer) explore(s state, p path) {
	if a.steps++; a.steps > maxSteps/10 || a.memory.exhausted() {
		a.cut = true
		return
	}
	key := a.key(s) + p.key()
	if a.seen[key] {
		return
	}
	a.seen[key] = true
	e := s.env
	for _, instr := range s.block.Instrs[s.from:] {
		if instr == ssa.Instruction(a.operation) {
			a.arrive(e, p)
			return
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			e = a.store(instr, e)
		case *ssa.Call:
			if a.region.recursive[instr] {
				q := p
				q.head = true
				a.explore(a.restart(instr, e), q)
				return
			}
		}
		p.waited = a.wait(instr) || p.waited
	}
	next, leaves := a.successors(s, e)
	a.leaves = a.leaves || leaves && !toldToStop(s.block)
	for _, n := range next {
		a.explore(n, a.extend(p, s.block, n.block, e))
	}
}

// toldToStop reports whether the branch at the end of b leaves because a context or a signal says so. A region that a success
// leaves in no other way isn't done with a success: it works on.
func toldToStop(b *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	by := boundOf(branch.Cond, 0)
	return by == "context" || by == "signal"
}

func (a *explorer) arrive(e env, p path) {
	var changed []ssa.Value
	for i, c := range a.inputs.carried {
		if !e[c].is(fact{kind: same, n: int64(i)}) {
			changed = append(changed, c)
		}
	}
	a.arrivals = append(a.arrivals, arrival{p, changed})
}

// extend notes what the branch from b to succ says about the way.
func (a *explorer) extend(p path, b, succ *ssa.BasicBlock, e env) path {
	p.head = p.head || succ == a.region.head
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Succs[0] == b.Succs[1] {
		return p
	}
	if a.fact(branch.Cond, e).kind == boolean {
		p.errored = p.errored || p.tested && a.findsError(branch.Cond, e)
		return p
	}
	if asksConflict(branch.Cond, succ == b.Succs[0]) {
		p.conflict = true
	}
	if asksExistence(branch.Cond, succ == b.Succs[0]) {
		p.exists = true
	}
	call := a.operation.Value()
	if call == nil || !a.asksResult(branch.Cond, call) || a.region.meetAgain(b) {
		return p
	}
	p.tested = true
	p.state = p.state || !a.asksAgain(branch.Cond, succ == b.Succs[0]) && !a.looksLikeFailure(branch.Cond)
	return p
}

// findsError reports whether cond tests an error that isn't nil.
func (a *explorer) findsError(cond ssa.Value, e env) bool {
	test, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	for _, side := range []ssa.Value{test.X, test.Y} {
		if typename.IsError(side.Type()) && a.fact(side, e).kind == notNil {
			return true
		}
	}
	return false
}

// asksResult reports whether cond is computed from a result of call other than its error.
func (a *explorer) asksResult(cond ssa.Value, call ssa.Value) bool {
	if a.outcome != succeeded {
		return false
	}
	asks, known := a.asks[cond]
	if !known {
		asks = dependsOn(cond, call, a.region, a.memory)
		a.asks[cond] = asks
	}
	return asks
}

// asksAgain reports whether cond is a boolean result of the operation, true on the way taken: "again", where false would
// have been "done".
func (a *explorer) asksAgain(cond ssa.Value, whenTrue bool) bool {
	cond, whenTrue = Unnegated(cond, whenTrue)
	x, ok := cond.(*ssa.Extract)
	return ok && x.Tuple == a.operation.Value() && whenTrue
}

// looksLikeFailure reports whether cond asks for a status or a failure rather than for a state.
func (a *explorer) looksLikeFailure(cond ssa.Value) bool {
	found := false
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value, depth int)
	visit = func(v ssa.Value, depth int) {
		if v == nil || seen[v] || found || depth > 8 {
			return
		}
		seen[v] = true
		switch v := v.(type) {
		case *ssa.FieldAddr:
			found = found || isStatus(v)
		case *ssa.Call:
			if ssa.CallInstruction(v) == a.operation {
				return
			}
			found = found || asksForStatus(&v.Call)
		case *ssa.BinOp:
			found = found || a.comparesStatus(v)
		}
		if instr, ok := v.(ssa.Instruction); ok && a.region.blocks[instr.Block()] {
			for _, op := range instr.Operands(nil) {
				visit(*op, depth+1)
			}
		}
	}
	visit(cond, 0)
	return found
}

// asksForStatus reports whether a call asks for a status or an error: by its name, or since it is a small function that reads one.
func asksForStatus(call *ssa.CallCommon) bool {
	for _, arg := range call.Args {
		if typename.IsError(arg.Type()) {
			return true
		}
	}
	results := call.Signature().Results()
	if statusName(calleeName(call)) && (results.Len() != 1 || !isState(calleeName(call), results.At(0).Type())) {
		return true
	}
	callee := call.StaticCallee()
	if callee == nil || len(callee.Blocks) > maxAsking {
		return false
	}
	for _, b := range callee.Blocks {
		for _, instr := range b.Instrs {
			if fa, ok := instr.(*ssa.FieldAddr); ok && isStatus(fa) {
				return true
			}
		}
	}
	return false
}

// maxAsking is the number of blocks of the largest functions that are taken for a question.
const maxAsking = 20

// isStatus reports whether a field says how an attempt went.
func isStatus(fa *ssa.FieldAddr) bool {
	owner := fa.X.Type().Underlying().(*types.Pointer).Elem()
	field := owner.Underlying().(*types.Struct).Field(fa.Field)
	return statusName(field.Name()) && (typename.Of(owner) == "net/http.Response" || !isState(field.Name(), field.Type()))
}

// isState tells the status of a job, a text or an enumeration of its own, from the status of a response, which is a number.
func isState(name string, t types.Type) bool {
	if lower := strings.ToLower(name); !strings.HasSuffix(lower, "status") {
		return false
	}
	basic, isBasic := types.Unalias(t).(*types.Basic)
	return !isBasic || basic.Info()&types.IsString != 0
}

// AsksStatus reports whether a branch of fn asks for a status, or for a failure, of what call results in beside its error.
func AsksStatus(fn *ssa.Function, call *ssa.Call) bool {
	a := &explorer{walker: &walker{region: wholeRegion(fn), operation: call}}
	for _, b := range fn.Blocks {
		if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && a.looksLikeFailure(branch.Cond) {
			return true
		}
	}
	return false
}

// comparesStatus reports whether a number that the operation results in is compared with a status of HTTP.
func (a *explorer) comparesStatus(test *ssa.BinOp) bool {
	x, y := test.X, test.Y
	if _, isConst := x.(*ssa.Const); isConst {
		x, y = y, x
	}
	result, ok := x.(*ssa.Extract)
	c, isConst := y.(*ssa.Const)
	if !ok || !isConst || !isInteger(c.Type()) || c.Value == nil || result.Tuple != a.operation.Value() {
		return false
	}
	n := c.Int64()
	return n == 200 || n >= 400 && n < 600
}

func statusName(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"status", "iserror", "issuccess", "code", "retr", "transient", "temporary", "throttl", "unavail", "fail", "err"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// asksConflict reports whether cond asks for a conflict and the branch taken is the one where there is one.
func asksConflict(cond ssa.Value, whenTrue bool) bool {
	return asksFor(cond, whenTrue, func(name string) bool { return strings.Contains(strings.ToLower(name), "conflict") })
}

// asksExistence reports whether cond asks for something that exists already, and the branch taken is the one where it does.
func asksExistence(cond ssa.Value, whenTrue bool) bool {
	return asksFor(cond, whenTrue, func(name string) bool { return name == "IsExist" || name == "ErrExist" })
}

// asksFor reports whether cond is a call of a function, or with a sentinel, whose name says what it asks for, and the branch
// taken is the one where that is so.
func asksFor(cond ssa.Value, whenTrue bool, says func(name string) bool) bool {
	cond, whenTrue = Unnegated(cond, whenTrue)
	call, ok := cond.(*ssa.Call)
	if !ok || !whenTrue {
		return false
	}
	if says(calleeName(&call.Call)) {
		return true
	}
	for _, arg := range call.Call.Args {
		if load, isLoad := arg.(*ssa.UnOp); isLoad && says(load.X.Name()) {
			return true
		}
	}
	return false
}

func (p path) key() string {
	b := []byte("/-------")
	for i, set := range []bool{p.head, p.tested, p.state, p.waited, p.conflict, p.errored, p.exists} {
		if set {
			b[i+1] = '+'
		}
	}
	return string(b)
}
