package sites

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// meetAgain reports whether the sides of the branch at the end of b meet again within r and leave no trace of which of them control
// took, so that the branch makes no difference to whether there is another round: `if resp != nil { resp.Body.Close() }`.
func (r *region) meetAgain(b *ssa.BasicBlock) bool {
	meet, known := r.meets[b]
	if !known {
		meet = r.sidesMeet(b)
		if r.meets == nil {
			r.meets = map[*ssa.BasicBlock]bool{}
		}
		r.meets[b] = meet
	}
	return meet
}

func (r *region) sidesMeet(b *ssa.BasicBlock) bool {
	left, right := r.ahead(b.Succs[0]), r.ahead(b.Succs[1])
	if len(left) == 0 || len(right) == 0 {
		return false // one side leaves, or begins the next round
	}
	for _, x := range r.inOrder() {
		if x != b && left[x] == right[x] {
			continue // on both sides, or on none
		}
		if x != b && slices.ContainsFunc(x.Instrs, isStore) {
			return false
		}
		for _, succ := range x.Succs {
			if !r.blocks[succ] || succ == r.head {
				return false
			}
			if _, merges := succ.Instrs[0].(*ssa.Phi); merges && left[succ] && right[succ] {
				return false
			}
		}
	}
	return true
}

// ahead are the blocks of r that control can reach from b before the next round.
func (r *region) ahead(b *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	reached := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		if !r.blocks[b] || b == r.head || reached[b] {
			return
		}
		reached[b] = true
		for _, succ := range b.Succs {
			visit(succ)
		}
	}
	visit(b)
	return reached
}

func isStore(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.Store)
	return ok
}
