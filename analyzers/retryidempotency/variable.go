package retryidempotency

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
)

// A variable is a place in memory that outlives a run of some code: a captured variable, a field of one, a package variable.
type variable struct {
	root ssa.Value // the variable itself, where it is declared
	path string    // from there to the place, one part for each step
	name string    // as the source writes it
}

// under reports whether v is w, or a part of it.
func (v variable) under(w variable) bool {
	return v.root == w.root && len(v.path) >= len(w.path) && v.path[:len(w.path)] == w.path
}

// A scope is code that is executed as a whole: a function with the literals in it, and what it calls.
type scope struct{ function *ssa.Function }

// holds reports whether fn is the function, or a literal in it.
func (s scope) holds(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == s.function {
			return true
		}
	}
	return false
}

// outer finds the variable outside of the scope that addr points to, or that it is loaded from.
func (s scope) outer(addr ssa.Value, step callgraph.Step) (variable, bool) {
	for range 20 {
		given, left := step.Given(addr)
		addr, step.Calls = given, step.Calls[:left]
		switch v := addr.(type) {
		case *ssa.FieldAddr:
			base, ok := s.outer(v.X, step)
			field := fieldName(v.X.Type(), v.Field)
			base.path, base.name = base.path+fmt.Sprintf(".%d", v.Field), dotted(base.name, field)
			return base, ok
		case *ssa.UnOp:
			if v.Op != token.MUL {
				return variable{}, false
			}
			base, ok := s.outer(v.X, step)
			if _, isCell := base.root.(*ssa.Alloc); !isCell || base.path != "" {
				base.path += "*"
			}
			return base, ok
		case *ssa.FreeVar:
			if addr = captured(v); addr == nil {
				return variable{}, false
			}
		case *ssa.Alloc:
			return variable{root: v, name: v.Comment}, len(step.Calls) == 0 && !s.holds(v.Parent())
		case *ssa.Parameter:
			return variable{root: v, name: v.Name()}, len(step.Calls) == 0 && !s.holds(v.Parent())
		case *ssa.Global:
			return variable{root: v, name: v.Name()}, true
		case *ssa.ChangeType:
			addr = v.X
		default:
			return variable{}, false
		}
	}
	return variable{}, false
}

func dotted(base, field string) string {
	if base == "" {
		return field
	}
	return base + "." + field
}

func fieldName(t types.Type, i int) string {
	if f := fieldOf(t, i); f != nil {
		return f.Name()
	}
	return ""
}

// fieldOf returns a field of the struct that t is or points to.
func fieldOf(t types.Type, i int) *types.Var {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return st.Field(i)
}

// captured returns what a variable of a literal is in the function around it, nil if the literal is made in several places.
func captured(v *ssa.FreeVar) ssa.Value {
	made := closureOf(v.Parent())
	if made == nil {
		return nil
	}
	for i, free := range v.Parent().FreeVars {
		if free == v {
			return made.Bindings[i]
		}
	}
	return nil
}

// closureOf returns the instruction that makes a literal which captures something.
func closureOf(fn *ssa.Function) *ssa.MakeClosure {
	if fn.Parent() == nil {
		return nil
	}
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if mc, ok := instr.(*ssa.MakeClosure); ok && mc.Fn == fn {
				return mc
			}
		}
	}
	return nil
}

// placeOf is where a reader sees what an instruction does.
func placeOf(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	var buffer [8]*ssa.Value
	for _, op := range instr.Operands(buffer[:0]) {
		if *op != nil && (*op).Pos().IsValid() {
			if _, isInstr := (*op).(ssa.Instruction); isInstr {
				return (*op).Pos()
			}
		}
	}
	return token.NoPos
}
