package sites

import (
	"go/types"
	"regexp"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/typename"
)

// carries reports whether v may be made of the failure: of a result of the operation, of the error of another call in the
// region, or of a variable that a function literal sets.
func (c *aftermath) carries(v ssa.Value) bool {
	k := &carrying{aftermath: c, seen: map[ssa.Value]bool{}}
	return k.visit(v, 0)
}

// carriesError is like carries for the failure's error alone: what else the operation returned doesn't tell of it.
func (c *aftermath) carriesError(v ssa.Value) bool {
	if typename.IsError(v.Type()) {
		return false
	}
	k := &carrying{aftermath: c, seen: map[ssa.Value]bool{}, errors: true}
	return k.visit(v, 0)
}

type carrying struct {
	*aftermath
	errors bool // results other than errors don't count
	seen   map[ssa.Value]bool
}

func (k *carrying) visit(v ssa.Value, depth int) bool {
	if v == nil || k.seen[v] || depth > 40 {
		return false
	}
	k.seen[v] = true
	switch v := v.(type) {
	case *ssa.Extract:
		if k.errors && !typename.IsError(v.Type()) {
			return false
		}
	case *ssa.Call:
		if k.errors && !typename.IsError(v.Type()) && v.Type() != nil && !isTuple(v) && k.isFailure(v) {
			return false
		}
		if k.isFailure(v) {
			return true
		}
	case *ssa.Alloc:
		return k.filled(v, depth)
	case *ssa.FreeVar:
		return typename.IsError(v.Type()) || k.storedIn(v, depth)
	case *ssa.UnOp:
		if k.storedIn(v.X, depth) {
			return true
		}
	}
	instr, ok := v.(ssa.Instruction)
	if !ok {
		return false
	}
	for _, op := range instr.Operands(nil) {
		if k.visit(*op, depth+1) {
			return true
		}
	}
	return false
}

func isTuple(call *ssa.Call) bool { return call.Call.Signature().Results().Len() > 1 }

// isFailure reports whether a call has an outcome that may be the failure.
func (k *carrying) isFailure(call *ssa.Call) bool {
	if ssa.CallInstruction(call) == k.operation {
		return true
	}
	if isMaker(call) || passesError(call) || isContextError(call) {
		return false
	}
	return outcomeOf(call) == byError && (k.within == nil || k.within.blocks[call.Block()])
}

func (k *carrying) storedIn(addr ssa.Value, depth int) bool {
	for _, s := range k.memory.stores[k.memory.cell(addr)] {
		if k.visit(s.Val, depth+1) {
			return true
		}
	}
	return false
}

// filled reports whether something of the failure is put into a variable: by an assignment to it, a field or an element, by a
// function literal that captured it, or by a call that is given its address and the failure.
func (k *carrying) filled(addr ssa.Value, depth int) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr && k.visit(ref.Val, depth+1) {
				return true
			}
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Slice:
			if k.filled(ref.(ssa.Value), depth+1) {
				return true
			}
		case *ssa.MakeInterface:
			if k.filled(ref, depth+1) {
				return true
			}
		case *ssa.MakeClosure:
			if writes(ref, addr) && (!k.errors || holdsError(addr)) {
				return true
			}
		case ssa.CallInstruction:
			for _, arg := range ref.Common().Args {
				if arg != addr && k.visit(arg, depth+1) {
					return true
				}
			}
		}
	}
	return false
}

// holdsError reports whether addr is the address of an error.
func holdsError(addr ssa.Value) bool {
	ptr, ok := addr.Type().Underlying().(*types.Pointer)
	return ok && typename.IsError(ptr.Elem())
}

// writes reports whether a function literal assigns to a variable that it has captured.
func writes(mc *ssa.MakeClosure, captured ssa.Value) bool {
	fn := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b != captured {
			continue
		}
		for _, ref := range *fn.FreeVars[i].Referrers() {
			switch ref := ref.(type) {
			case *ssa.Store:
				if ref.Addr == ssa.Value(fn.FreeVars[i]) {
					return true
				}
			case *ssa.MakeClosure:
				if writes(ref, fn.FreeVars[i]) {
					return true
				}
			}
		}
	}
	return false
}

// keeps reports whether the failure is left where the caller finds it: in a field, a captured variable, a channel, a list.
func (c *aftermath) keeps() bool {
	for _, b := range c.operation.Parent().Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if typename.IsError(instr.Val.Type()) && outside(instr.Addr) && c.carries(instr.Val) {
					return true
				}
			case *ssa.Send:
				if typename.IsError(instr.X.Type()) && c.carries(instr.X) {
					return true
				}
			}
		}
	}
	return false
}

// outside reports whether an address is known beyond the function.
func outside(addr ssa.Value) bool {
	switch addr := addr.(type) {
	case *ssa.FreeVar, *ssa.Global, *ssa.Parameter:
		return true
	case *ssa.FieldAddr:
		return outside(addr.X)
	case *ssa.IndexAddr:
		return outside(addr.X)
	case *ssa.UnOp:
		return outside(addr.X)
	}
	return false
}

var tellingWord = regexp.MustCompile(`(?i)^(log|print|warn|error|info|debug|trace|msg|record|notice)|(log|warn|warning|error|info|debug|print)[fwn]*$|ln$`)

// tells reports whether a call writes something for a reader, by its name: a name may only keep a finding back.
func tells(call *ssa.Call) bool {
	return tellingWord.MatchString(calleeName(&call.Call)) && !isContextError(call)
}
