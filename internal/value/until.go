package value

// A policy object says by its answer when attempts end: a delay below zero, or false. How often it is asked until then is a
// number that belongs to the policy value: a term of the kind Until, which becomes known together with that value.

// AskedUntil returns how often method of policy is asked until its answer is stop. Where method is empty, policy is a function.
// starts are the arguments of the first call; those that moves names grow by one from call to call.
func AskedUntil(policy Term, method, stop string, starts []Term, moves []bool) Term {
	t := Term{Kind: Until, Name: method, Names: []string{stop}, Args: []Term{policy}}
	for i, s := range starts {
		t.Args = append(t.Args, s)
		t.Names = append(t.Names, step(moves[i]))
	}
	return t
}

func step(moves bool) string {
	if moves {
		return "+1"
	}
	return ""
}

// Stop is the answer that ends the attempts of an Until.
func (t Term) Stop() string { return t.Names[0] }

// Moves reports whether argument i of an Until grows by one from call to call.
func (t Term) Moves(i int) bool { return t.Names[i+1] == "+1" }

// WithStop returns the Until t for another answer.
func (t Term) WithStop(stop string) Term {
	c := t
	c.Names = append([]string{stop}, t.Names[1:]...)
	return c
}

// Unending returns the number of attempts of what has no end of its own; by says what ends it all the same.
func Unending(by string) Term { return Term{Kind: Endless, Name: by} }

// Replace returns t with each part that equals old replaced by with, simplified.
func Replace(t, old, with Term) Term {
	if Equal(t, old) {
		return with
	}
	if len(t.Args) == 0 {
		return t
	}
	args := make([]Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = Replace(a, old, with)
	}
	return Frame{}.Rebuild(t, args)
}
