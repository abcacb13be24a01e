package callgraph

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// Which failures a site repeats is said in several places: branches of a loop, a function that a library is given and asks
// about each error, marks that the operation puts on an error.

// A Check is a question that the code of a repetition asks about an error.
type Check struct {
	Instr ssa.Value // that asks
	Test  fault.Test
	// Seen are errors that the one in question can be; Complete says that there are no others.
	Seen     []fault.Error
	Complete bool
}

// Checks lists the questions about errors that decide, or may decide, whether there is another attempt.
func (r *Repetition) Checks() []Check {
	var list []Check
	for step := range r.Attempt() {
		v, ok := step.Instr.(ssa.Value)
		if !ok {
			continue
		}
		t, subject, isTest := sites.TestOf(v, r.pkg)
		if !isTest {
			continue
		}
		c := Check{Instr: v, Test: t}
		c.Seen, c.Complete = sites.Seen(subject, r.pkg, func(v ssa.Value) ssa.Value {
			given, _ := step.Given(v)
			return given
		})
		list = append(list, c)
	}
	for _, fn := range r.Classifiers() {
		list = append(list, r.checksIn(fn)...)
	}
	return list
}

// checksIn lists the questions of a classifier, which is asked about what the operations return.
func (r *Repetition) checksIn(fn *ssa.Function) []Check {
	var list []Check
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			v, ok := instr.(ssa.Value)
			if !ok {
				continue
			}
			t, subject, isTest := sites.TestOf(v, r.pkg)
			if !isTest || !isErrorParameter(subject) || len(r.Operations) == 0 {
				continue
			}
			c := Check{Instr: v, Test: t, Complete: true}
			for _, op := range r.Operations {
				for _, e := range sites.ReturnedErrors(op) {
					seen, complete := sites.Seen(e, r.pkg, nil)
					c.Seen, c.Complete = append(c.Seen, seen...), c.Complete && complete
				}
			}
			list = append(list, c)
		}
	}
	return list
}

func isErrorParameter(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && typename.IsError(p.Type())
}

// Classifiers are the functions of this package that a call gives its helper or library to ask about errors: directly, among
// its options or in its configuration.
func (r *Repetition) Classifiers() []*ssa.Function {
	if r.Call == nil {
		return nil
	}
	s := &classifierSearch{pkg: r.pkg, seen: map[ssa.Value]bool{}}
	for _, a := range r.Call.Common().Args {
		s.visit(a, 0)
	}
	return s.found
}

// IsGivenClassifier reports whether a call gives its helper or library something to ask about errors, known or not.
func (r *Repetition) IsGivenClassifier() bool {
	return r.Call != nil && (len(r.Classifiers()) > 0 || r.policyIsGiven() || slices.ContainsFunc(r.Call.Common().Args, func(a ssa.Value) bool {
		return isClassifier(a.Type())
	}))
}

// policyIsGiven reports whether the policy of a library's call, or an option of it, is made where this package doesn't see: it
// may come with a classifier.
func (r *Repetition) policyIsGiven() bool {
	policy := r.pkg.close(r.call.Callee)
	if _, elsewhere := madeElsewhere(policy); elsewhere {
		return true
	}
	options, _ := policy.Get(value.Applied)
	return slices.ContainsFunc(options.Args, func(option value.Term) bool {
		if option.Kind == value.Op && option.Name == "..." {
			option = option.Args[0]
		}
		_, elsewhere := madeElsewhere(option)
		return elsewhere
	})
}

type classifierSearch struct {
	pkg   *Package
	seen  map[ssa.Value]bool
	found []*ssa.Function
}

func (s *classifierSearch) visit(v ssa.Value, depth int) {
	if v == nil || s.seen[v] || depth > 12 {
		return
	}
	s.seen[v] = true
	switch v := v.(type) {
	case *ssa.Function:
		s.take(v)
	case *ssa.MakeClosure:
		s.take(v.Fn.(*ssa.Function))
	case *ssa.Global:
		for _, instr := range s.pkg.global[v] {
			if store, ok := instr.(*ssa.Store); ok && store.Addr == ssa.Value(v) {
				s.visit(store.Val, depth+1)
			}
		}
	case *ssa.Alloc:
		eachStored(v, func(x ssa.Value) { s.visit(x, depth+1) })
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Const, *ssa.Builtin:
	case ssa.Instruction:
		for _, op := range v.Operands(nil) {
			s.visit(*op, depth+1)
		}
	}
}

// eachStored yields what is put into a variable, a struct or an array.
func eachStored(at ssa.Value, visit func(ssa.Value)) {
	if at.Referrers() == nil {
		return
	}
	for _, ref := range *at.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == at {
				visit(ref.Val)
			}
		case *ssa.FieldAddr:
			eachStored(ref, visit)
		case *ssa.IndexAddr:
			eachStored(ref, visit)
		}
	}
}

func (s *classifierSearch) take(fn *ssa.Function) {
	sig := fn.Signature
	if sig.Results().Len() == 1 && isBool(sig.Results().At(0).Type()) && takesError(sig) && !slices.Contains(s.found, fn) {
		s.found = append(s.found, fn)
	}
}

func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

func takesError(sig *types.Signature) bool {
	for i := range sig.Params().Len() {
		if typename.IsError(sig.Params().At(i).Type()) {
			return true
		}
	}
	return false
}

// TellsErrorsApart reports whether anything decides between attempts that looks at which error there was. Where it can't be
// seen, it is supposed that something does.
func (r *Repetition) TellsErrorsApart() bool {
	switch {
	case r.Site != nil:
		return r.Site.Gate != nil || r.Site.TellsErrorsApart() || r.marks()
	case r.Call == nil || r.Hop.Kind == "client" || len(r.Operations) == 0:
		return true
	case slices.ContainsFunc(r.Classifiers(), mayRefuse) || r.policyIsGiven() || r.marks():
		return true
	case r.Hop.Kind == "helper-call":
		return r.helperTellsErrorsApart()
	}
	repeats, _ := r.repeats()
	return repeats != "" && repeats != "all" && repeats != "unmarked"
}

// mayRefuse reports whether a classifier doesn't say yes to everything.
func mayRefuse(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if c, isConst := ret.Results[0].(*ssa.Const); !isConst || c.Value == nil || !constant.BoolVal(c.Value) {
			return true
		}
	}
	return len(fn.Blocks) == 0
}

func (r *Repetition) helperTellsErrorsApart() bool {
	callee := resolve(r.Call.Common().StaticCallee())
	if callee == nil || callee.Pkg != r.pkg.SSA {
		return true
	}
	for _, s := range r.pkg.Sites(callee) {
		if s.Gate != nil && len(r.Classifiers()) == 0 || s.TellsErrorsApart() && s.Gate == nil {
			return true
		}
	}
	return len(r.pkg.Sites(callee)) == 0
}

// marks reports whether an attempt marks errors for whoever repeats it.
func (r *Repetition) marks() bool {
	for step := range r.Attempt() {
		if call, ok := step.Instr.(*ssa.Call); ok {
			if k := r.pkg.lookup(&call.Call); k != nil && k.row.Marks != "" {
				return true
			}
		}
	}
	return false
}

// FailureRepeats reports whether the attempt fails, in a way that is repeated if errors aren't told apart, when the call that
// step is fails.
func (r *Repetition) FailureRepeats(step Step) bool {
	call, ok := step.Instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	return r.outward(call, step.Calls)
}

func (r *Repetition) outward(call ssa.CallInstruction, calls []ssa.CallInstruction) bool {
	for i := len(calls) - 1; i >= 0; i-- {
		if !r.pkg.failsOutward(call.Parent(), call, "unmarked", "") {
			return false
		}
		call = calls[i]
	}
	if r.Site != nil {
		return r.Site.Repeated[call]
	}
	word, library := r.repeats()
	if word == "" || word == "all" {
		word = "unmarked"
	}
	return r.pkg.failsOutward(call.Parent(), call, word, library)
}

// AttemptFails reports whether the attempt fails, in a way that is repeated if errors aren't told apart, when the innermost
// function that step stands in fails.
func (r *Repetition) AttemptFails(step Step) bool {
	if len(step.Calls) == 0 {
		return true
	}
	last := len(step.Calls) - 1
	return r.outward(step.Calls[last], step.Calls[:last])
}

// Fails lists errors that the attempts of r are seen to fail with.
func (r *Repetition) Fails() []fault.Error {
	var list []fault.Error
	if r.Site != nil {
		if call, ok := r.Site.Operation.(*ssa.Call); ok {
			list, _ = sites.SeenFrom(call, r.pkg)
		}
		return list
	}
	for _, op := range r.Operations {
		for _, e := range sites.ReturnedErrors(op) {
			seen, _ := sites.Seen(e, r.pkg, nil)
			list = append(list, seen...)
		}
	}
	return list
}

// RepeatsOn reports whether a loop makes another attempt after one has failed with e; Unsure for calls.
func (r *Repetition) RepeatsOn(e fault.Error) fault.Answer {
	if r.Site == nil {
		return fault.Unsure
	}
	call, ok := r.Site.Operation.(*ssa.Call)
	if !ok {
		return fault.Unsure
	}
	cases := r.Site.RepeatsOn(call, r.pkg)
	if cases == nil && !r.Site.TellsErrorsApart() {
		return fault.Yes
	}
	return cases.Answer(fault.Of(e))
}

// ContextOfCall says what the library that a call is of does with a context: watched, if it is given one; ignored, if it takes
// one and isn't given any, or takes none; unknown.
func (r *Repetition) ContextOfCall() string {
	if r.Call == nil {
		return "unknown"
	}
	common := r.Call.Common()
	for _, a := range common.Args {
		if typename.Of(a.Type()) == "context.Context" {
			return "watched"
		}
	}
	k := r.pkg.lookup(common)
	if k == nil || k.row.Site == nil {
		return r.contextOfHelper()
	}
	switch k.row.Site.Context {
	case "none":
		return "ignored"
	case "policy":
		return r.contextOfPolicy()
	}
	return "unknown"
}

// contextOfPolicy looks for a context among what the policy is made of.
func (r *Repetition) contextOfPolicy() string {
	s := &contextSearch{pkg: r.pkg, seen: map[ssa.Value]bool{}}
	for _, a := range r.Call.Common().Args {
		s.visit(a, 0)
	}
	switch {
	case s.found:
		return "watched"
	case s.open:
		return "unknown"
	}
	return "ignored"
}

// contextSearch follows the values that a policy is made of back to a context. open is set if some of it isn't seen.
type contextSearch struct {
	pkg         *Package
	seen        map[ssa.Value]bool
	found, open bool
}

func (s *contextSearch) visit(v ssa.Value, depth int) {
	if v == nil || s.seen[v] {
		return
	}
	s.seen[v] = true
	if typename.Of(v.Type()) == "context.Context" {
		s.found = true
		return
	}
	if _, basic := v.Type().Underlying().(*types.Basic); basic {
		return // a number carries no context
	}
	switch v := v.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Const, *ssa.Builtin:
	case *ssa.Parameter, *ssa.FreeVar:
		s.open = s.open || !isOperation(v.Type())
	case *ssa.Global:
		for _, instr := range s.pkg.global[v] {
			if store, ok := instr.(*ssa.Store); ok && store.Addr == ssa.Value(v) {
				s.visit(store.Val, depth+1)
			}
		}
	case *ssa.Alloc:
		eachStored(v, func(x ssa.Value) { s.visit(x, depth+1) })
	case *ssa.Call:
		s.call(v, depth)
	case ssa.Instruction:
		for _, op := range v.Operands(nil) {
			s.visit(*op, depth+1)
		}
	}
}

func (s *contextSearch) call(v *ssa.Call, depth int) {
	if v.Call.IsInvoke() {
		s.open = true
		return
	}
	callee := v.Call.StaticCallee()
	if _, isBuiltin := v.Call.Value.(*ssa.Builtin); callee == nil && !isBuiltin {
		s.open = true
	}
	if callee != nil && len(callee.Blocks) > 0 {
		s.open = true // a constructor of this package
	}
	for _, a := range v.Call.Args {
		s.visit(a, depth+1)
	}
}

// isOperation tells a function to be repeated from an option: that has a type of its own.
func isOperation(t types.Type) bool {
	_, ok := t.(*types.Signature)
	return ok
}

func (r *Repetition) contextOfHelper() string {
	callee := resolve(r.Call.Common().StaticCallee())
	if callee == nil || callee.Pkg != r.pkg.SSA || len(r.pkg.Sites(callee)) == 0 {
		return "unknown"
	}
	if r.contextOfPolicy() == "watched" {
		return "watched" // the helper, or what it is a method of, was given one
	}
	for _, s := range r.pkg.Sites(callee) {
		if s.Context != "none" || s.WatchesContext() {
			return "unknown"
		}
	}
	return "ignored"
}

// CalleeName is the full name of the function that a call runs, as go/types writes it; "" if it isn't known by name.
func CalleeName(call *ssa.CallCommon) string {
	if call.IsInvoke() {
		return call.Method.FullName()
	}
	callee := resolve(call.StaticCallee())
	if callee == nil {
		return ""
	}
	if obj, ok := callee.Object().(*types.Func); ok {
		return catalog.Alias(obj.FullName())
	}
	return ""
}

// CalleeLabel is what messages call the function that a call runs.
func CalleeLabel(call *ssa.CallCommon) string { return calleeLabel(call) }

// Seen lists errors that v, which step or an instruction beside it uses, can be, and tells whether there are no others.
func (r *Repetition) Seen(v ssa.Value, step Step) (list []fault.Error, complete bool) {
	return sites.Seen(v, r.pkg, func(v ssa.Value) ssa.Value {
		given, _ := step.Given(v)
		return given
	})
}
