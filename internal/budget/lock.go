package budget

import "golang.org/x/tools/go/ssa"

// A Section is what is locked at an instruction: the call that locked, nil if nothing is.
type Section struct {
	Lock ssa.Instruction
	// Shared is set for a lock that readers share.
	Shared bool
}

// HeldAt returns the section that an instruction lies in.
func (x *Index) HeldAt(instr ssa.Instruction) Section {
	fn := instr.Parent()
	held, ok := x.held[fn]
	if !ok {
		held = sectionsOf(fn)
		x.held[fn] = held
	}
	return held[instr]
}

// sectionsOf follows the locks of fn forward; where ways meet, the first one counts. A deferred unlock comes after all else.
func sectionsOf(fn *ssa.Function) map[ssa.Instruction]Section {
	held := map[ssa.Instruction]Section{}
	seen := map[*ssa.BasicBlock]bool{}
	var follow func(b *ssa.BasicBlock, s Section)
	follow = func(b *ssa.BasicBlock, s Section) {
		if seen[b] {
			return
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				switch word(&call.Call) {
				case "lock":
					s = Section{Lock: call}
				case "read-lock":
					s = Section{Lock: call, Shared: true}
				case "unlock", "read-unlock":
					s = Section{}
				}
			}
			if s.Lock != nil {
				held[instr] = s
			}
		}
		for _, succ := range b.Succs {
			follow(succ, s)
		}
	}
	if len(fn.Blocks) > 0 {
		follow(fn.Blocks[0], Section{})
	}
	return held
}

// Locked reports whether an exclusive lock is held at instr: by its function, or by all callers of it.
func (x *Index) Locked(instr ssa.Instruction) bool { return x.locked(instr, 0) }

func (x *Index) locked(instr ssa.Instruction, depth int) bool {
	if s := x.HeldAt(instr); s.Lock != nil {
		return !s.Shared
	}
	return depth < 4 && x.calledLocked(instr.Parent(), depth+1)
}

// calledLocked reports whether fn is called in the package, and always with a lock held.
func (x *Index) calledLocked(fn *ssa.Function, depth int) bool {
	calls := x.callers[fn]
	for _, call := range calls {
		if !x.locked(call, depth) {
			return false
		}
	}
	return len(calls) > 0
}

// Guards reports whether the package locks anything before it uses a counter, somewhere.
func (x *Index) Guards(c Counter) bool {
	for _, a := range x.of[c] {
		if !a.Initial && x.HeldAt(a.Instr).Lock != nil {
			return true
		}
	}
	return false
}
