// Package value describes what a Go value is, as far as numbers of attempts depend on it: a constant, a parameter of the
// function under analysis, a field, a struct with some known fields, a function with the values it captured, an option.
//
// A description is a Term, a small tree in the vocabulary of one function: Param(0) is that function's first parameter
// (the receiver, for methods). At a call the caller's terms are substituted for the parameters, and the tree is simplified:
// Field(Param(0), "Max") becomes 5 once the argument is known to be a struct whose Max is 5. A term thus travels across
// packages, as part of a fact, without syntax, SSA or type objects.
//
// Terms are sound modulo two assumptions that the evaluator makes: a struct is not changed through an alias that the
// evaluator doesn't see, and the order of two writes to one field within a function is the order of the source.
package value

import "strings"

// Kind tells the forms of a Term apart.
type Kind uint8

// The kinds of terms. The comment names the parts that are used.
const (
	Unknown Kind = iota // Name: how the source calls it, may be empty
	Int                 // N
	Bool                // N: 0 or 1
	String              // Name
	Nil                 //
	Zero                // the zero value of a field that a literal leaves out
	Param               // N: index, receiver first; Name: its name
	Free                // N: index of the captured variable; Name: its name
	Field               // Args[0]: the struct; Name: the field; Args[1], optional: what it is if Args[0] stays unknown
	Global              // Name: pkgpath.Var; Args[0], optional: its value
	Record              // Name: pkgpath.Type; Names, Args: known fields. See From and Applied.
	Func                // Name: identity of the function; Args: captured variables
	List                // Args: the elements
	Either              // Args: alternatives
	Cond                // Args: condition, value if true, value if false
	Op                  // Name: operator; Args: operands
	Element             // Args[0]: an element of this list
	Result              // Args[0]: a function value that is called, or the value whose method Name is; Args[1:]: arguments; N: which result
	Setter              // an option: Names, Args: what it sets, on whatever has such settings
	Symbol              // Name: a setting whose value isn't known; Args[0], optional: its default
	Slot                // Name: a parameter, field, variable or container of the program, by its identity; Names[0]: what the source calls it
	Endless             // no end; Name says what ends it all the same: elapsed, or nothing
	Until               // how often a policy is asked until it stops. See Until.
)

// Names of parts of a Record that are no fields.
const (
	From    = "·from"    // another value of which this one is a copy with changes
	Applied = "·applied" // a list of options applied to it
	// InContext begins the names of the values that a context carries: the key follows.
	InContext = "value:"
)

// A Term describes one value. The zero Term is an unknown value.
type Term struct {
	Kind  Kind     `json:"k,omitempty"`
	N     int64    `json:"n,omitempty"`
	Name  string   `json:"s,omitempty"`
	Names []string `json:"p,omitempty"`
	Args  []Term   `json:"a,omitempty"`
}

// Limits keep terms, and so facts, small. What grows beyond becomes unknown.
const (
	maxSize = 400
	maxList = 64
)

// Number returns the term of an integer constant.
func Number(n int64) Term { return Term{Kind: Int, N: n} }

// Truth returns the term of a boolean constant.
func Truth(b bool) Term {
	if b {
		return Term{Kind: Bool, N: 1}
	}
	return Term{Kind: Bool}
}

// Named returns an unknown value that the source calls name.
func Named(name string) Term { return Term{Kind: Unknown, Name: name} }

// Known reports whether t says anything at all.
func (t Term) Known() bool { return t.Kind != Unknown }

// IsInt reports whether t is the integer n; a zero value counts as 0.
func (t Term) IsInt() (n int64, ok bool) {
	switch t.Kind {
	case Int:
		return t.N, true
	case Zero:
		return 0, true
	}
	return 0, false
}

// IsBool reports whether t is a boolean constant; a zero value counts as false.
func (t Term) IsBool() (b, ok bool) {
	switch t.Kind {
	case Bool:
		return t.N != 0, true
	case Zero:
		return false, true
	}
	return false, false
}

// Get returns the part of a Record or Setter called name.
func (t Term) Get(name string) (Term, bool) {
	for i, n := range t.Names {
		if n == name {
			return t.Args[i], true
		}
	}
	return Term{}, false
}

// With returns a copy of the Record or Setter t in which name is v.
func (t Term) With(name string, v Term) Term {
	c := t
	c.Names = append([]string(nil), t.Names...)
	c.Args = append([]Term(nil), t.Args...)
	for i, n := range c.Names {
		if n == name {
			c.Args[i] = v
			return c
		}
	}
	c.Names = append(c.Names, name)
	c.Args = append(c.Args, v)
	return c
}

// Size is the number of nodes of t.
func (t Term) Size() int {
	n := 1
	for _, a := range t.Args {
		n += a.Size()
	}
	return n
}

// Bounded returns t if it is small enough to carry along, else what Within leaves of it.
func (t Term) Bounded() Term { return t.Within(maxSize) }

// Within returns t if it has no more than size nodes, else what is left of it without its large parts: of a struct and of what a
// function has captured, their types stay, and a struct's field is what that field holds in any struct of the type. What can't be
// taken apart becomes an unknown value of the same name.
func (t Term) Within(size int) Term {
	if t.Size() <= size {
		return t
	}
	if t.Kind == Record || t.Kind == Func || t.Kind == Setter {
		c := t
		c.Args = make([]Term, len(t.Args))
		for i, a := range t.Args {
			if c.Args[i] = a; a.Size() > size/10 {
				c.Args[i] = t.withoutPart(i)
			}
		}
		if c.Size() <= size {
			return c
		}
	}
	return t.head()
}

// withoutPart is what stands for part i of t if that is too large.
func (t Term) withoutPart(i int) Term {
	part := t.Args[i]
	if t.Kind != Record || t.Name == "" || t.Names[i] == From || t.Names[i] == Applied {
		return part.head()
	}
	held := ofAny(t.Name, t.Names[i])
	if part.Kind == Record {
		return Term{Kind: Record, Name: part.Name, Names: []string{From}, Args: []Term{held}}
	}
	return held
}

// ofAny is a field of a struct of which no more than the type is known.
func ofAny(typ, field string) Term {
	return Term{Kind: Field, Name: field, Names: []string{typ}, Args: []Term{Named(shortType(typ))}}
}

// head is t without its parts.
func (t Term) head() Term {
	if t.Kind == Record {
		return Term{Kind: Record, Name: t.Name}
	}
	return Named(t.Text())
}

// Equal reports whether a and b are the same tree.
func Equal(a, b Term) bool {
	if a.Kind != b.Kind || a.N != b.N || a.Name != b.Name || len(a.Args) != len(b.Args) || len(a.Names) != len(b.Names) {
		return false
	}
	for i := range a.Names {
		if a.Names[i] != b.Names[i] {
			return false
		}
	}
	for i := range a.Args {
		if !Equal(a.Args[i], b.Args[i]) {
			return false
		}
	}
	return true
}

// Any reports whether t or a part of it satisfies f.
func (t Term) Any(f func(Term) bool) bool {
	if f(t) {
		return true
	}
	for _, a := range t.Args {
		if a.Any(f) {
			return true
		}
	}
	return false
}

// Open reports whether t depends on parameters or captured variables, so that a caller may know more.
func (t Term) Open() bool {
	return t.Any(func(p Term) bool { return p.Kind == Param || p.Kind == Free })
}

// Text renders t as a reader of the source would write it: cfg.Max + 1.
func (t Term) Text() string {
	switch t.Kind {
	case Int:
		return itoa(t.N)
	case Bool:
		if t.N != 0 {
			return "true"
		}
		return "false"
	case String:
		return t.Name
	case Zero:
		return "0"
	case Nil:
		return "nil"
	case Field:
		if strings.HasPrefix(t.Name, InContext) {
			return "" // the source has no name for it
		}
		return dotted(t.Args[0].Text(), t.Name)
	case Global:
		return t.Name[strings.LastIndex(t.Name, "/")+1:]
	case Op:
		return t.opText()
	case Cond:
		return longest(t.Args[1].Text(), t.Args[2].Text())
	case Either:
		return t.Args[0].Text()
	case Element:
		return t.Args[0].Text()
	case Result:
		if t.Name != "" {
			return callText(dotted(t.Args[0].Text(), t.Name))
		}
		return t.Args[0].CallText()
	case Slot:
		return t.Names[0]
	case Until:
		return t.Args[0].Text()
	case Endless:
		return ""
	case Record, Func, List, Setter:
		return ""
	}
	return t.Name
}

func (t Term) opText() string {
	if len(t.Args) == 2 && !isWord(t.Name) {
		return t.operand(0) + " " + t.Name + " " + t.operand(1)
	}
	parts := make([]string, len(t.Args))
	for i, a := range t.Args {
		parts[i] = a.Text()
	}
	return t.Name + "(" + strings.Join(parts, ", ") + ")"
}

// operand renders an operand: sums in parentheses where they are no operand of another sum.
func (t Term) operand(i int) string {
	a := t.Args[i]
	inner := a.Kind == Op && len(a.Args) == 2 && !isWord(a.Name)
	if inner && (t.Name != "+" && t.Name != "-" || i == 1) {
		return "(" + a.Text() + ")"
	}
	return a.Text()
}

func isWord(op string) bool { return op[0] >= 'a' && op[0] <= 'z' }

func dotted(base, field string) string {
	if base == "" {
		return field
	}
	return base + "." + field
}

// CallText renders a call of t. A field that nothing sets has no name that a reader would know.
func (t Term) CallText() string {
	if t.Kind == Zero || t.Kind == Nil {
		return ""
	}
	return callText(t.Text())
}

func callText(callee string) string {
	if callee == "" {
		return ""
	}
	return callee + "()"
}

func longest(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}
