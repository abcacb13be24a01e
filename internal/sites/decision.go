package sites

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// A Decision is a branch that ends the repetitions of a site on one of its sides.
type Decision struct {
	Branch *ssa.If
	// Leaves is the outcome of the condition after which there is no other attempt.
	Leaves bool
}

// Decisions lists the branches that are reached once the first attempt was made and end the repetitions on one side.
func (s *Site) Decisions() []Decision {
	var list []Decision
	for _, b := range s.Function.Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok || b.Succs[0] == b.Succs[1] || !s.decidesIn(b) {
			continue
		}
		then, other := s.goesOn(b.Succs[0]), s.goesOn(b.Succs[1])
		if then != other {
			list = append(list, Decision{branch, other})
		}
	}
	return list
}

func (s *Site) decidesIn(b *ssa.BasicBlock) bool {
	if s.region != nil && s.region.recursive == nil {
		return s.region.blocks[b]
	}
	return s.Operation != nil && s.Operation.Block() != nil && s.Operation.Block().Dominates(b)
}

// goesOn reports whether control may come from b to another attempt.
func (s *Site) goesOn(b *ssa.BasicBlock) bool {
	if s.region != nil && s.region.recursive == nil {
		return s.region.blocks[b]
	}
	seen := map[*ssa.BasicBlock]bool{}
	var reaches func(b *ssa.BasicBlock) bool
	reaches = func(b *ssa.BasicBlock) bool {
		if seen[b] {
			return false
		}
		seen[b] = true
		for _, instr := range b.Instrs {
			if s.Repeated[instr] || s.region != nil && s.region.recursive[instr] {
				return true
			}
		}
		for _, succ := range b.Succs {
			if reaches(succ) {
				return true
			}
		}
		return false
	}
	return reaches(b)
}

// An Inquiry is what a condition asks about the failure of an attempt.
type Inquiry struct {
	Nil     bool // whether there is an error
	Kind    bool // which error it is, or what it says
	Context bool // whether a context is done, or how much time it leaves
	Ended   bool // whether the error is that of a context
	Status  bool // what an attempt results in beside its error
}

// Inquire tells what v asks about the failure of attempts of s; s may be nil where there is no loop.
func (s *Site) Inquire(v ssa.Value) Inquiry {
	q := &inquirer{site: s, seen: map[ssa.Value]bool{}}
	q.visit(v, 0)
	return q.Inquiry
}

type inquirer struct {
	Inquiry
	site *Site
	seen map[ssa.Value]bool
}

const maxInquiry = 14 // steps back from a condition

func (q *inquirer) visit(v ssa.Value, depth int) {
	if v == nil || q.seen[v] || depth > maxInquiry {
		return
	}
	q.seen[v] = true
	switch v := v.(type) {
	case *ssa.BinOp:
		q.compare(v, depth)
	case *ssa.Call:
		q.call(v, depth)
	case *ssa.TypeAssert:
		if typename.IsError(v.X.Type()) {
			q.Kind = true
		}
	case *ssa.Extract:
		q.extract(v, depth)
	case *ssa.Phi:
		q.phi(v, depth)
	case *ssa.UnOp:
		q.load(v, depth)
	case *ssa.Field:
		q.Kind = q.Kind || implementsError(v.X.Type())
		q.visit(v.X, depth+1)
	case *ssa.FieldAddr:
		q.Kind = q.Kind || implementsError(v.X.Type())
		q.visit(v.X, depth+1)
	case ssa.Instruction:
		for _, op := range v.Operands(nil) {
			q.visit(*op, depth+1)
		}
	}
}

func (q *inquirer) compare(v *ssa.BinOp, depth int) {
	if !typename.IsError(v.X.Type()) {
		q.visit(v.X, depth+1)
		q.visit(v.Y, depth+1)
		return
	}
	switch {
	case isNilConst(v.X) || isNilConst(v.Y):
		if q.ofContext(v.X) || q.ofContext(v.Y) {
			q.Context = true
		} else {
			q.Nil = true
		}
	case contextError(v.X) || contextError(v.Y):
		q.Ended = true
	default:
		q.Kind = true
	}
}

// ofContext reports whether v is what a context says, or how a wait has ended that is given one.
func (q *inquirer) ofContext(v ssa.Value) bool {
	call := callOf(v)
	if call == nil || q.isAttempt(call) {
		return false
	}
	return call.Call.IsInvoke() && isContext(call.Call.Value.Type()) || givenContext(call)
}

func (q *inquirer) call(v *ssa.Call, depth int) {
	common := &v.Call
	if common.IsInvoke() {
		switch {
		case isContext(common.Value.Type()):
			q.Context = true
			return
		case implementsError(common.Value.Type()):
			q.Kind = true
			return
		}
	}
	if len(common.Args) > 1 && typename.IsError(common.Args[0].Type()) && contextError(common.Args[1]) {
		q.Ended = true
		return
	}
	for _, a := range common.Args {
		switch {
		case isContext(a.Type()):
			q.Context = true
		case implementsError(a.Type()) || typename.IsError(a.Type()):
			q.Kind = true
		}
	}
	if q.isAttempt(v) {
		q.Status = q.Status || !typename.IsError(v.Type())
		return // what an attempt is given is no answer
	}
	for _, a := range common.Args {
		if !isContext(a.Type()) && !typename.IsError(a.Type()) {
			q.visit(a, depth+1)
		}
	}
}

func (q *inquirer) isAttempt(call *ssa.Call) bool { return q.site != nil && q.site.Repeated[call] }

func (q *inquirer) extract(v *ssa.Extract, depth int) {
	switch t := v.Tuple.(type) {
	case *ssa.Call:
		if q.isAttempt(t) {
			q.Status = q.Status || !typename.IsError(v.Type())
			return
		}
	case *ssa.Select:
		for _, s := range t.States {
			q.Context = q.Context || s.Dir == types.RecvOnly && isEmptyStruct(s.Chan.Type())
		}
		return
	}
	q.visit(v.Tuple, depth+1)
}

// phi asks what its edges ask and, where constants flow in, what decides between them.
func (q *inquirer) phi(v *ssa.Phi, depth int) {
	for i, e := range v.Edges {
		q.visit(e, depth+1)
		if c, ok := e.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.Bool {
			q.deciding(v.Block().Preds[i], depth)
		}
	}
}

func (q *inquirer) deciding(b *ssa.BasicBlock, depth int) {
	for _, at := range []*ssa.BasicBlock{b, b.Idom()} {
		if at == nil || len(at.Instrs) == 0 {
			continue
		}
		if branch, ok := at.Instrs[len(at.Instrs)-1].(*ssa.If); ok {
			q.visit(branch.Cond, depth+1)
		}
	}
}

func (q *inquirer) load(v *ssa.UnOp, depth int) {
	if v.Op != token.MUL {
		q.visit(v.X, depth+1)
		return
	}
	alloc, ok := v.X.(*ssa.Alloc)
	if !ok {
		q.visit(v.X, depth+1)
		return
	}
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == ssa.Value(alloc) {
				q.visit(ref.Val, depth+1)
			}
		case *ssa.MakeInterface:
			q.filledBy(ref, depth)
		}
	}
}

// filledBy asks what a call asks that is given the address of the variable: errors.As.
func (q *inquirer) filledBy(made *ssa.MakeInterface, depth int) {
	for _, use := range *made.Referrers() {
		if call, ok := use.(*ssa.Call); ok && passesError(call) {
			q.visit(call, depth+1)
		}
	}
}

// contextError reports whether v is one of the errors of a context.
func contextError(v ssa.Value) bool {
	load, ok := v.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := load.X.(*ssa.Global)
	return ok && g.Pkg != nil && g.Pkg.Pkg.Path() == "context"
}

func implementsError(t types.Type) bool {
	iface := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface) && !types.IsInterface(t)
}

// TellsErrorsApart reports whether anything decides between attempts that asks which error an attempt failed with, or what
// else came of it. Whether a context is done tells nothing about that.
func (s *Site) TellsErrorsApart() bool {
	for _, d := range s.Decisions() {
		q := s.Inquire(d.Branch.Cond)
		if (q.Kind || q.Status) && !d.onSuccess() || q.Ended && s.kindAskedBefore(d.Branch.Block()) {
			return true
		}
	}
	return false
}

// kindAskedBefore reports whether a branch that leads to b has asked which error it is: !busy && !cancelled leaves.
func (s *Site) kindAskedBefore(b *ssa.BasicBlock) bool {
	for d := b.Idom(); d != nil; d = d.Idom() {
		if branch, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok && s.decidesIn(d) && s.Inquire(branch.Cond).Kind {
			return true
		}
	}
	return false
}

// onSuccess reports whether d is the end of an attempt that succeeded: it leaves on a status that was wanted, and tells nothing
// of those that weren't.
func (d Decision) onSuccess() bool {
	test, status := StatusOf(d.Branch.Cond)
	if test == nil {
		return false
	}
	switch test.Op {
	case token.EQL:
		return d.Leaves && status < 300
	case token.NEQ:
		return !d.Leaves && status < 300
	case token.LSS, token.LEQ:
		return d.Leaves && status <= 400
	case token.GEQ, token.GTR:
		return !d.Leaves && status <= 400
	}
	return false
}

// WatchesContext reports whether a decision asks whether a context is done.
func (s *Site) WatchesContext() bool {
	for _, d := range s.Decisions() {
		if s.Inquire(d.Branch.Cond).Context {
			return true
		}
	}
	return false
}

// StatusOf reads v as a comparison of a status with a number, which is 0 if it isn't a constant; nil if v is none.
func StatusOf(v ssa.Value) (test *ssa.BinOp, status int64) {
	test, ok := v.(*ssa.BinOp)
	if !ok {
		return nil, 0
	}
	x, y := test.X, test.Y
	if _, isConst := x.(*ssa.Const); isConst {
		x, y = y, x
	}
	if !readsStatus(x, 0) {
		return nil, 0
	}
	c, isConst := y.(*ssa.Const)
	if !isConst || c.Value == nil || c.Value.Kind() != constant.Int {
		return test, 0
	}
	if class, isClass := x.(*ssa.BinOp); isClass && class.Op == token.QUO {
		return test, 100 * c.Int64()
	}
	return test, c.Int64()
}

// readsStatus reports whether v is the status of an answer.
func readsStatus(v ssa.Value, depth int) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		if fa, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			return catalog.Status(typeName(fa.X.Type().Underlying().(*types.Pointer).Elem()) + "." + fieldName(fa))
		}
	case *ssa.Phi:
		for _, e := range v.Edges {
			if depth < 3 && readsStatus(e, depth+1) {
				return true
			}
		}
	case *ssa.BinOp:
		return depth < 3 && (v.Op == token.QUO || v.Op == token.REM) && readsStatus(v.X, depth+1)
	}
	return false
}
