package retryreplay

import (
	"go/constant"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
)

// transactions reports statements that are repeated in a transaction that the failure of the first one has ended.
func (a *attempt) transactions() {
	for _, s := range a.steps {
		call, ok := s.Instr.(*ssa.Call)
		if !ok || len(s.Calls) == 0 && a.place.Site != nil && !a.place.Site.Repeated[call] {
			continue
		}
		name, receiver := method(&call.Call)
		if receiver == nil || name == "Rollback" || !fails(call) {
			continue
		}
		if tx := a.source(s, receiver); tx.outside && (isTransaction(receiver) || madeWith(tx.root)) && !a.savepoints(tx) {
			a.report("state", a.token(s), "the statement is repeated in a transaction that its failure has ended: begin another one for each attempt")
		}
	}
}

func isTransaction(v ssa.Value) bool { return catalog.Transaction(typename.Of(v.Type())) }

// madeWith reports whether a value was made from a transaction, as generated queries are: what it does, it does there.
func madeWith(root ssa.Value) bool {
	call, ok := root.(*ssa.Call)
	return ok && slices.ContainsFunc(call.Call.Args, isTransaction) && call.Call.Signature().Results().Len() == 1
}

func fails(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	return results.Len() > 0 && typename.IsError(results.At(results.Len()-1).Type())
}

// savepoints reports whether the attempt goes back to a savepoint, or begins a transaction within.
func (a *attempt) savepoints(tx source) bool {
	for _, s := range a.steps {
		call, ok := s.Instr.(ssa.CallInstruction)
		if !ok {
			continue
		}
		name, receiver := method(call.Common())
		if receiver == nil || !isTransaction(receiver) {
			continue
		}
		if name == "Begin" || name == "BeginTx" || name == "Rollback" || strings.Contains(name, "Savepoint") || namesSavepoint(call.Common()) {
			return true
		}
	}
	return false
}

// namesSavepoint reports whether a statement is one about savepoints.
func namesSavepoint(call *ssa.CallCommon) bool {
	for _, arg := range call.Args {
		c, ok := arg.(*ssa.Const)
		if ok && c.Value != nil && c.Value.Kind() == constant.String && strings.Contains(strings.ToUpper(constant.StringVal(c.Value)), "SAVEPOINT") {
			return true
		}
	}
	return false
}
