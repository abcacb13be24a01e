package fault

import (
	"slices"
	"sort"
	"strings"
)

// A Test is a question that code asks about an error. Its form is a word and the part that is looked for.
type Test string

// Is asks as errors.Is does, for a package variable.
func Is(variable string) Test { return Test("is " + sentinel + variable) }

// Same asks for a package variable by ==.
func Same(variable string) Test { return Test("same " + sentinel + variable) }

// As asks for a type as errors.As does.
func As(name string) Test { return Test("as " + name) }

// Asserted asks for a type by an assertion.
func Asserted(name string) Test { return Test("assert " + name) }

// Else stands for what is done with an error of which no test is true.
const Else Test = "else"

// Example is an error of which t is true, and no test for something else.
func (t Test) Example() Error {
	if t == Else {
		return "new"
	}
	_, part, _ := strings.Cut(string(t), " ")
	return Error(part)
}

// Ask answers t for an error.
func (e Error) Ask(t Test) (yes, known bool) {
	word, wanted, _ := strings.Cut(string(t), " ")
	parts := e.parts()
	if word == "same" || word == "assert" {
		parts = parts[:1]
	}
	known = true
	for _, part := range parts {
		if strings.TrimSuffix(part, text) == wanted {
			return true, true
		}
		known = known && differs(part, wanted)
	}
	return false, known
}

// differs reports whether two parts that aren't written alike are different errors.
func differs(a, b string) bool {
	if a == unknown || strings.HasPrefix(a, result) {
		return false
	}
	if strings.HasSuffix(a, text) && !strings.HasPrefix(b, sentinel) {
		return true
	}
	a = strings.TrimSuffix(a, text)
	isA, isB := strings.HasPrefix(a, sentinel), strings.HasPrefix(b, sentinel)
	packageA, nameA := split(a)
	packageB, nameB := split(b)
	switch {
	case isA && isB:
		return packageA == packageB || nameA != nameB // one name in two packages: handed on
	case isA != isB:
		return packageA != packageB // a variable may hold a value of its package's type
	}
	return true
}

func split(part string) (pkgPath, name string) {
	part = strings.TrimLeft(part, sentinel+"*")
	if i := strings.LastIndexByte(part, '.'); i >= 0 {
		return part[:i], part[i+1:]
	}
	return "", part
}

// Ask answers t for all errors of a set alike.
func (s Set) Ask(t Test) (yes, known bool) {
	for i, e := range s.Errors() {
		y, k := e.Ask(t)
		if !k || i > 0 && y != yes {
			return false, false
		}
		yes = y
	}
	return yes, true
}

// A Case says what code answers if a test is true of an error, and no other: Yes, No, or nothing if that hangs on more.
type Case struct {
	Test   Test
	Answer Answer
}

// An Answer is three-valued.
type Answer int8

// The answers; the zero Answer is not known.
const (
	Unsure Answer = iota
	Yes
	No
)

// AnswerOf is the answer that is yes or no.
func AnswerOf(yes bool) Answer {
	if yes {
		return Yes
	}
	return No
}

// Cases are all that code asks about an error. They must be complete: an error is answered by Else if no test is true.
type Cases []Case

// MaxCases is how many tests code may ask; more of them aren't followed.
const MaxCases = 8

// Tests returns the tests without their answers, sorted, with Else; nil if there are none or too many.
func Tests(set map[Test]bool) []Test {
	if len(set) == 0 || len(set) > MaxCases {
		return nil
	}
	list := make([]Test, 0, len(set)+1)
	for t := range set {
		list = append(list, t)
	}
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	return append(list, Else)
}

// Decides reports whether the answers aren't all alike and known for something.
func (c Cases) Decides() bool {
	for _, one := range c {
		if one.Answer != Unsure {
			return true
		}
	}
	return false
}

// Answer is what the code answers for every error of s: not known unless it is known of each, and the same.
func (c Cases) Answer(s Set) Answer {
	if len(c) == 0 {
		return Unsure
	}
	common := Unsure
	for i, e := range s.Errors() {
		a := c.one(e)
		if a == Unsure || i > 0 && a != common {
			return Unsure
		}
		common = a
	}
	return common
}

// Beside returns what c answers about an error that is none of the variables, if it asks for some of them and nothing else.
func (c Cases) Beside(variables []string) (answer Answer, ok bool) {
	for _, one := range c {
		switch variable := one.Test.Example().Variable(); {
		case one.Test == Else:
			answer = one.Answer
		case slices.Contains(variables, variable):
			ok = true
		default:
			return Unsure, false
		}
	}
	return answer, ok
}

// one answers for an error: the tests that are true of it must agree.
func (c Cases) one(e Error) Answer {
	found, other := Unsure, Unsure
	for _, one := range c {
		if one.Test == Else {
			other = one.Answer
			continue
		}
		yes, known := e.Ask(one.Test)
		switch {
		case !known:
			return Unsure
		case !yes:
		case one.Answer == Unsure || found != Unsure && found != one.Answer:
			return Unsure
		default:
			found = one.Answer
		}
	}
	if found == Unsure {
		return other
	}
	return found
}

// String renders what is known: yes to is =db.ErrBusy, no to else.
func (c Cases) String() string {
	var parts []string
	for _, one := range c {
		switch one.Answer {
		case Yes:
			parts = append(parts, "yes to "+string(one.Test))
		case No:
			parts = append(parts, "no to "+string(one.Test))
		}
	}
	return strings.Join(parts, ", ")
}
