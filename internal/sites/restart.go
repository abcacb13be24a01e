package sites

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// A backoff that begins anew in each round never gets beyond its first delay: what it would have grown to is computed and lost,
// or the object that remembers it is made or reset in the loop.

// A Restart is where a backoff begins anew, or what holds one that all calls share.
type Restart struct {
	At     ssa.Instruction
	Kind   RestartKind
	Shared *ssa.Global
}

// RestartKind tells the forms of a Restart apart.
type RestartKind uint8

// Lost is a delay that grows to a value that nobody waits for; Made, an object that is made in each round; Reset, one that is
// reset in each; SharedByCalls, one that stands in a package variable.
const (
	Lost RestartKind = iota
	Made
	Reset
	SharedByCalls
)

// Restarts lists where the backoff of s begins anew in each round.
func (s *Site) Restarts(values Evaluator) []Restart {
	if s.region == nil || s.region.recursive != nil || len(s.Waiting) == 0 {
		return nil
	}
	d := &delays{site: s, region: s.region, values: values, memory: memoryOf(s.Function)}
	var asked []ssa.Value
	for _, instr := range s.Waiting {
		for _, t := range d.toldBy(instr, nil, 0) {
			asked = append(asked, given(t.value, t.frame))
		}
	}
	var list []Restart
	for _, b := range s.region.inOrder() {
		for _, instr := range b.Instrs {
			if s.losesGrowth(instr, asked) {
				list = append(list, Restart{At: instr, Kind: Lost})
			}
		}
	}
	for _, v := range asked {
		if r, ok := s.restartOf(v, d.memory); ok {
			list = append(list, r)
		}
	}
	return list
}

// given returns what v is in the region's own function, if it is handed down as it is.
func given(v ssa.Value, f *frame) ssa.Value {
	for f != nil {
		p, ok := unconverted(v).(*ssa.Parameter)
		if !ok {
			return v
		}
		i := slices.Index(p.Parent().Params, p)
		if i < 0 || i >= len(f.call.Args) {
			return v
		}
		v, f = f.call.Args[i], f.parent
	}
	return v
}

// losesGrowth reports whether instr makes more of what a delay is made of, and nothing uses the result.
func (s *Site) losesGrowth(instr ssa.Instruction, delays []ssa.Value) bool {
	v, ok := instr.(ssa.Value)
	if !ok || v.Referrers() == nil || len(*v.Referrers()) > 0 {
		return false
	}
	return slices.ContainsFunc(grownFrom(v), func(grown ssa.Value) bool {
		return slices.ContainsFunc(delays, func(d ssa.Value) bool { return s.mentions(d, grown, 0) })
	})
}

// grownFrom lists the operands of a sum, product or shift, or of one that min limits.
func grownFrom(v ssa.Value) []ssa.Value {
	switch v := v.(type) {
	case *ssa.BinOp:
		if (isInteger(v.Type()) || isFloat(v.Type())) && slices.Contains([]token.Token{token.MUL, token.SHL, token.ADD}, v.Op) {
			return []ssa.Value{v.X, v.Y}
		}
	case *ssa.Call:
		if b, isBuiltin := v.Call.Value.(*ssa.Builtin); isBuiltin && b.Name() == "min" {
			var list []ssa.Value
			for _, a := range v.Call.Args {
				list = append(list, grownFrom(a)...)
			}
			return list
		}
	}
	return nil
}

// mentions reports whether v is made of x in the region.
func (s *Site) mentions(v, x ssa.Value, depth int) bool {
	if v == x || sameConst(v, x) {
		return true
	}
	instr, ok := v.(ssa.Instruction)
	if !ok || depth > 8 || !s.region.blocks[instr.Block()] {
		return false
	}
	if _, isPhi := v.(*ssa.Phi); isPhi {
		return false
	}
	return slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return *op != nil && s.mentions(*op, x, depth+1) })
}

func sameConst(a, b ssa.Value) bool {
	x, ok := a.(*ssa.Const)
	y, okToo := b.(*ssa.Const)
	return ok && okToo && x.Value != nil && y.Value != nil && types.Identical(x.Type(), y.Type()) && constant.Compare(x.Value, token.EQL, y.Value)
}

// restartOf judges the object that a delay is asked of.
func (s *Site) restartOf(delay ssa.Value, m *memory) (Restart, bool) {
	call := callOf(unconverted(delay))
	if call == nil || !s.Holds(call) {
		return Restart{}, false
	}
	object := receiverOf(call)
	if object == nil || !remembersDelay(call, object) {
		return Restart{}, false
	}
	switch root := rootOf(object).(type) {
	case *ssa.Alloc:
		if s.Holds(root) {
			return Restart{At: root, Kind: Made}, true
		}
	case *ssa.Call:
		if s.Holds(root) {
			return Restart{At: root, Kind: Made}, true
		}
	case *ssa.Global:
		if !locks(call) {
			return Restart{At: call, Kind: SharedByCalls, Shared: root}, true
		}
	}
	if reset := s.resetOf(object, m); reset != nil {
		return Restart{At: reset, Kind: Reset}, true
	}
	return Restart{}, false
}

func receiverOf(call *ssa.Call) ssa.Value {
	if call.Call.IsInvoke() {
		return call.Call.Value
	}
	if callee := call.Call.StaticCallee(); callee != nil && callee.Signature.Recv() != nil {
		return call.Call.Args[0]
	}
	return nil
}

// rootOf returns what makes or holds an object.
func rootOf(v ssa.Value) ssa.Value {
	for range 8 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			if _, isGlobal := x.X.(*ssa.Global); !isGlobal {
				return v
			}
			v = x.X
		case *ssa.FieldAddr:
			if _, isGlobal := x.X.(*ssa.Global); !isGlobal {
				return v
			}
			v = x.X
		default:
			return v
		}
	}
	return v
}

// remembersDelay reports whether what call asks changes with being asked.
func remembersDelay(call *ssa.Call, object ssa.Value) bool {
	if catalog.Stateful(typename.Of(rootType(object))) {
		return true
	}
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		return false
	}
	for _, b := range callee.Blocks {
		for _, instr := range b.Instrs {
			s, ok := instr.(*ssa.Store)
			if !ok || !isInteger(s.Val.Type()) && !isFloat(s.Val.Type()) {
				continue
			}
			if fa, isField := s.Addr.(*ssa.FieldAddr); isField && fa.X == ssa.Value(callee.Params[0]) {
				return true
			}
		}
	}
	return false
}

func rootType(v ssa.Value) types.Type {
	switch root := rootOf(v).(type) {
	case *ssa.Global:
		return root.Type().(*types.Pointer).Elem()
	default:
		return root.Type()
	}
}

// locks reports whether what call calls takes a lock, or counts atomically.
func locks(call *ssa.Call) bool {
	callee := call.Call.StaticCallee()
	if callee == nil || len(callee.Blocks) == 0 {
		return false
	}
	for _, b := range callee.Blocks {
		for _, instr := range b.Instrs {
			inner, ok := instr.(*ssa.Call)
			if ok && inner.Call.StaticCallee() != nil && (calleeName(&inner.Call) == "Lock" || packageOfFunction(inner.Call.StaticCallee()) == "sync/atomic") {
				return true
			}
		}
	}
	return false
}

// resetOf returns the call that resets object in each round of the region.
func (s *Site) resetOf(object ssa.Value, m *memory) ssa.Instruction {
	for _, b := range s.region.inOrder() {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || calleeName(&call.Call) != "Reset" || receiverOf(call) == nil || !sameObject(receiverOf(call), object, m) {
				continue
			}
			if s.eachRound(b) {
				return call
			}
		}
	}
	return nil
}

func sameObject(a, b ssa.Value, m *memory) bool {
	if a == b || rootOf(a) == rootOf(b) {
		return true
	}
	x, ok := a.(*ssa.UnOp)
	y, okToo := b.(*ssa.UnOp)
	return ok && okToo && m.cell(x.X) == m.cell(y.X)
}

// eachRound reports whether every way round passes b.
func (s *Site) eachRound(b *ssa.BasicBlock) bool {
	for _, pred := range s.region.head.Preds {
		if s.region.blocks[pred] && !b.Dominates(pred) {
			return false
		}
	}
	return true
}
