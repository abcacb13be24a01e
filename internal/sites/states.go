package sites

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// Some questions about a site are about its states: which of them are reached if the operation fails each time, and what can
// follow on each. Here all of them are laid out as a graph.

// maxStates bounds a graph; what a larger one would tell stays unknown.
const maxStates = 20000

// stateGraph holds the states in which blocks of a region are entered, when its operation fails each time.
type stateGraph struct {
	*walker
	site  *Site
	nodes []*stateNode
	byKey map[string]*stateNode
	cut   bool // there were too many states
}

// stateNode is a block in a state, with what may follow.
type stateNode struct {
	state
	next []*stateNode
	// leaves are the blocks outside of the region that may come next. decided is set if the branch at the end was decided.
	leaves  []*ssa.BasicBlock
	decided bool
	// executes holds the indexes of the instructions that execute the operation.
	executes []int
	after    bool // the operation was executed before
	again    bool // the operation is executed in this node or later
}

// statesOf lays out the states of s. The unknown integers have values by trial, as in counting attempts, and given is what the
// operation fails with, if errors are to be told apart.
func (s *Site) statesOf(values Evaluator, prepare func(*walker)) *stateGraph {
	if s.region == nil {
		return nil
	}
	if _, isCall := s.Operation.(*ssa.Call); !isCall {
		return nil
	}
	w := s.trialWalker(values)
	if prepare != nil {
		prepare(w)
	}
	g := &stateGraph{walker: w, site: s, byKey: map[string]*stateNode{}}
	var work []*stateNode
	for _, begin := range w.begin() {
		work = append(work, g.node(begin))
	}
	for len(work) > 0 && !g.cut {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		before := len(g.nodes)
		g.expand(n)
		work = append(work, g.nodes[before:]...)
	}
	g.spread()
	return g
}

// trialWalker returns a walker whose unknown integers have the values that counting the attempts gives them.
func (s *Site) trialWalker(values Evaluator) *walker {
	m := memoryOf(s.Function)
	f := &finder{function: s.Function, memory: m, values: values, loops: loopsOf(s.Function)}
	asks := f.asksOf(s.region, s.Operation)
	make := func(unknown []value.Term, trial []int64) *walker {
		w := newWalker(s.region, s.Operation, s.outcome, m, values)
		w.boolean, w.unknown, w.trial, w.asks = s.boolean, unknown, trial, asks
		return w
	}
	c := &counter{walk: func(unknown []value.Term, trial []int64, _ bool) (int, []value.Term) {
		w := make(unknown, trial)
		return walkAttempts(w, nil), w.unknown
	}}
	c.settle()
	m.steps = 0
	return make(c.unknown, c.trial)
}

func (g *stateGraph) node(s state) *stateNode {
	key := g.key(s)
	if n, ok := g.byKey[key]; ok {
		return n
	}
	n := &stateNode{state: s}
	g.byKey[key] = n
	g.nodes = append(g.nodes, n)
	g.cut = g.cut || len(g.nodes) > maxStates
	return n
}

// expand executes the block of n.
func (g *stateGraph) expand(n *stateNode) {
	e := n.env
	for i, instr := range n.block.Instrs {
		if i < n.from {
			continue
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			e = g.store(instr, e)
		case *ssa.Call:
			if ssa.CallInstruction(instr) == g.operation {
				n.executes = append(n.executes, i)
			}
			e = g.ask(instr, e)
			if g.region.recursive[instr] {
				n.next = append(n.next, g.node(g.restart(instr, e)))
				return
			}
		}
	}
	if branch, ok := n.block.Instrs[len(n.block.Instrs)-1].(*ssa.If); ok {
		n.decided = g.fact(branch.Cond, e).kind == boolean
	}
	next, _ := g.successors(state{block: n.block, env: e}, e)
	for _, s := range next {
		n.next = append(n.next, g.node(s))
	}
	if !n.decided || len(next) == 0 {
		for _, succ := range n.block.Succs {
			if !g.region.blocks[succ] {
				n.leaves = append(n.leaves, succ)
			}
		}
	}
}

// spread finds out for all nodes what came before and what may follow.
func (g *stateGraph) spread() {
	before := map[*stateNode][]*stateNode{}
	var first, last []*stateNode
	for _, n := range g.nodes {
		for _, next := range n.next {
			before[next] = append(before[next], n)
		}
		if len(n.executes) > 0 {
			n.again = true
			first, last = append(first, n), append(last, n)
		}
	}
	for len(last) > 0 {
		n := last[len(last)-1]
		last = last[:len(last)-1]
		for _, b := range before[n] {
			if !b.again {
				b.again = true
				last = append(last, b)
			}
		}
	}
	for len(first) > 0 {
		n := first[len(first)-1]
		first = first[:len(first)-1]
		for _, next := range n.next {
			if !next.after {
				next.after = true
				first = append(first, next)
			}
		}
	}
}

// comesBack reports whether the operation may be executed after the instruction at index of n.
func (n *stateNode) comesBack(index int) bool {
	for _, at := range n.executes {
		if at > index {
			return true
		}
	}
	for _, next := range n.next {
		if next.again {
			return true
		}
	}
	return false
}

// cameFrom reports whether the operation was executed before the instruction at index of n.
func (n *stateNode) cameFrom(index int) bool {
	return n.after || len(n.executes) > 0 && n.executes[0] < index
}
