package sites

import (
	"go/token"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"
)

// memory tells the variables of a function that live in memory apart: variables captured by closures, those reached through
// pointers, fields. Two addresses stand for one variable if they are written alike: a sound choice modulo aliases.
type memory struct {
	function *ssa.Function
	cells    map[string]ssa.Value
	stores   map[ssa.Value][]*ssa.Store
	answers  map[string]fact // of classifiers, by function and what they are given
	steps    int             // of all walks through the function
	numbers  map[ssa.Value]int
	last     map[*ssa.BasicBlock]bool // blocks that nothing follows on, although their function isn't known to end the program
}

// describe adds to key what is known, in a fixed order. States are told apart by it, so it is made often, and short: values go
// by numbers.
func (m *memory) describe(key []byte, e env) []byte {
	list := make([]numbered, 0, 16)
	for v, f := range e {
		list = append(list, numbered{m.number(v), f})
	}
	slices.SortFunc(list, func(a, b numbered) int { return a.number - b.number })
	for _, x := range list {
		key = strconv.AppendInt(append(key, ' '), int64(x.number), 10)
		key = strconv.AppendInt(append(key, '='), int64(x.fact.kind), 10)
		key = strconv.AppendInt(append(key, '/'), x.fact.n, 10)
		if x.fact.fault.Known() {
			key = append(append(key, '/'), x.fact.fault...)
		}
		if x.fact.from != nil {
			key = strconv.AppendInt(append(key, '<'), int64(m.number(x.fact.from)), 10)
		}
	}
	return key
}

// number returns the number of a value, in the order in which values are met.
func (m *memory) number(v ssa.Value) int {
	n, ok := m.numbers[v]
	if !ok {
		n = len(m.numbers)
		m.numbers[v] = n
	}
	return n
}

// numbered is what is known of the value with a number.
type numbered struct {
	number int
	fact   fact
}

// maxFunctionSteps bounds all walks through one function together: what they would have found beyond stays unknown.
const maxFunctionSteps = 250000

// exhausted counts a step of a walk, and reports whether there were too many.
func (m *memory) exhausted() bool {
	m.steps++
	return m.steps > maxFunctionSteps
}

func memoryOf(fn *ssa.Function) *memory {
	m := &memory{function: fn, cells: map[string]ssa.Value{}, stores: map[ssa.Value][]*ssa.Store{}, answers: map[string]fact{}, numbers: map[ssa.Value]int{}, last: map[*ssa.BasicBlock]bool{}}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				c := m.cell(instr.Addr)
				m.stores[c] = append(m.stores[c], instr)
			case *ssa.Call:
				if isFatal(instr) {
					m.last[b] = true
				}
			}
		}
	}
	return m
}

// cell returns the address that stands for all addresses of the variable at addr.
func (m *memory) cell(addr ssa.Value) ssa.Value {
	path := pathOf(addr, 0)
	if c, ok := m.cells[path]; ok {
		return c
	}
	m.cells[path] = addr
	return addr
}

func pathOf(v ssa.Value, depth int) string {
	if depth > 8 {
		return v.Name()
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return pathOf(v.X, depth+1) + "." + strconv.Itoa(v.Field)
	case *ssa.UnOp:
		return "*" + pathOf(v.X, depth+1)
	}
	return v.Name()
}

// reads reports whether v is what cell holds.
func (m *memory) reads(v ssa.Value, cell ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.Op == token.MUL && m.cell(load.X) == cell
}

// written reports whether the region stores to cell.
func (m *memory) written(r *region, cell ssa.Value) bool {
	for _, s := range m.stores[cell] {
		if r.blocks[s.Block()] {
			return true
		}
	}
	return false
}

// replaced reports whether cell is a field of a variable that the region assigns as a whole, with what it computes.
func (m *memory) replaced(r *region, cell ssa.Value) bool {
	for {
		switch v := cell.(type) {
		case *ssa.FieldAddr:
			cell = m.cell(v.X)
		case *ssa.IndexAddr:
			cell = m.cell(v.X)
		case *ssa.Alloc:
			return slices.ContainsFunc(m.stores[v], func(s *ssa.Store) bool {
				made, ok := s.Val.(ssa.Instruction)
				return ok && r.blocks[s.Block()] && r.blocks[made.Block()]
			})
		default:
			return false
		}
	}
}

// initial returns the value that cell has when the region begins, if one store outside of it decides.
func (m *memory) initial(r *region, cell ssa.Value) ssa.Value {
	var found *ssa.Store
	for _, s := range m.stores[cell] {
		if r.blocks[s.Block()] {
			continue
		}
		if !s.Block().Dominates(r.head) || found != nil && !found.Block().Dominates(s.Block()) {
			return nil
		}
		found = s
	}
	if found == nil {
		return nil
	}
	return found.Val
}

// loadOf returns a load of cell in the function, to ask what it holds.
func (m *memory) loadOf(cell ssa.Value) ssa.Value {
	for _, b := range m.function.Blocks {
		for _, instr := range b.Instrs {
			if u, ok := instr.(*ssa.UnOp); ok && m.cell(u.X) == cell {
				return u
			}
		}
	}
	return nil
}
