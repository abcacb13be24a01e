package sites

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/value"
)

// switches are the booleans that a walk meets and a caller gives: parameters, and fields of them. Each may switch the
// repetitions off: with if err == nil || !again { return err }, there is one attempt unless again. In a walk, at most one of
// them has a value; the others are unknown, so that both ways are taken.
type switches struct {
	met []value.Term
	set *value.Term // the one that has a value
	on  bool        // its value
}

// of notes that a walk has met v, which is t, and returns what is supposed of it.
func (s *switches) of(v ssa.Value, t value.Term) fact {
	if s == nil || !isGiven(t) || setByLiteral(v) {
		return fact{}
	}
	if s.set != nil && value.Equal(*s.set, t) {
		return truth(s.on)
	}
	if !slices.ContainsFunc(s.met, func(m value.Term) bool { return value.Equal(m, t) }) {
		s.met = append(s.met, t)
	}
	return fact{}
}

// isGiven reports whether t is a parameter, or a field that is reached from one.
func isGiven(t value.Term) bool {
	for t.Kind == value.Field {
		t = t.Args[0]
	}
	return t.Kind == value.Param
}

// setByLiteral reports whether v is read from a variable, or a field of one, that a function literal captures and sets. A
// parameter that is captured is put in such a variable first.
func setByLiteral(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter:
		return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
			s, isStore := ref.(*ssa.Store)
			return isStore && s.Val == v && setByLiteral(s.Addr)
		})
	case *ssa.UnOp:
		return setByLiteral(v.X)
	case *ssa.FieldAddr:
		return setByLiteral(v.X)
	case *ssa.Alloc:
		return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool { return capturesAndSets(ref, v) })
	}
	return false
}

func capturesAndSets(ref ssa.Instruction, variable ssa.Value) bool {
	closure, ok := ref.(*ssa.MakeClosure)
	if !ok {
		return false
	}
	captured := closure.Fn.(*ssa.Function).FreeVars[slices.Index(closure.Bindings, variable)]
	return slices.ContainsFunc(*captured.Referrers(), func(use ssa.Instruction) bool { return sets(use, captured) })
}

// sets reports whether an instruction assigns to the variable at addr or to a field of it, or makes a literal that does.
func sets(use ssa.Instruction, addr ssa.Value) bool {
	switch use := use.(type) {
	case *ssa.Store:
		return use.Addr == addr
	case *ssa.FieldAddr:
		return slices.ContainsFunc(*use.Referrers(), func(ref ssa.Instruction) bool { return sets(ref, use) })
	}
	return capturesAndSets(use, addr)
}

// unlessOff adds to t what happens where a boolean switches the repetitions off: there is one attempt. What the boolean is
// otherwise makes no difference to t, which is the largest number.
func (c *counter) unlessOff(t value.Term) value.Term {
	if c.switches == nil {
		return t
	}
	for _, s := range slices.Clone(c.switches.met) {
		switch {
		case c.onceIf(s, false):
			t = value.Choose(s, t, value.Number(1))
		case c.onceIf(s, true):
			t = value.Choose(value.Operation("!", s), t, value.Number(1))
		}
	}
	return t
}

// onceIf reports whether there is one attempt if the boolean s is on, whatever the unknown integers are.
func (c *counter) onceIf(s value.Term, on bool) bool {
	c.switches.set, c.switches.on = &s, on
	defer func() { c.switches.set = nil }()
	base := c.run()
	if base != 1 {
		return false
	}
	t, ok := c.interpolate(base)
	n, isNumber := t.IsInt()
	return ok && isNumber && n == 1
}
