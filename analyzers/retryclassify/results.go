package retryclassify

import (
	"fmt"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// checkResults reports uses of a result that is nil whenever the call failed, where the call may have failed.
func checkResults(pass *rule.Pass, r *callgraph.Repetition) {
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || !emptyOnFailure(call) {
			continue
		}
		result, failure := results(call)
		if result == nil || failure == nil {
			continue
		}
		for _, use := range *result.Referrers() {
			fa, isField := use.(*ssa.FieldAddr)
			if !isField || fa.X != ssa.Value(result) {
				continue
			}
			if status.MatchString(fieldName(fa)) && neverBoth(fa, result, failure) && letsRepeat(r, fa) {
				pass.Report("wrongcheck", analysis.Diagnostic{
					Pos: fa.Pos(),
					Message: fmt.Sprintf("this is never asked: the result of %s is nil if there is an error, so no failure is repeated because of its %s",
						callgraph.CalleeLabel(&call.Call), fieldName(fa)),
				})
				continue
			}
			if afterFailure(fa, result, failure) {
				pass.Report("wrongcheck", analysis.Diagnostic{
					Pos: fa.Pos(),
					Message: fmt.Sprintf("the result of %s is nil if there is an error, and here there may be one: asking it for %s doesn't classify the failure",
						callgraph.CalleeLabel(&call.Call), fieldName(fa)),
				})
			}
		}
	}
}

// status is what fields are called that tell how a request ended.
var status = regexp.MustCompile(`^Status(Code)?$`)

// letsRepeat reports whether what a field holds decides that there is another attempt, and that there is none otherwise.
func letsRepeat(r *callgraph.Repetition, field *ssa.FieldAddr) bool {
	if r.Site == nil {
		return false
	}
	for _, d := range r.Site.Decisions() {
		test, ok := d.Branch.Cond.(*ssa.BinOp)
		if ok && !d.Leaves && d.Branch.Block() == field.Block() && (loads(test.X, field) || loads(test.Y, field)) {
			return true
		}
	}
	return false
}

func loads(v ssa.Value, field *ssa.FieldAddr) bool {
	load, ok := v.(*ssa.UnOp)
	return ok && load.X == ssa.Value(field)
}

// neverBoth reports whether the use of a result is reached only if there is an error and a result as well.
func neverBoth(use ssa.Instruction, result, failure *ssa.Extract) bool {
	return onlyIf(use, failure) && onlyIf(use, result)
}

// onlyIf reports whether every way to an instruction finds v not to be nil.
func onlyIf(at ssa.Instruction, v *ssa.Extract) bool {
	for _, ref := range *v.Referrers() {
		test, ok := ref.(*ssa.BinOp)
		if !ok || test.Op != token.EQL && test.Op != token.NEQ || !isNil(test.X) && !isNil(test.Y) {
			continue
		}
		for _, use := range *test.Referrers() {
			branch, ok := use.(*ssa.If)
			if !ok {
				continue
			}
			side := 0
			if test.Op == token.EQL {
				side = 1
			}
			if b := branch.Block(); b.Succs[0] != b.Succs[1] && edgeDominates(b, b.Succs[side], at.Block()) {
				return true
			}
		}
	}
	return false
}

func fieldName(fa *ssa.FieldAddr) string {
	return fa.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(fa.Field).Name()
}

// emptyOnFailure reports whether the first result of call is nil if its error isn't.
func emptyOnFailure(call *ssa.Call) bool {
	if catalog.NoResult(callgraph.CalleeName(&call.Call)) {
		return true
	}
	callee := call.Call.StaticCallee()
	return callee != nil && len(callee.Blocks) > 0 && returnsOneOf(callee)
}

// returnsOneOf reports whether fn, of this package, returns either nil and an error or a result and no error, always.
func returnsOneOf(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	if results.Len() != 2 {
		return false
	}
	if _, isPointer := results.At(0).Type().Underlying().(*types.Pointer); !isPointer || !typename.IsError(results.At(1).Type()) {
		return false
	}
	fails := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if isNil(ret.Results[1]) {
			continue
		}
		if !isNil(ret.Results[0]) {
			return false
		}
		fails = true
	}
	return fails
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

// results returns the first result of a call, a pointer, and its error.
func results(call *ssa.Call) (result, failure *ssa.Extract) {
	for _, ref := range *call.Referrers() {
		x, ok := ref.(*ssa.Extract)
		if !ok {
			continue
		}
		switch {
		case typename.IsError(x.Type()):
			failure = x
		case x.Index == 0:
			result = x
		}
	}
	return result, failure
}

// afterFailure reports whether the use of result may be reached when failure isn't nil: no test of either stands before it
// whose other side was taken. A failure that nobody asks for is another mistake.
func afterFailure(use ssa.Instruction, result, failure *ssa.Extract) bool {
	asked := false
	for _, b := range use.Parent().Blocks {
		branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		if !ok {
			continue
		}
		test, ok := branch.Cond.(*ssa.BinOp)
		if !ok || test.Op != token.EQL && test.Op != token.NEQ {
			continue
		}
		subject := test.X
		if isNil(subject) {
			subject = test.Y
		} else if !isNil(test.Y) {
			continue
		}
		// is the side on which the result can be used.
		side := 0
		switch {
		case subject == ssa.Value(failure) && test.Op == token.NEQ, subject == ssa.Value(result) && test.Op == token.EQL:
			side = 1
		case subject != ssa.Value(failure) && subject != ssa.Value(result):
			continue
		}
		asked = asked || subject == ssa.Value(failure)
		if b.Succs[0] != b.Succs[1] && edgeDominates(b, b.Succs[side], use.Block()) {
			return false
		}
	}
	return asked && !askedElsewhere(failure)
}

// edgeDominates reports whether every way to target goes from b to succ.
func edgeDominates(b, succ, target *ssa.BasicBlock) bool {
	if len(succ.Preds) == 1 {
		return succ.Dominates(target)
	}
	other := b.Succs[0]
	if other == succ {
		other = b.Succs[1]
	}
	return b.Dominates(target) && !reaches(other, target, b)
}

// reaches reports whether control may come from one block to another without passing a third.
func reaches(from, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	work := []*ssa.BasicBlock{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == to {
			return true
		}
		if seen[b] {
			continue
		}
		seen[b] = true
		work = append(work, b.Succs...)
	}
	return false
}

// askedElsewhere reports whether an error is merged with others or kept in a variable, and that is what is tested.
func askedElsewhere(failure *ssa.Extract) bool {
	for _, ref := range *failure.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Phi:
			if testedForNil(ref) {
				return true
			}
		case *ssa.Store:
			alloc, ok := ref.Addr.(*ssa.Alloc)
			if !ok || slices.ContainsFunc(*alloc.Referrers(), loadsForTest) {
				return true
			}
		}
	}
	return false
}

func loadsForTest(instr ssa.Instruction) bool {
	load, ok := instr.(*ssa.UnOp)
	return ok && testedForNil(load)
}

func testedForNil(v ssa.Value) bool {
	return slices.ContainsFunc(*v.Referrers(), func(instr ssa.Instruction) bool {
		test, ok := instr.(*ssa.BinOp)
		return ok && (isNil(test.X) || isNil(test.Y))
	})
}
