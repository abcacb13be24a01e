package sites

import (
	"sort"

	"golang.org/x/tools/go/ssa"
)

// A region is a part of a function that may be executed again: a natural loop, or, for a function that calls itself, the
// whole function.
type region struct {
	function *ssa.Function
	head     *ssa.BasicBlock
	blocks   map[*ssa.BasicBlock]bool
	// recursive are the calls that start the region again, in a region that is a whole function.
	recursive map[ssa.Instruction]bool
	parent    *region // the smallest loop around this one

	meets map[*ssa.BasicBlock]bool // what meetAgain found out
}

// inOrder lists the blocks of r in the order of the function, so that no result hangs on the order of a map.
func (r *region) inOrder() []*ssa.BasicBlock {
	list := make([]*ssa.BasicBlock, 0, len(r.blocks))
	for _, b := range r.function.Blocks {
		if r.blocks[b] {
			list = append(list, b)
		}
	}
	return list
}

// loopsOf returns the natural loops of fn, outer ones first. Two loops with one head count as one. Loops that goto makes
// are among them, as long as their head dominates them.
func loopsOf(fn *ssa.Function) []*region {
	byHead := map[*ssa.BasicBlock]*region{}
	for _, b := range fn.Blocks {
		for _, succ := range b.Succs {
			if succ.Dominates(b) {
				addLoop(byHead, fn, succ, b)
			}
		}
	}
	loops := make([]*region, 0, len(byHead))
	for _, r := range byHead {
		loops = append(loops, r)
	}
	sort.Slice(loops, func(i, j int) bool {
		if len(loops[i].blocks) != len(loops[j].blocks) {
			return len(loops[i].blocks) > len(loops[j].blocks)
		}
		return loops[i].head.Index < loops[j].head.Index
	})
	for i, inner := range loops {
		for _, outer := range loops[:i] {
			if outer.blocks[inner.head] && outer != inner {
				inner.parent = outer
			}
		}
	}
	return loops
}

func addLoop(byHead map[*ssa.BasicBlock]*region, fn *ssa.Function, head, tail *ssa.BasicBlock) {
	r := byHead[head]
	if r == nil {
		r = &region{function: fn, head: head, blocks: map[*ssa.BasicBlock]bool{head: true}}
		byHead[head] = r
	}
	work := []*ssa.BasicBlock{tail}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if r.blocks[b] {
			continue
		}
		r.blocks[b] = true
		work = append(work, b.Preds...)
	}
}

// wholeFunction returns fn as the region that its calls of itself repeat, or nil if there are none.
func wholeFunction(fn *ssa.Function) *region {
	r := &region{function: fn, blocks: map[*ssa.BasicBlock]bool{}, recursive: map[ssa.Instruction]bool{}}
	for _, b := range fn.Blocks {
		r.blocks[b] = true
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && call.Call.StaticCallee() == fn {
				r.recursive[call] = true
			}
		}
	}
	if len(r.recursive) == 0 || len(fn.Blocks) == 0 {
		return nil
	}
	r.head = fn.Blocks[0]
	return r
}

// innermost returns the smallest of loops that holds b, or nil.
func innermost(loops []*region, b *ssa.BasicBlock) *region {
	var best *region
	for _, r := range loops {
		if r.blocks[b] && (best == nil || len(r.blocks) < len(best.blocks)) {
			best = r
		}
	}
	return best
}

// carried reports whether v changes from one execution of the region to the next as part of its head: a phi of the head, or
// a parameter that a recursive call passes anew.
func (r *region) carried(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		return v.Block() == r.head && r.recursive == nil
	case *ssa.Parameter:
		return r.recursive != nil
	}
	return false
}

// wholeRegion returns fn as the region of a walk that isn't about a repetition.
func wholeRegion(fn *ssa.Function) *region {
	r := &region{function: fn, head: fn.Blocks[0], blocks: map[*ssa.BasicBlock]bool{}}
	for _, b := range fn.Blocks {
		r.blocks[b] = true
	}
	return r
}
