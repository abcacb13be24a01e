package retryidempotency

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/typename"
)

// raised tells what the project's own errors mean that an attempt makes: one that is made where a call of something else has failed,
// or beside a status, means what that means.
func (a *attempt) raised() map[string]bool {
	if a.raises != nil {
		return a.raises
	}
	a.raises = map[string]bool{}
	for _, fn := range a.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if name := raisedBy(instr, fn); name != "" && a.afterAmbiguous(b) {
					a.raises[name] = true
				}
			}
		}
	}
	return a.raises
}

// raisedBy is the name of an error of the project that an instruction makes or reads.
func raisedBy(instr ssa.Instruction, fn *ssa.Function) string {
	switch instr := instr.(type) {
	case *ssa.UnOp:
		if name := globalName(instr); name != "" && isErrorValue(instr) && own(name, fn) {
			return name
		}
	case *ssa.MakeInterface:
		if name := typename.Of(instr.X.Type()); name != "" && isErrorValue(instr) && own(name, fn) {
			return name
		}
	}
	return ""
}

// own reports whether a name belongs to the package of fn.
func own(name string, fn *ssa.Function) bool {
	return fn.Package() != nil && strings.HasPrefix(name, fn.Package().Pkg.Path()+".")
}

// afterAmbiguous reports whether a block is reached where a call of something else has failed, or by a status that leaves open
// whether anything was done. The test next to it counts.
func (a *attempt) afterAmbiguous(b *ssa.BasicBlock) bool {
	for range 12 {
		if b == nil {
			return false
		}
		for _, pred := range b.Preds {
			branch, ok := pred.Instrs[len(pred.Instrs)-1].(*ssa.If)
			if !ok {
				continue
			}
			m, decided := a.meaningOfBranch(branch.Cond, pred.Succs[0] == b)
			if decided {
				return m == ambiguous
			}
		}
		b = b.Idom()
	}
	return false
}

// meaningOfBranch is what it means that a condition came out as yes says.
func (a *attempt) meaningOfBranch(cond ssa.Value, yes bool) (m meaning, decided bool) {
	instr, ok := cond.(ssa.Instruction)
	if !ok {
		return unknown, false
	}
	if test, isTest := cond.(*ssa.BinOp); isTest {
		if isErrorValue(test.X) && isEmpty(test.Y) {
			if yes != (test.Op == token.NEQ) || !fromElsewhere(test.X) {
				return unknown, false
			}
			return ambiguous, true
		}
		m, known := compared(test)
		atLeast := test.Op == token.GEQ || test.Op == token.GTR || test.Op == token.EQL
		return m, known && yes == atLeast && m != unknown
	}
	if m, known := asked(instr); known && yes {
		return m, m != unknown
	}
	return unknown, false
}

// fromElsewhere reports whether an error is the result of a call of another package, or of a value whose type doesn't tell.
func fromElsewhere(v ssa.Value) bool {
	if extract, ok := v.(*ssa.Extract); ok {
		v = extract.Tuple
	}
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	if call.Call.IsInvoke() {
		return true
	}
	pkgPath, typ, _ := calleeParts(call.Common())
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Blocks == nil && typ != "" && pkgPath != ""
}

// ownMeaning is what a question about an error of the project means, by where that error is made.
func (a *attempt) ownMeaning(instr ssa.Instruction) meaning {
	call, ok := instr.(*ssa.Call)
	var names []string
	switch {
	case ok && callgraph.CalleeName(call.Common()) == "errors.Is" && len(call.Call.Args) == 2:
		names = errorNames(call.Call.Args[1])
	case ok && callgraph.CalleeName(call.Common()) == "errors.As" && len(call.Call.Args) == 2:
		names = []string{typename.Of(pointedTo(plain(call.Call.Args[1]).Type()))}
	case ok && callgraph.CalleeName(call.Common()) == "errors.AsType":
		names = []string{typename.Of(call.Call.Signature().Results().At(0).Type())}
	}
	if test, isTest := instr.(*ssa.BinOp); isTest {
		names = []string{globalName(test.X), globalName(test.Y)}
	}
	if assert, isAssert := instr.(*ssa.TypeAssert); isAssert {
		names = []string{typename.Of(assert.AssertedType)}
	}
	for _, name := range names {
		if a.raised()[name] {
			return ambiguous
		}
	}
	return unknown
}
