package budget

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// A budget may answer with a struct that tells, beside whether something may happen, why: Decision{Allowed: false, Reason: "spent"}.

// answered returns the call whose answer v is a field of, and which one; nil if v is none.
func answered(v ssa.Value) (call *ssa.Call, r Refusal) {
	var answer ssa.Value
	switch v := v.(type) {
	case *ssa.Field:
		answer, r.Field = v.X, v.Field+1
	case *ssa.UnOp:
		fa, ok := v.X.(*ssa.FieldAddr)
		if !ok || v.Op != token.MUL {
			return nil, r
		}
		answer, r.Field = heldIn(fa.X), fa.Field+1
	}
	call, r.Result = resultOf(answer)
	return call, r
}

// heldIn is the only value that is put into a variable, nil if there is none or more than one.
func heldIn(variable ssa.Value) ssa.Value {
	alloc, ok := variable.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var held ssa.Value
	for _, ref := range *alloc.Referrers() {
		store, isStore := ref.(*ssa.Store)
		if !isStore || store.Addr != variable {
			continue
		}
		if held != nil {
			return nil
		}
		held = store.Val
	}
	return held
}

// fieldOf is what a field of a struct is that is returned, if the struct is written as a literal: false where it is left out. It is
// nil if that isn't known.
func fieldOf(v ssa.Value, field int) ssa.Value {
	if c, ok := v.(*ssa.Const); ok && c.Value == nil {
		return no
	}
	load, ok := v.(*ssa.UnOp)
	if !ok || load.Op != token.MUL {
		return nil
	}
	alloc, ok := load.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var set ssa.Value = no
	for _, ref := range *alloc.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			return nil // a struct that comes from elsewhere
		case *ssa.FieldAddr:
			if ref.Field != field {
				continue
			}
			store := onlyStore(ref)
			if store == nil || set != ssa.Value(no) || store.Block() != load.Block() {
				return nil
			}
			set = store.Val
		}
	}
	return set
}

var no = ssa.NewConst(constant.MakeBool(false), types.Typ[types.Bool])

// onlyStore is the assignment to a field, nil if its address is used for anything else.
func onlyStore(at *ssa.FieldAddr) *ssa.Store {
	if refs := *at.Referrers(); len(refs) == 1 {
		if store, ok := refs[0].(*ssa.Store); ok && store.Addr == ssa.Value(at) {
			return store
		}
	}
	return nil
}

// booleans lists the fields of a struct that are booleans, counted from 1.
func booleans(t types.Type) []int {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var list []int
	for i := range st.NumFields() {
		if isBool(st.Field(i).Type()) {
			list = append(list, i+1)
		}
	}
	return list
}
