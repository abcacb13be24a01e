package retrybudget

import (
	"fmt"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/budget"
)

// checkAtomicity reports checks and charges between which another goroutine may come.
func (c *checker) checkAtomicity(t term) {
	for _, fn := range c.index.Functions {
		c.checkOwn(fn, t)
		c.checkCalls(fn, t)
	}
}

func (c *checker) racy(at ssa.Instruction, format string, args ...any) {
	c.Report("racy", analysis.Diagnostic{Pos: place(at), Message: fmt.Sprintf(format, args...)})
}

// checkOwn looks at what fn itself does to a counter.
func (c *checker) checkOwn(fn *ssa.Function, t term) {
	swaps := false
	for _, a := range c.index.Own(fn) {
		swaps = swaps || a.Counter == t.counter && a.Swaps
	}
	if swaps {
		return
	}
	for _, w := range c.index.Own(fn) {
		if w.Counter != t.counter || !w.Writes || w.Initial {
			continue
		}
		switch {
		case w.Atomic:
			c.checkAtomic(fn, t, w)
		case c.index.HeldAt(w.Instr).Shared:
			c.racy(w.Instr, "%s is written under a lock that readers share", t.counter.Name())
		default:
			c.checkPlain(fn, t, w)
		}
	}
}

// checkAtomic looks at an atomic write for what was read before it.
func (c *checker) checkAtomic(fn *ssa.Function, t term, w budget.Access) {
	if c.index.Locked(w.Instr) {
		return
	}
	if w.Value != nil && len(*w.Value.Referrers()) > 0 {
		return // what an addition yields is looked at
	}
	added := w.Value != nil && w.Change.Depends && !loaded(w)
	for _, read := range c.index.Own(fn) {
		if read.Counter != t.counter || read.Writes || !before(read.Instr, w.Instr) {
			continue
		}
		if added && !w.Charges(t.polarity) {
			continue
		}
		if added && !c.checks(read, t) {
			continue
		}
		if !added && !w.Change.Depends {
			continue // set anew
		}
		c.racy(w.Instr, "%s is read and written in two steps: goroutines that come between spend the same token; compare and swap, or lock", t.counter.Name())
		return
	}
}

// loaded reports whether the value that a write stores was computed from a read of the counter.
func loaded(w budget.Access) bool {
	call, ok := w.Instr.(*ssa.Call)
	if !ok {
		return true
	}
	callee := call.Call.StaticCallee()
	return callee != nil && (strings.HasPrefix(callee.Name(), "Store") || strings.HasPrefix(callee.Name(), "Swap"))
}

// checks reports whether a read is what a gate compares.
func (c *checker) checks(read budget.Access, t term) bool {
	for _, g := range c.gates {
		for _, one := range g.Terms {
			if one.Counter == t.counter && one.Read == read.Instr {
				return true
			}
		}
	}
	return false
}

// checkPlain looks at the locks around a check and a write in one function.
func (c *checker) checkPlain(fn *ssa.Function, t term, w budget.Access) {
	section := c.index.HeldAt(w.Instr)
	if section.Lock == nil {
		c.checkUnlocked(t, w)
		return
	}
	var other ssa.Instruction
	for _, read := range c.index.Own(fn) {
		if read.Counter != t.counter || read.Writes || !c.checks(read, t) {
			continue
		}
		if c.index.HeldAt(read.Instr).Lock == section.Lock {
			return // checked under the lock that it is written under
		}
		if before(read.Instr, w.Instr) {
			other = read.Instr
		}
	}
	if other != nil && w.Charges(t.polarity) {
		c.racy(w.Instr, "%s was checked before this lock was taken: goroutines that come between spend the same token", t.counter.Name())
	}
}

func (c *checker) checkUnlocked(t term, w budget.Access) {
	if !w.Change.Depends || c.index.Locked(w.Instr) {
		return
	}
	switch {
	case c.index.Guards(t.counter):
		c.racy(w.Instr, "%s is written without the lock that guards it elsewhere", t.counter.Name())
	case c.shared(t.counter):
		c.racy(w.Instr, "%s is checked and spent by several goroutines without a lock", t.counter.Name())
	}
}

// shared reports whether a counter that nothing locks is used by several goroutines: it is a package variable, or part of
// something that is made for them, which a lock or an atomic number beside it says.
func (c *checker) shared(counter budget.Counter) bool {
	if !counter.IsField() {
		return true
	}
	for _, name := range c.pkg.Pkg.Scope().Names() {
		obj, ok := c.pkg.Pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if ok && holds(st, counter) && (synchronised(st) || c.serves(obj.Type())) {
			return true
		}
	}
	return false
}

// holds reports whether a struct has a counter among its fields, or those of the structs in it.
func holds(st *types.Struct, counter budget.Counter) bool {
	for f := range st.Fields() {
		if f == counter {
			return true
		}
		t := f.Type()
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		if inner, ok := t.Underlying().(*types.Struct); ok {
			for g := range inner.Fields() {
				if g == counter {
					return true
				}
			}
		}
	}
	return false
}

// synchronised reports whether a struct has a field of a package for goroutines.
func synchronised(st *types.Struct) bool {
	for f := range st.Fields() {
		if n, ok := types.Unalias(f.Type()).(*types.Named); ok && n.Obj().Pkg() != nil && strings.HasPrefix(n.Obj().Pkg().Path(), "sync") {
			return true
		}
	}
	return false
}

// serves reports whether a type has a method that is called by many goroutines, as its interface says.
func (c *checker) serves(t types.Type) bool {
	methods := types.NewMethodSet(types.NewPointer(t))
	for _, name := range []string{"RoundTrip", "ServeHTTP"} {
		if methods.Lookup(c.pkg.Pkg, name) != nil {
			return true
		}
	}
	return false
}

// checkCalls looks for a function that checks, and another one that charges without a check of its own, in two locks.
func (c *checker) checkCalls(fn *ssa.Function, t term) {
	for _, b := range fn.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		check := c.checkedBy(branch.Cond, t)
		if check == nil {
			continue
		}
		if charge := c.chargeAfter(fn, check, t); charge != nil {
			c.racy(charge, "%s is checked by one call and spent by another: goroutines that come between spend the same token", t.counter.Name())
		}
	}
}

// checkedBy returns the call that a condition is about if it checks a counter and charges nothing that it checks.
func (c *checker) checkedBy(cond ssa.Value, t term) *ssa.Call {
	call, ok := c.index.Asked(cond).(*ssa.Call)
	if !ok || call == nil {
		return nil
	}
	for _, callee := range c.index.Callees(&call.Call) {
		if !c.index.Gates(callee, t.counter) || c.index.Decides(callee) != nil {
			return nil
		}
	}
	return call
}

// chargeAfter returns what charges a counter in fn after it was checked, without a check of its own.
func (c *checker) chargeAfter(fn *ssa.Function, check *ssa.Call, t term) ssa.Instruction {
	section := c.index.HeldAt(check)
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || !before(check, instr) || !c.charges(call, t) || section.Lock != nil && c.index.HeldAt(instr).Lock == section.Lock || c.index.Locked(instr) {
				continue
			}
			return instr
		}
	}
	return nil
}

func (c *checker) charges(call *ssa.Call, t term) bool {
	for _, callee := range c.index.Callees(&call.Call) {
		if c.index.ChargedBy(callee, t.counter, t.polarity) && !c.index.Gates(callee, t.counter) {
			return true
		}
	}
	return false
}

// before reports whether a is executed before b whenever b is.
func before(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return a.Block().Dominates(b.Block())
	}
	for _, instr := range a.Block().Instrs {
		switch instr {
		case a:
			return true
		case b:
			return false
		}
	}
	return false
}
