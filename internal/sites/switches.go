package sites

import (
	"slices"

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

// of notes that a walk has met t, and returns what is supposed of it.
func (s *switches) of(t value.Term) fact {
	if s == nil || !isGiven(t) {
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
