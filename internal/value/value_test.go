package value

import (
	"testing"
)

func param(n int64, name string) Term { return Term{Kind: Param, N: n, Name: name} }

func literal(typ string, fields ...any) Term {
	t := Term{Kind: Record, Name: typ}.Complete()
	for i := 0; i < len(fields); i += 2 {
		t = t.With(fields[i].(string), fields[i+1].(Term))
	}
	return t
}

func set(field string, v Term) Term { return Term{Kind: Setter}.With(field, v) }

func list(elems ...Term) Term { return Term{Kind: List, Args: elems} }

func expect(t *testing.T, name string, got, want Term) {
	t.Helper()
	if !Equal(got, want) {
		t.Errorf("%s: %+v, want %+v", name, got, want)
	}
}

func TestOperation(t *testing.T) {
	n, zero, x := Number, Term{Kind: Zero}, param(0, "x")
	tests := []struct {
		op   string
		args []Term
		want Term
	}{
		{"+", []Term{n(2), n(3)}, n(5)},
		{"-", []Term{n(2), n(3)}, n(-1)},
		{"*", []Term{n(2), n(3)}, n(6)},
		{"/", []Term{n(7), n(2)}, n(3)},
		{"%", []Term{n(7), n(2)}, n(1)},
		{"<<", []Term{n(1), n(4)}, n(16)},
		{">>", []Term{n(16), n(2)}, n(4)},
		{"<", []Term{n(1), n(2)}, Truth(true)},
		{">=", []Term{n(1), n(2)}, Truth(false)},
		{"==", []Term{zero, n(0)}, Truth(true)},
		{"!=", []Term{Truth(true), Truth(false)}, Truth(true)},
		{"min", []Term{n(3), n(1), n(2)}, n(1)},
		{"max", []Term{n(3), n(1), zero}, n(3)},
		{"!", []Term{Truth(true)}, Truth(false)},
		{"!", []Term{zero}, Truth(true)},
		{"len", []Term{list(n(1), n(2))}, n(2)},
		{"len", []Term{{Kind: Nil}}, n(0)},
		{"==", []Term{{Kind: Nil}, literal("a.B")}, Truth(false)},
		{"!=", []Term{literal("a.B"), {Kind: Nil}}, Truth(true)},
		{"+", []Term{x, zero}, x},
		{"+", []Term{Operation("+", x, n(1)), n(1)}, Operation("+", x, n(2))},
		{"-", []Term{Operation("+", x, n(1)), n(1)}, x},
		{"-", []Term{Operation("-", x, n(1)), n(1)}, Operation("-", x, n(2))},
		{"*", []Term{OneOf(n(2), n(3)), n(2)}, OneOf(n(4), n(6))},
		{"*", []Term{OneOf(n(2), n(-2)), OneOf(n(2), n(-2))}, OneOf(n(4), n(-4))},
	}
	for _, test := range tests {
		got := Operation(test.op, test.args...)
		if !Equal(got, test.want) {
			t.Errorf("%v %s: %+v, want %+v", test.args, test.op, got, test.want)
		}
	}
}

// TestOperationLeavesOpen lists what has no answer: it must not be folded, and must not panic.
func TestOperationLeavesOpen(t *testing.T) {
	x := param(0, "x")
	for _, test := range []struct {
		op   string
		args []Term
	}{
		{"/", []Term{Number(1), Number(0)}},
		{"%", []Term{Number(1), {Kind: Zero}}},
		{"<<", []Term{Number(1), Number(64)}},
		{"<<", []Term{Number(1), Number(-1)}},
		{"+", []Term{x, x}},
		{"min", []Term{x, Number(3)}},
		{"max", []Term{Number(3), x}},
		{"len", []Term{x}},
		{"!", []Term{x}},
		{"==", []Term{x, {Kind: Nil}}},
	} {
		if got := Operation(test.op, test.args...); got.Kind != Op || got.Name != test.op {
			t.Errorf("%s %v: %+v", test.op, test.args, got)
		}
	}
}

func TestSelect(t *testing.T) {
	cfg := literal("shop.Config", "Max", Number(5))
	x := param(0, "cfg")
	expect(t, "a field of a literal", Select(cfg, "Max"), Number(5))
	expect(t, "a field that the literal leaves out", Select(cfg, "Wait"), Term{Kind: Zero})
	expect(t, "a field of a zero value", Select(Term{Kind: Zero}, "Max"), Term{Kind: Zero})
	expect(t, "a field of one of two", Select(OneOf(cfg, cfg.With("Max", Number(7))), "Max"), OneOf(Number(5), Number(7)))
	expect(t, "a field of a conditional", Select(Choose(x, cfg, cfg.With("Max", Number(7))), "Max"), Choose(x, Number(5), Number(7)))
	expect(t, "a field of a variable", Select(Term{Kind: Global, Name: "shop.Default", Args: []Term{cfg}}, "Max"), Number(5))
	expect(t, "a field of a parameter", Select(x, "Max"), Term{Kind: Field, Name: "Max", Args: []Term{x}})
	changed := Term{Kind: Record, Name: "shop.Config"}.With(From, cfg).With("Wait", Number(1))
	expect(t, "a copy with changes: what is changed", Select(changed, "Wait"), Number(1))
	expect(t, "a copy with changes: the rest", Select(changed, "Max"), Number(5))
	partial := Term{Kind: Record, Name: "shop.Config"}.With("Max", Number(5))
	if got := Select(partial, "Wait"); got.Text() != "Config.Wait" {
		t.Errorf("a struct that is known in part: %+v, %q", got, got.Text())
	}
}

func TestOptionsApplied(t *testing.T) {
	base := literal("shop.Config", "Max", Number(3))
	with := func(opts Term) Term { return Select(base.With(Applied, opts), "Max") }
	three, four, wait := set("Max", Number(3)), set("Max", Number(4)), set("Wait", Number(1))
	expect(t, "none", with(Term{Kind: Nil}), Number(3))
	expect(t, "an empty list", with(list()), Number(3))
	expect(t, "one", with(list(four)), Number(4))
	expect(t, "the last one wins", with(list(four, three)), Number(3))
	expect(t, "one about something else", with(list(four, wait)), Number(4))
	expect(t, "a list in a list", with(list(list(four), wait)), Number(4))
	expect(t, "a later list without it", with(list(four, list(wait))), Number(4))
	expect(t, "nil among them", with(list(Term{Kind: Nil}, four)), Number(4))
	got := with(list(four, Named("o")))
	expect(t, "an unknown one after it", got, Term{Kind: Symbol, Name: "Config.Max", Args: []Term{Number(4)}})
	open := with(list(param(0, "opt")))
	if !open.Open() {
		t.Errorf("options of the caller: %+v isn't open", open)
	}
	expect(t, "a parameter with the list, known at the call", Frame{Params: []Term{list(wait, four)}}.Substitute(with(param(0, "opts"))), Number(4))
	expect(t, "a parameter with the list, nil at the call", Frame{Params: []Term{{Kind: Nil}}}.Substitute(with(param(0, "opts"))), Number(3))
}

func TestSubstitute(t *testing.T) {
	cfg, x := param(0, "cfg"), param(1, "x")
	limit := Operation("+", Select(cfg, "Max"), Number(1))
	f := Frame{Params: []Term{literal("shop.Config", "Max", Number(5)), Number(2)}}
	expect(t, "a field and a sum", f.Substitute(limit), Number(6))
	expect(t, "a condition", f.Substitute(Choose(Operation("==", x, Number(2)), Number(7), Number(8))), Number(7))
	expect(t, "a default", f.Substitute(Choose(Operation("==", Select(cfg, "Wait"), Number(0)), Number(9), Select(cfg, "Wait"))), Number(9))
	expect(t, "alternatives that become one", f.Substitute(OneOf(x, Number(2))), Number(2))
	expect(t, "an element", f.Substitute(ElementOf(list(x, Number(3)))), OneOf(Number(2), Number(3)))
	expect(t, "a captured variable", Frame{Free: []Term{Number(4)}}.Substitute(Term{Kind: Free, Name: "n"}), Number(4))
	expect(t, "no such argument", f.Substitute(param(5, "z")), Named("z"))
	outer := Frame{Params: []Term{param(3, "settings"), Number(1)}}
	expect(t, "in two steps", Frame{Params: []Term{{}, {}, {}, literal("shop.Config", "Max", Number(5))}}.Substitute(outer.Substitute(limit)), Number(6))
}

func TestSubstituteCalls(t *testing.T) {
	called := Term{Kind: Result, Args: []Term{param(0, "newLimit"), Number(3)}}
	f := Frame{Params: []Term{{Kind: Func, Name: "shop.Limit"}}, Call: func(callee Term, _ string, args []Term, n int64) (Term, bool) {
		if callee.Name != "shop.Limit" || n != 0 {
			return Term{}, false
		}
		return Operation("*", args[0], Number(2)), true
	}}
	expect(t, "a function that is known", f.Substitute(called), Number(6))
	f.Params[0].Name = "shop.Other"
	if got := f.Substitute(called); got.Kind != Result {
		t.Errorf("a function that isn't: %+v", got)
	}
}

func TestOneOf(t *testing.T) {
	expect(t, "nothing", OneOf(), Term{})
	expect(t, "one", OneOf(Number(1)), Number(1))
	expect(t, "equal ones", OneOf(Number(1), Number(1)), Number(1))
	expect(t, "nested ones", OneOf(OneOf(Number(1), Number(2)), Number(2)), OneOf(Number(1), Number(2)))
	var many []Term
	for i := range int64(100) {
		many = append(many, Number(i))
	}
	if got := OneOf(many...); got.Known() {
		t.Errorf("too many are unknown: %+v", got)
	}
}

func TestChoose(t *testing.T) {
	x := param(0, "x")
	expect(t, "true", Choose(Truth(true), Number(1), Number(2)), Number(1))
	expect(t, "a zero value", Choose(Term{Kind: Zero}, Number(1), Number(2)), Number(2))
	expect(t, "equal sides", Choose(x, Number(1), Number(1)), Number(1))
	if got := Choose(x, Number(1), Number(2)); got.Kind != Cond {
		t.Errorf("open: %+v", got)
	}
}

func TestBounded(t *testing.T) {
	big := param(0, "x")
	for range 500 {
		big = Term{Kind: Op, Name: "+", Args: []Term{big, Named("y")}}
	}
	if got := big.Bounded(); got.Known() {
		t.Errorf("a large term stays: %d nodes", got.Size())
	}
	if got := (Frame{Params: []Term{Number(1)}}).Substitute(big); got.Known() {
		t.Errorf("a large term stays: %d nodes", got.Size())
	}
}

// TestLargeValuesKeepTheirTypes asks for what is left of a method of a large struct: which method of which type it is.
func TestLargeValuesKeepTheirTypes(t *testing.T) {
	many := Term{Kind: List}
	for n := range int64(500) {
		many.Args = append(many.Args, Number(n))
	}
	service := Term{Kind: Record, Name: "shop.Service"}.With("tries", Number(3)).With("names", many)
	sign := Term{Kind: Func, Name: "(*shop.Service).sign", Names: []string{"bound"}, Args: []Term{service}}
	got := sign.Bounded()
	if got.Kind != Func || got.Name != sign.Name || got.Args[0].Name != "shop.Service" {
		t.Errorf("%+v", got)
	}
	if n, ok := Select(service.Bounded(), "tries").IsInt(); n != 3 || !ok {
		t.Error("a small field of a large struct is lost")
	}
	expect(t, "a large field", Select(service.Bounded(), "names"), ofAny("shop.Service", "names"))
	inner := Term{Kind: Record, Name: "shop.Store"}.With("tries", Number(4)).With("names", many)
	kept := Select(service.With("store", inner).Bounded(), "store")
	if kept.Kind != Record || kept.Name != "shop.Store" {
		t.Errorf("a large struct in a field has lost its type: %+v", kept)
	}
	from, _ := kept.Get(From)
	expect(t, "what a large struct in a field is made of", from, ofAny("shop.Service", "store"))
}

func TestWithDoesNotShare(t *testing.T) {
	a := literal("shop.Config", "Max", Number(1))
	b := a.With("Max", Number(2))
	expect(t, "the original", Select(a, "Max"), Number(1))
	expect(t, "the copy", Select(b, "Max"), Number(2))
	c, d := a.With("Wait", Number(3)), a.With("Wait", Number(4))
	expect(t, "the first of two copies", Select(c, "Wait"), Number(3))
	expect(t, "the second", Select(d, "Wait"), Number(4))
}

func TestText(t *testing.T) {
	cfg := param(0, "cfg")
	tests := map[string]Term{
		"cfg.Max + 1":     Operation("+", Select(cfg, "Max"), Number(1)),
		"min(cfg.Max, 3)": Operation("min", Select(cfg, "Max"), Number(3)),
		"shop.Default":    {Kind: Global, Name: "example.test/a/shop.Default"},
		"limit()":         {Kind: Result, Args: []Term{param(0, "limit")}},
		"cfg.Retry.Max":   Select(Select(cfg, "Retry"), "Max"),
		"nil":             {Kind: Nil},
		"true":            Truth(true),
		"0":               {Kind: Zero},
		"":                literal("shop.Config"),
		"len(cfg.Delays)": Operation("len", Select(cfg, "Delays")),
		"Config.Max":      {Kind: Symbol, Name: "Config.Max", Args: []Term{Number(3)}},
		"cfg.Max":         Choose(cfg, Number(5), Select(cfg, "Max")),
	}
	for want, term := range tests {
		if got := term.Text(); got != want {
			t.Errorf("%+v: %q, want %q", term, got, want)
		}
	}
}

func TestCallText(t *testing.T) {
	if got := (Term{Kind: Zero}).CallText(); got != "" {
		t.Errorf("a function that nothing sets is called %q", got)
	}
	if got := Named("cfg.Attempts").CallText(); got != "cfg.Attempts()" {
		t.Errorf("%q", got)
	}
}
