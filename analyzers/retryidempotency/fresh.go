package retryidempotency

import (
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// A maker is where an attempt makes a value that is another one each time: a call or, if the number of the attempt is part of it,
// nothing.
type maker struct {
	call ssa.CallInstruction
	step callgraph.Step // that executes it
}

// fresh finds where an attempt makes what v is made of anew, nil if v is the same for all attempts as far as is known.
func (a *attempt) fresh(v ssa.Value, step callgraph.Step) *maker {
	t := &tracer{attempt: a, seen: map[place]bool{}}
	return t.trace(v, step)
}

type tracer struct {
	*attempt
	seen  map[place]bool
	steps int
}

// A place is a value, as the calls that lead there give it.
type place struct {
	value ssa.Value
	depth int
}

const maxTrace = 400

func (t *tracer) trace(v ssa.Value, step callgraph.Step) *maker {
	given, left := step.Given(v)
	v, step.Calls = given, step.Calls[:left]
	at := place{v, left}
	if t.steps++; t.seen[at] || t.steps > maxTrace {
		return nil
	}
	t.seen[at] = true
	switch v := v.(type) {
	case *ssa.Call:
		return t.call(v, 0, step)
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok {
			return t.call(call, v.Index, step)
		}
	case *ssa.Phi:
		if t.countsAttempts(v) {
			return &maker{}
		}
		return t.either(v, step)
	case *ssa.UnOp:
		return t.load(v, step)
	case *ssa.BinOp:
		if v.Op == token.ADD {
			return t.any(step, v.X, v.Y)
		}
	case *ssa.Slice:
		if list := elements(v); list != nil {
			return t.any(step, list...)
		}
		return t.trace(v.X, step)
	case *ssa.Alloc:
		return t.cell(v, step)
	case *ssa.FreeVar:
		if outer := captured(v); outer != nil {
			return t.trace(outer, callgraph.Step{})
		}
	case *ssa.MakeInterface:
		return t.trace(v.X, step)
	case *ssa.ChangeInterface:
		return t.trace(v.X, step)
	case *ssa.ChangeType:
		return t.trace(v.X, step)
	case *ssa.Convert:
		return t.trace(v.X, step)
	case *ssa.TypeAssert:
		return t.trace(v.X, step)
	case *ssa.MakeSlice:
		return t.filled(v, step)
	case *ssa.Field:
		return t.field(v.X, v.Field, step)
	case *ssa.MakeMap:
		return t.entries(v, step)
	}
	return nil
}

func (t *tracer) any(step callgraph.Step, list ...ssa.Value) *maker {
	for _, v := range list {
		if m := t.trace(v, step); m != nil {
			return m
		}
	}
	return nil
}

// runs reports whether an attempt executes instr: what is called on the way is part of it.
func (t *tracer) runs(instr ssa.Instruction, step callgraph.Step) bool {
	return len(step.Calls) > 0 || t.executes(instr)
}

// call follows a result of a call: a fresh value, or what it is made of.
func (t *tracer) call(call *ssa.Call, index int, step callgraph.Step) *maker {
	if !t.runs(call, step) {
		return nil
	}
	common := call.Common()
	known := catalog.OfEffects()
	for _, name := range t.CalledNames(call) {
		if known.IsFresh(name) {
			return &maker{call, callgraph.Step{Instr: call, Calls: step.Calls}}
		}
		if known.IsCoarse(name) {
			return nil
		}
	}
	if e := t.foreign.of(common); e != nil && slices.Contains(e.Fresh, index) {
		return &maker{call, callgraph.Step{Instr: call, Calls: step.Calls}}
	}
	if len(t.Called(call)) == 0 && makesIdentity(common) {
		return &maker{call, callgraph.Step{Instr: call, Calls: step.Calls}}
	}
	if isCoarseFormat(call) {
		return nil
	}
	inner := t.Called(call)
	for _, fn := range inner {
		if m := t.result(fn, index, callgraph.Step{Calls: append(append([]ssa.CallInstruction(nil), step.Calls...), call)}); m != nil {
			return m
		}
	}
	if len(inner) > 0 || !passesOn(call) {
		return nil
	}
	return t.any(step, spread(common)...)
}

var (
	makerName    = regexp.MustCompile(`^(?i:new|generate|gen|next|random|rand|fresh|make|create)\w*(ID|Id|UUID|Uuid|ULID|Key|Token|Nonce)(String)?$`)
	identityName = regexp.MustCompile(`^(?i:uuid|ulid|nonce|newid|nextid|genid|generate|random)$`)
)

// makesIdentity reports whether a function whose body isn't known makes identities, by its name: it is given nothing that they
// could be made of.
func makesIdentity(common *ssa.CallCommon) bool {
	_, _, name := calleeParts(common)
	if !makerName.MatchString(name) && !identityName.MatchString(name) {
		return false
	}
	for p := range common.Signature().Params().Variables() {
		if typename.Of(p.Type()) != "context.Context" {
			return false
		}
	}
	return true
}

// result follows what a function of this package returns.
func (t *tracer) result(fn *ssa.Function, index int, step callgraph.Step) *maker {
	if len(step.Calls) > 6 {
		return nil
	}
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || index >= len(ret.Results) {
			continue
		}
		if m := t.trace(ret.Results[index], step); m != nil {
			return m
		}
	}
	return nil
}

// passesOn reports whether the result of a function of another package is made of what it is given: it only computes, or wraps
// one value.
func passesOn(call *ssa.Call) bool {
	common := call.Common()
	if b, ok := common.Value.(*ssa.Builtin); ok {
		return b.Name() == "append" || b.Name() == "min" || b.Name() == "max"
	}
	pkgPath, typ, _ := calleeParts(common)
	if catalog.LocalPackage(pkgPath) || strings.HasPrefix(pkgPath, "encoding") || strings.HasPrefix(pkgPath, "crypto/") || strings.HasPrefix(pkgPath, "hash") || pkgPath == "math/big" {
		return true
	}
	args := spread(common)
	if typ != "" && !common.IsInvoke() {
		return len(args) == 1 && isPlain(call.Type()) // String, Hex, Bytes of a value
	}
	return len(args) == 1 && !common.IsInvoke()
}

func isPlain(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		b, ok := u.Elem().Underlying().(*types.Basic)
		return ok && b.Kind() == types.Byte
	case *types.Array:
		return true
	}
	return false
}

// isCoarseFormat reports whether a call formats a time without seconds: the day, which attempts share.
func isCoarseFormat(call *ssa.Call) bool {
	pkgPath, typ, name := calleeParts(call.Common())
	if pkgPath != "time" || typ != "Time" || name != "Format" || len(call.Call.Args) < 2 {
		return false
	}
	c, ok := call.Call.Args[1].(*ssa.Const)
	return ok && c.Value != nil && c.Value.Kind() == constant.String && !strings.Contains(constant.StringVal(c.Value), "05")
}

// countsAttempts reports whether a number steps from attempt to attempt.
func (t *tracer) countsAttempts(phi *ssa.Phi) bool {
	b, ok := phi.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 || t.Site == nil || !t.Site.Holds(phi) {
		return false
	}
	entered, steps := false, false
	for i, pred := range phi.Block().Preds {
		if !t.Site.Holds(pred.Instrs[0]) {
			entered = true
		} else if sum, isSum := phi.Edges[i].(*ssa.BinOp); isSum && (sum.Op == token.ADD || sum.Op == token.SUB) && sum.X == ssa.Value(phi) {
			steps = true
		}
	}
	return entered && steps
}

// either follows a value that depends on the way taken. A value that fills in what is still empty is made once.
func (t *tracer) either(phi *ssa.Phi, step callgraph.Step) *maker {
	for i, e := range phi.Edges {
		if fillsIn(phi.Block().Preds[i], phi) {
			continue
		}
		if m := t.trace(e, step); m != nil {
			return m
		}
	}
	return nil
}

// fillsIn reports whether a block is only reached where something was found to be empty, on the way from what decides.
func fillsIn(b *ssa.BasicBlock, phi *ssa.Phi) bool {
	for b != nil && b != phi.Block().Idom() {
		if len(b.Preds) == 1 && testsEmpty(b.Preds[0], b) {
			return true
		}
		b = b.Idom()
	}
	return false
}

// guarded reports whether an instruction is only executed where something was found to be empty.
func guarded(instr ssa.Instruction) bool {
	for b := instr.Block(); b != nil; b = b.Idom() {
		if len(b.Preds) == 1 && testsEmpty(b.Preds[0], b) {
			return true
		}
	}
	return false
}

// testsEmpty reports whether a block ends in a test that leads to next if a value is empty.
func testsEmpty(b, next *ssa.BasicBlock) bool {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	yes := b.Succs[0] == next
	if test, isTest := branch.Cond.(*ssa.BinOp); isTest {
		return yes == (test.Op == token.EQL) && (isEmpty(test.Y) || isEmpty(test.X)) && !isErrorValue(test.X) && !countsAttempts(test.X)
	}
	if extract, isExtract := branch.Cond.(*ssa.Extract); isExtract && extract.Index > 0 { // if _, ok := m[k]; !ok
		switch extract.Tuple.(type) {
		case *ssa.Lookup, *ssa.TypeAssert, *ssa.Call:
			return !yes
		}
	}
	return false
}

// countsAttempts reports whether a number is the variable of a loop: the first round isn't an empty value.
func countsAttempts(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		return true
	case *ssa.BinOp:
		return v.Op == token.ADD || v.Op == token.REM
	case *ssa.Extract:
		_, isNext := v.Tuple.(*ssa.Next)
		return isNext
	}
	b, ok := v.Type().Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return false
	}
	call, isCall := v.(*ssa.Call)
	if !isCall {
		return true
	}
	builtin, isBuiltin := call.Call.Value.(*ssa.Builtin)
	return !isBuiltin || builtin.Name() != "len"
}

func isEmpty(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	if !ok {
		load, isLoad := v.(*ssa.UnOp)
		if !isLoad {
			return false
		}
		g, isGlobal := load.X.(*ssa.Global)
		return isGlobal && (g.Name() == "Nil" || g.Name() == "Zero" || g.Name() == "Empty")
	}
	if c.Value == nil {
		return true
	}
	return c.Value.Kind() == constant.String && constant.StringVal(c.Value) == "" || c.Value.Kind() == constant.Int && c.Value.ExactString() == "0"
}

func isErrorValue(v ssa.Value) bool { return types.TypeString(v.Type(), nil) == "error" }

// load follows what is read from memory.
func (t *tracer) load(v *ssa.UnOp, step callgraph.Step) *maker {
	if v.Op != token.MUL {
		return nil
	}
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		return t.field(addr.X, addr.Field, step)
	case *ssa.IndexAddr:
		return nil
	}
	return t.trace(v.X, step)
}

// cell follows what an attempt puts into a variable.
func (t *tracer) cell(v *ssa.Alloc, step callgraph.Step) *maker {
	for _, s := range storesTo(v, 0) {
		if guarded(s) && !t.executesAll(s, step) || !t.runs(s, within(s, v, step)) {
			continue
		}
		if steps(s) {
			return &maker{}
		}
		if m := t.trace(s.Val, within(s, v, step)); m != nil {
			return m
		}
	}
	return t.filled(v, step)
}

// steps reports whether an assignment adds to the number that it assigns: it counts the attempts.
func steps(s *ssa.Store) bool {
	sum, ok := s.Val.(*ssa.BinOp)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return false
	}
	load, ok := sum.X.(*ssa.UnOp)
	b, isBasic := sum.Type().Underlying().(*types.Basic)
	return ok && load.X == s.Addr && isBasic && b.Info()&types.IsInteger != 0
}

// executesAll reports whether the variable that s fills is itself made by each attempt, so that it is always empty before.
func (t *tracer) executesAll(s *ssa.Store, step callgraph.Step) bool {
	v, ok := s.Addr.(*ssa.Alloc)
	return ok && t.runs(v, step)
}

// within is step for what stands in the function of v, and nothing for what stands in a literal.
func within(instr ssa.Instruction, v *ssa.Alloc, step callgraph.Step) callgraph.Step {
	if instr.Parent() == v.Parent() {
		return step
	}
	return callgraph.Step{}
}

// storesTo lists what is assigned to a variable, in literals that capture it, too.
func storesTo(addr ssa.Value, depth int) []*ssa.Store {
	if addr.Referrers() == nil || depth > 4 {
		return nil
	}
	var list []*ssa.Store
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				list = append(list, ref)
			}
		case *ssa.MakeClosure:
			for i, b := range ref.Bindings {
				if b == addr {
					list = append(list, storesTo(ref.Fn.(*ssa.Function).FreeVars[i], depth+1)...)
				}
			}
		}
	}
	return list
}

// filled reports where a buffer is filled with fresh bytes.
func (t *tracer) filled(buffer ssa.Value, step callgraph.Step) *maker {
	for _, ref := range *buffer.Referrers() {
		if s, ok := ref.(*ssa.Slice); ok {
			if m := t.filled(s, step); m != nil {
				return m
			}
		}
		call, ok := ref.(*ssa.Call)
		if !ok || !t.runs(call, step) {
			continue
		}
		if fillsWithFresh(call, buffer) {
			return &maker{call, callgraph.Step{Instr: call, Calls: step.Calls}}
		}
	}
	return nil
}

func fillsWithFresh(call *ssa.Call, buffer ssa.Value) bool {
	name, args := callgraph.CalleeName(call.Common()), call.Call.Args
	for _, row := range catalog.OfEffects().Fills {
		if row.Name != name || row.Argument >= len(args) || args[row.Argument] != buffer {
			continue
		}
		if row.Source == "" {
			return true
		}
		for _, v := range arguments(call.Common()) {
			if globalName(v) == row.Source {
				return true
			}
		}
	}
	return false
}

// globalName is the full name of the package variable that v is read from.
func globalName(v ssa.Value) string {
	load, ok := plain(v).(*ssa.UnOp)
	if !ok {
		return ""
	}
	g, ok := load.X.(*ssa.Global)
	if !ok {
		return ""
	}
	return g.Pkg.Pkg.Path() + "." + g.Name()
}

// field follows a field of a struct that the attempt makes.
func (t *tracer) field(base ssa.Value, index int, step callgraph.Step) *maker {
	base, left := step.Given(base)
	step.Calls = step.Calls[:left]
	switch b := base.(type) {
	case *ssa.Alloc:
		return t.fieldOfAlloc(b, index, step)
	case *ssa.UnOp:
		if b.Op != token.MUL {
			return nil
		}
		if alloc, ok := b.X.(*ssa.Alloc); ok { // a variable that holds the struct, or a pointer to it
			return t.fieldOfVariable(alloc, index, step)
		}
	case *ssa.Call:
		if !t.runs(b, step) {
			return nil
		}
		for _, fn := range t.Called(b) {
			inner := callgraph.Step{Calls: append(append([]ssa.CallInstruction(nil), step.Calls...), b)}
			if m := t.fieldOfResult(fn, index, inner); m != nil {
				return m
			}
		}
	case *ssa.Extract:
		if call, ok := b.Tuple.(*ssa.Call); ok && b.Index == 0 {
			return t.field(call, index, step)
		}
	}
	return nil
}

func (t *tracer) fieldOfVariable(v *ssa.Alloc, index int, step callgraph.Step) *maker {
	if t.steps++; t.steps > maxTrace {
		return nil // a variable that is assigned to itself leads round in a circle
	}
	for _, s := range storesTo(v, 0) {
		if !t.runs(s, within(s, v, step)) {
			continue
		}
		if m := t.field(s.Val, index, within(s, v, step)); m != nil {
			return m
		}
	}
	return t.fieldOfAlloc(v, index, step)
}

func (t *tracer) fieldOfAlloc(v *ssa.Alloc, index int, step callgraph.Step) *maker {
	for _, ref := range *v.Referrers() {
		fa, ok := ref.(*ssa.FieldAddr)
		if !ok || fa.Field != index {
			continue
		}
		for _, s := range storesTo(fa, 0) {
			if t.runs(s, step) && (!guarded(s) || t.runs(v, step)) {
				if m := t.trace(s.Val, step); m != nil {
					return m
				}
			}
		}
	}
	return nil
}

func (t *tracer) fieldOfResult(fn *ssa.Function, index int, step callgraph.Step) *maker {
	if len(step.Calls) > 6 {
		return nil
	}
	for _, b := range fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && len(ret.Results) > 0 {
			if m := t.field(ret.Results[0], index, step); m != nil {
				return m
			}
		}
	}
	return nil
}

// entries follows what an attempt puts into a map that it makes.
func (t *tracer) entries(m *ssa.MakeMap, step callgraph.Step) *maker {
	for _, ref := range *m.Referrers() {
		if update, ok := ref.(*ssa.MapUpdate); ok && t.runs(update, step) {
			if made := t.trace(update.Value, step); made != nil {
				return made
			}
		}
	}
	return nil
}
