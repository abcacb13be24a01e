package value

// A Frame says what the parameters and captured variables of a function are, in the terms of somebody who calls it.
type Frame struct {
	Params []Term
	Free   []Term
	// Call, if not nil, tells the result of calling a function value, or a method of a value; it is asked once the value is
	// known.
	Call func(callee Term, method string, args []Term, result int64) (Term, bool)
	// Ask, if not nil, tells how often a policy is asked, once the policy is known.
	Ask func(until Term) (Term, bool)
}

// Substitute returns t in the terms of the caller that f describes.
func (f Frame) Substitute(t Term) Term { return f.substitute(t).Bounded() }

func (f Frame) substitute(t Term) Term {
	switch t.Kind {
	case Param:
		return at(f.Params, t)
	case Free:
		return at(f.Free, t)
	}
	return f.Map(t, f.substitute)
}

// Map returns t made of what change makes of its parts.
func (f Frame) Map(t Term, change func(Term) Term) Term {
	if len(t.Args) == 0 {
		return t
	}
	args := make([]Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = change(a)
	}
	return f.Rebuild(t, args)
}

func at(list []Term, t Term) Term {
	if t.N < int64(len(list)) {
		return list[t.N]
	}
	return Named(t.Name)
}

// Rebuild makes a term of t's form from new parts, simplified.
func (f Frame) Rebuild(t Term, args []Term) Term {
	switch t.Kind {
	case Field:
		fallback := Term{}
		if len(args) > 1 {
			fallback = args[1]
		}
		return ownedBy(SelectOr(args[0], t.Name, fallback), t)
	case Op:
		if t.Name == "apply" {
			return applied(args[1], t.Names[0], t.Names[1], args[0])
		}
		return Operation(t.Name, args...)
	case Cond:
		return Choose(args[0], args[1], args[2])
	case Either:
		return OneOf(args...)
	case Element:
		return ElementOf(args[0])
	case Result:
		if f.Call != nil {
			if r, ok := f.Call(args[0], t.Name, args[1:], t.N); ok {
				return r
			}
		}
	}
	c := t
	c.Args = args
	if t.Kind == Until && f.Ask != nil {
		if r, ok := f.Ask(c); ok {
			return r
		}
	}
	return c
}

// ownedBy tells the type that the field f belongs to, in each alternative that is still that field.
func ownedBy(t, f Term) Term {
	switch t.Kind {
	case Field:
		if t.Names == nil && t.Name == f.Name {
			t.Names = f.Names
		}
	case Either, Cond:
		args := make([]Term, len(t.Args))
		for i, a := range t.Args {
			args[i] = ownedBy(a, f)
		}
		t.Args = args
	}
	return t
}

// ElementOf returns some element of list.
func ElementOf(list Term) Term {
	if list.Kind == List && len(list.Args) > 0 {
		return OneOf(list.Args...)
	}
	return Term{Kind: Element, Args: []Term{list}}
}
