package retryreplay

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// accumulators reports variables from outside that an attempt adds to, and that still hold what a failed one has added.
func (a *attempt) accumulators() {
	if a.inTransaction() {
		return // what a transaction's function does beside it is a matter of its own
	}
	for _, s := range a.steps {
		switch instr := s.Instr.(type) {
		case *ssa.Store:
			a.accumulator(s, instr)
		case *ssa.MapUpdate:
			a.entry(s, instr)
		}
	}
	if a.place.Site != nil {
		a.carried()
	}
}

// inTransaction reports whether the operation is given a transaction: then the client runs it again with another one.
func (a *attempt) inTransaction() bool {
	for _, fn := range a.place.Operations {
		for _, p := range fn.Params {
			if catalog.Transaction(typename.Of(p.Type())) {
				return true
			}
		}
	}
	return false
}

// An addition is what a statement adds to a variable.
type addition struct {
	to    source
	added []ssa.Value
}

// addition reads store as v = append(v, …) or v += …; ok is false if it is another assignment.
func (a *attempt) addition(s step, store *ssa.Store) (sum addition, ok bool) {
	sum.to = a.source(s, store.Addr)
	switch v := store.Val.(type) {
	case *ssa.Call:
		if isAppend(v) && a.reads(s, v.Call.Args[0], sum.to) {
			sum.added = elements(v.Call.Args[1])
			return sum, true
		}
	case *ssa.BinOp:
		if v.Op != token.ADD {
			return sum, false
		}
		if a.reads(s, v.X, sum.to) {
			sum.added = []ssa.Value{v.Y}
			return sum, true
		}
	}
	return sum, false
}

func isAppend(call *ssa.Call) bool {
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == "append" && len(call.Call.Args) == 2
}

// reads reports whether v is what a variable holds.
func (a *attempt) reads(s step, v ssa.Value, variable source) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && a.source(s, load.X).is(variable)
}

// elements lists what a variadic argument is made of: its elements, or the whole slice.
func elements(v ssa.Value) []ssa.Value {
	slice, ok := v.(*ssa.Slice)
	if !ok {
		return []ssa.Value{v}
	}
	alloc, ok := slice.X.(*ssa.Alloc)
	if !ok {
		return []ssa.Value{v}
	}
	var list []ssa.Value
	for _, ref := range *alloc.Referrers() {
		at, isIndex := ref.(*ssa.IndexAddr)
		if !isIndex {
			continue
		}
		for _, use := range *at.Referrers() {
			if s, isStore := use.(*ssa.Store); isStore {
				list = append(list, s.Val)
			}
		}
	}
	return list
}

func (a *attempt) accumulator(s step, store *ssa.Store) {
	sum, ok := a.addition(s, store)
	if !ok || !sum.to.outside || !isLocal(sum.to.root) || !a.yields(s, sum.added) {
		return
	}
	if a.reset(sum.to) || a.resumes(sum.to) || a.settled(s) {
		return
	}
	a.tellState(s, store.Pos(), sum.to)
}

func (a *attempt) tellState(s step, pos token.Pos, to source) {
	if len(s.Calls) > 0 {
		pos = s.at()
	}
	a.report("state", pos, fmt.Sprintf("what a failed attempt has added to %s stays there, and the next one adds it again: begin each attempt with an empty one", nameOf(to)))
}

func nameOf(of source) string {
	name := "what it collects"
	if made, ok := of.root.(*ssa.MakeMap); ok {
		for _, ref := range *made.Referrers() {
			if s, isStore := ref.(*ssa.Store); isStore {
				of.root = s.Addr
			}
		}
	}
	if p, ok := of.root.(*ssa.Parameter); ok {
		name = p.Name() + of.path
	} else if alloc, ok := of.root.(*ssa.Alloc); ok && alloc.Comment != "" && alloc.Comment != "new" && alloc.Comment != "complit" {
		name = alloc.Comment + of.path
	} else if phi, isPhi := of.root.(*ssa.Phi); isPhi && phi.Comment != "" {
		name = phi.Comment
	}
	return name
}

// entry reports an entry of a map from outside that an attempt adds to.
func (a *attempt) entry(s step, update *ssa.MapUpdate) {
	of := a.source(s, update.Map)
	if !of.outside || !isLocal(of.root) || !a.addsToEntry(s, update, of) || a.reset(of) || a.settled(s) {
		return
	}
	a.tellState(s, update.Pos(), of)
}

// addsToEntry reports whether an entry is set to what it was and something more.
func (a *attempt) addsToEntry(s step, update *ssa.MapUpdate, of source) bool {
	var before ssa.Value
	switch v := update.Value.(type) {
	case *ssa.BinOp:
		if v.Op == token.ADD {
			before = v.X
		}
	case *ssa.Call:
		if isAppend(v) {
			before = v.Call.Args[0]
		}
	}
	entry, ok := before.(*ssa.Lookup)
	return ok && entry.Index == update.Key && a.source(s, entry.X).is(of) && !isNote(update.Value.Type()) && a.yields(s, []ssa.Value{update.Key})
}

// isLocal reports whether a variable is one of the function around, or given to it to be filled, and not one that its receiver
// owns.
func isLocal(root ssa.Value) bool {
	switch v := root.(type) {
	case *ssa.Alloc, *ssa.MakeMap:
		return true
	case *ssa.Parameter:
		fn := v.Parent()
		return fn.Signature.Recv() == nil || fn.Params[0] != v
	}
	return false
}

// yields reports whether what is added comes from an operation's result, and doesn't tell of its failure.
func (a *attempt) yields(s step, added []ssa.Value) bool {
	y := &yielding{attempt: a, step: s, seen: map[ssa.Value]bool{}}
	for _, v := range added {
		if isNote(v.Type()) {
			return false
		}
		y.visit(v, 0)
	}
	return y.result && !y.failure
}

// isNote reports whether a type is that of something kept on purpose: errors, functions that clean up, times.
func isNote(t types.Type) bool {
	if slice, ok := t.Underlying().(*types.Slice); ok {
		t = slice.Elem()
	}
	if _, isFunc := t.Underlying().(*types.Signature); isFunc || typename.IsError(t) {
		return true
	}
	name := typename.Of(t)
	return name == "time.Time" || name == "time.Duration"
}

// yielding looks at what a value is made of.
type yielding struct {
	*attempt
	step
	seen            map[ssa.Value]bool
	result, failure bool
}

func (y *yielding) visit(v ssa.Value, depth int) {
	if v == nil || y.seen[v] || depth > 12 {
		return
	}
	y.seen[v] = true
	if typename.IsError(v.Type()) {
		y.failure = true
		return
	}
	switch v := v.(type) {
	case *ssa.Parameter:
		y.result = y.result || y.literal && v.Parent() == y.Instr.Parent()
		return
	case *ssa.Call:
		if name := typename.Of(v.Type()); name == "time.Time" || name == "time.Duration" {
			return
		}
		if typename.IsError(v.Call.Value.Type()) || slices.ContainsFunc(v.Call.Args, func(x ssa.Value) bool { return typename.IsError(x.Type()) }) {
			y.failure = true // err.Error(), describe(err)
			return
		}
		if _, isBuiltin := v.Call.Value.(*ssa.Builtin); !isBuiltin && !y.computes(v) {
			y.result = true
			return
		}
	case *ssa.Alloc:
		for _, ref := range *v.Referrers() {
			if s, ok := ref.(*ssa.Store); ok && s.Addr == ssa.Value(v) {
				y.visit(s.Val, depth+1)
			}
			if field, ok := ref.(*ssa.FieldAddr); ok {
				for _, use := range *field.Referrers() {
					if s, isStore := use.(*ssa.Store); isStore {
						y.visit(s.Val, depth+1)
					}
				}
			}
			if call, ok := ref.(*ssa.Call); ok {
				y.result = y.result || !y.computes(call) // filled by what it is given to: rows.Scan(&x)
			}
			if made, ok := ref.(*ssa.MakeInterface); ok && made.Referrers() != nil && len(*made.Referrers()) > 0 {
				y.result = true
			}
		}
		return
	}
	if instr, ok := v.(ssa.Instruction); ok {
		for _, op := range instr.Operands(nil) {
			y.visit(*op, depth+1)
		}
	}
}

// computes reports whether a call only computes: what it is made of counts.
func (y *yielding) computes(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil {
		return false
	}
	return catalog.LocalPackage(fn.Pkg.Pkg.Path())
}

// reset reports whether the attempt assigns something else to a variable, or to what it is part of.
func (a *attempt) reset(variable source) bool {
	for _, s := range a.steps {
		switch instr := s.Instr.(type) {
		case *ssa.Store:
			if _, adds := a.addition(s, instr); !adds && variable.within(a.source(s, instr.Addr)) {
				return true
			}
		case ssa.CallInstruction:
			if v := empties(instr.Common()); v != nil && variable.within(a.source(s, v)) {
				return true
			}
		}
	}
	return false
}

// empties returns what a call makes empty or sets back, or nil.
func empties(call *ssa.CallCommon) ssa.Value {
	if v := rewinds(call); v != nil {
		return v
	}
	name, receiver := method(call)
	switch name {
	case "Truncate", "Clear":
		return receiver
	}
	if b, ok := call.Value.(*ssa.Builtin); ok && b.Name() == "clear" {
		return call.Args[0]
	}
	return nil
}

// method returns the name and receiver of the method that is called.
func method(call *ssa.CallCommon) (string, ssa.Value) {
	if call.IsInvoke() {
		return call.Method.Name(), call.Value
	}
	if fn := call.StaticCallee(); fn != nil && fn.Signature.Recv() != nil && len(call.Args) > 0 {
		return fn.Name(), call.Args[0]
	}
	return "", nil
}

// resumes reports whether the next attempt goes on where the one before has stopped: it reads what was collected, or another
// variable from outside that was set from a result.
func (a *attempt) resumes(collected source) bool {
	var cursors []source
	for _, s := range a.steps {
		store, ok := s.Instr.(*ssa.Store)
		if !ok {
			continue
		}
		to := a.source(s, store.Addr)
		if !to.outside || to.is(collected) || typename.IsError(store.Val.Type()) {
			continue
		}
		if _, adds := a.addition(s, store); adds || isCursor(store.Val.Type()) {
			cursors = append(cursors, to)
		}
	}
	for _, s := range a.steps {
		load, ok := s.Instr.(*ssa.UnOp)
		if !ok || load.Op != token.MUL {
			continue
		}
		from := a.source(s, load.X)
		if from.is(collected) && a.isAsked(load) {
			return true
		}
		for _, c := range cursors {
			if from.is(c) && a.isAsked(load) {
				return true
			}
		}
	}
	return a.place.Site != nil && a.carriesCursor()
}

// isCursor reports whether a type is one that positions have.
func isCursor(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsString|types.IsInteger) != 0
}

// isAsked reports whether what was loaded is used for something else than being added to.
func (a *attempt) isAsked(load ssa.Value) bool {
	for _, ref := range *load.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Call:
			if isAppend(ref) && ref.Call.Args[0] == load {
				continue
			}
			return true
		case *ssa.BinOp:
			if ref.Op == token.ADD && ref.X == load && onlyStored(ref) {
				continue
			}
			return true
		case *ssa.Store, *ssa.MakeInterface, *ssa.Slice, *ssa.Lookup, *ssa.Convert, *ssa.Phi:
			return true
		}
	}
	return false
}

func onlyStored(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if _, ok := ref.(*ssa.Store); !ok {
			return false
		}
	}
	return true
}

// carried reports variables of the function, kept in registers, that grow from attempt to attempt.
func (a *attempt) carried() {
	for _, b := range a.place.Function.Blocks {
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok || !a.isCarried(phi) {
				continue
			}
			call := a.grows(phi)
			if call == nil || !a.yields(stepOf(call), elements(call.Call.Args[1])) || a.isRead(phi) || a.carriesCursor() {
				continue
			}
			a.tellState(stepOf(call), call.Pos(), source{root: phi})
		}
	}
}

func stepOf(instr ssa.Instruction) step { return step{}.with(instr) }

// isCarried reports whether phi brings a variable from one attempt to the next.
func (a *attempt) isCarried(phi *ssa.Phi) bool {
	if !a.place.Site.Holds(phi) {
		return false
	}
	outside := false
	for _, pred := range phi.Block().Preds {
		outside = outside || !a.place.Site.Holds(pred.Instrs[len(pred.Instrs)-1])
	}
	return outside
}

// grows returns the call that appends to what phi brought, if the result reaches the next attempt.
func (a *attempt) grows(phi *ssa.Phi) *ssa.Call {
	for i, pred := range phi.Block().Preds {
		if !a.place.Site.Holds(pred.Instrs[len(pred.Instrs)-1]) {
			continue
		}
		if call := appended(phi.Edges[i], phi, map[ssa.Value]bool{}); call != nil {
			return call
		}
	}
	return nil
}

// appended returns the call by which v is phi with something appended, or nil.
func appended(v ssa.Value, phi *ssa.Phi, seen map[ssa.Value]bool) *ssa.Call {
	if seen[v] || v == ssa.Value(phi) {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Call:
		if isAppend(v) && stems(v.Call.Args[0], phi, map[ssa.Value]bool{}) {
			return v
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if call := appended(e, phi, seen); call != nil {
				return call
			}
		}
	}
	return nil
}

// stems reports whether v is phi, or phi with something appended.
func stems(v ssa.Value, phi *ssa.Phi, seen map[ssa.Value]bool) bool {
	if v == ssa.Value(phi) {
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Call:
		return isAppend(v) && stems(v.Call.Args[0], phi, seen)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if stems(e, phi, seen) {
				return true
			}
		}
	}
	return false
}

// isRead reports whether an attempt asks for what was collected: len(all), all[i].
func (a *attempt) isRead(phi *ssa.Phi) bool {
	for _, ref := range *phi.Referrers() {
		if call, ok := ref.(*ssa.Call); ok && a.place.Site.Holds(call) && !isAppend(call) {
			return true
		}
	}
	return false
}

// carriesCursor reports whether a variable other than a counter or an error moves from attempt to attempt: a position.
func (a *attempt) carriesCursor() bool {
	for _, b := range a.place.Function.Blocks {
		for _, instr := range b.Instrs {
			phi, ok := instr.(*ssa.Phi)
			if !ok || !isCursor(phi.Type()) || !a.isCarried(phi) {
				continue
			}
			for i, e := range phi.Edges {
				if pred := phi.Block().Preds[i]; a.place.Site.Holds(pred.Instrs[len(pred.Instrs)-1]) && !counts(e, phi, 0) {
					return true
				}
			}
		}
	}
	return false
}

// counts reports whether v is phi, or phi and a constant, or a delay.
func counts(v ssa.Value, phi *ssa.Phi, depth int) bool {
	if v == ssa.Value(phi) || depth > 8 || typename.Of(v.Type()) == "time.Duration" {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.BinOp:
		return counts(v.X, phi, depth+1) && counts(v.Y, phi, depth+1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if !counts(e, phi, depth+4) {
				return false
			}
		}
		return true
	}
	return false
}
