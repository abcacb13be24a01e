package callgraph

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
)

// deferredCancels lists the deferred calls in the repeated region of a loop that end a context which the region makes.
func (r *Repetition) deferredCancels() []*ssa.Defer {
	var list []*ssa.Defer
	if r.Site == nil || r.Site.Kind != sites.Loop && r.Site.Kind != sites.Goto {
		return nil
	}
	for _, b := range r.Function.Blocks {
		for _, instr := range b.Instrs {
			if d, ok := instr.(*ssa.Defer); ok && r.Site.Holds(d) && r.cancels(d) {
				list = append(list, d)
			}
		}
	}
	return list
}

// cancels reports whether a deferred call ends a context: it calls the cancel function, or a literal that does.
func (r *Repetition) cancels(d *ssa.Defer) bool {
	if r.isCancel(d.Call.Value) {
		return true
	}
	mc, ok := d.Call.Value.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	for _, b := range mc.Bindings {
		if alloc, isAlloc := b.(*ssa.Alloc); isAlloc {
			if slices.ContainsFunc(storedIn(alloc), r.makesCancel) {
				return true
			}
		} else if r.makesCancel(b) {
			return true
		}
	}
	return false
}

// isCancel reports whether v is the cancel function of a context that each attempt makes: itself, or a variable that holds it.
func (r *Repetition) isCancel(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return r.makesCancel(v)
	}
	alloc, ok := load.X.(*ssa.Alloc)
	return ok && slices.ContainsFunc(storedIn(alloc), r.makesCancel)
}

func (r *Repetition) makesCancel(v ssa.Value) bool {
	x, ok := v.(*ssa.Extract)
	if !ok || x.Index != 1 || !r.Site.Holds(x) {
		return false
	}
	name := typename.Of(x.Type())
	return name == "context.CancelFunc" || name == "context.CancelCauseFunc"
}
