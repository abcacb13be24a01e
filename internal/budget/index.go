package budget

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// An Index holds what the functions of a package do to counters.
type Index struct {
	Functions []*ssa.Function

	accesses map[*ssa.Function][]Access
	of       map[Counter][]Access
	callers  map[*ssa.Function][]ssa.CallInstruction
	methods  map[string][]*ssa.Function
	effects  map[*ssa.Function][]Access
	called   map[*ssa.Function][]*ssa.Function
	gates    map[gateKey]*Gate
	held     map[*ssa.Function]map[ssa.Instruction]Section
}

// NewIndex looks through the functions of a package.
func NewIndex(functions []*ssa.Function) *Index {
	x := &Index{
		Functions: functions,
		accesses:  map[*ssa.Function][]Access{}, of: map[Counter][]Access{},
		callers: map[*ssa.Function][]ssa.CallInstruction{}, methods: map[string][]*ssa.Function{},
		effects: map[*ssa.Function][]Access{}, called: map[*ssa.Function][]*ssa.Function{}, gates: map[gateKey]*Gate{}, held: map[*ssa.Function]map[ssa.Instruction]Section{},
	}
	for _, fn := range functions {
		if fn.Signature.Recv() != nil {
			x.methods[fn.Name()] = append(x.methods[fn.Name()], fn)
		}
		x.accesses[fn] = accessesIn(fn)
		for _, a := range x.accesses[fn] {
			x.of[a.Counter] = append(x.of[a.Counter], a)
		}
	}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok {
					for _, callee := range x.Callees(call.Common()) {
						x.callers[callee] = append(x.callers[callee], call)
					}
				}
			}
		}
	}
	return x
}

// Callees are the functions of the package that a call may run: of an interface's method, those of its types that fit.
func (x *Index) Callees(call *ssa.CallCommon) []*ssa.Function {
	if callee := call.StaticCallee(); callee != nil {
		if callee.Origin() != nil {
			callee = callee.Origin()
		}
		if len(callee.Blocks) == 0 {
			return nil
		}
		return []*ssa.Function{callee}
	}
	if !call.IsInvoke() {
		return nil
	}
	iface, ok := call.Value.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var list []*ssa.Function
	for _, fn := range x.methods[call.Method.Name()] {
		if types.Implements(fn.Signature.Recv().Type(), iface) {
			list = append(list, fn)
		}
	}
	return list
}

// Callers are the calls in the package that may run fn.
func (x *Index) Callers(fn *ssa.Function) []ssa.CallInstruction { return x.callers[fn] }

// Accesses lists what is done to a counter anywhere in the package.
func (x *Index) Accesses(c Counter) []Access { return x.of[c] }

// Own lists what a function does to counters itself.
func (x *Index) Own(fn *ssa.Function) []Access { return x.accesses[fn] }

const maxEffects = 40 // functions below a function

// Effects lists what a call of fn does to counters, in the functions of the package that it calls, too.
func (x *Index) Effects(fn *ssa.Function) []Access {
	if list, ok := x.effects[fn]; ok {
		return list
	}
	var list []Access
	reached := []*ssa.Function{fn}
	for i := 0; i < len(reached); i++ {
		list = append(list, x.accesses[reached[i]]...)
		for _, callee := range x.calledBy(reached[i]) {
			if len(reached) < maxEffects && !slices.Contains(reached, callee) {
				reached = append(reached, callee)
			}
		}
	}
	x.effects[fn] = list
	return list
}

// calledBy lists the functions of the package that fn calls itself.
func (x *Index) calledBy(fn *ssa.Function) []*ssa.Function {
	if list, ok := x.called[fn]; ok {
		return list
	}
	var list []*ssa.Function
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok {
				list = append(list, x.Callees(call.Common())...)
			}
		}
	}
	x.called[fn] = list
	return list
}

// Mutable reports whether a counter changes after the struct that holds it was made.
func (x *Index) Mutable(c Counter) bool {
	for _, a := range x.of[c] {
		if a.Writes && !a.Initial {
			return true
		}
	}
	return false
}

// Marks reports whether a counter only remembers a point in time or another number that it is given: it is set, and neither
// grows nor shrinks.
func (x *Index) Marks(c Counter) bool {
	marks := false
	for _, a := range x.of[c] {
		if !a.Writes || a.Initial {
			continue
		}
		if a.Change.Depends {
			return false
		}
		marks = marks || !settles(written(a.Instr))
	}
	return marks
}

// written is the value that a write stores.
func written(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.Store:
		return instr.Val
	case *ssa.MapUpdate:
		return instr.Value
	case *ssa.Call:
		if n := len(instr.Call.Args); n > 1 {
			return instr.Call.Args[n-1]
		}
	}
	return nil
}

// settles reports whether v is a fixed number: a constant or one that a field holds.
func settles(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Const:
		return true
	case *ssa.UnOp:
		return v.Op == token.MUL && CounterOf(v.X) != nil
	case *ssa.Convert:
		return settles(v.X)
	case *ssa.BinOp:
		return settles(v.X) && settles(v.Y)
	}
	return false
}

// Timed reports whether v is made of the time, of a duration, or of the difference to a number that changes: of how much of
// something has passed.
func (x *Index) Timed(v ssa.Value) bool {
	seen := map[ssa.Value]bool{}
	var visit func(v ssa.Value, depth int) bool
	visit = func(v ssa.Value, depth int) bool {
		if v == nil || seen[v] || depth > 8 {
			return false
		}
		seen[v] = true
		switch name := typeName(v.Type()); {
		case name == "time.Duration" || name == "time.Time":
			return true
		}
		switch v := v.(type) {
		case *ssa.Call:
			if word(&v.Call) == "clock" {
				return true
			}
			for _, a := range v.Call.Args {
				if visit(a, depth+1) {
					return true
				}
			}
		case *ssa.BinOp:
			if c := accessOf(v.Y); c != nil && v.Op == token.SUB && x.Mutable(c) {
				return true
			}
			return visit(v.X, depth+1) || visit(v.Y, depth+1)
		case *ssa.Convert:
			return visit(v.X, depth+1)
		case *ssa.Phi:
			for _, e := range v.Edges {
				if visit(e, depth+1) {
					return true
				}
			}
		case *ssa.Extract:
			return visit(v.Tuple, depth+1)
		}
		return false
	}
	return visit(v, 0)
}

// number returns the constant that v is.
func number(v ssa.Value) (constant.Value, bool) {
	for {
		c, ok := v.(*ssa.Convert)
		if !ok {
			break
		}
		v = c.X
	}
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int && c.Value.Kind() != constant.Float {
		return nil, false
	}
	return c.Value, true
}
