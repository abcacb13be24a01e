package value

import "strconv"

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Operation returns the term of op applied to args, computed as far as the operands are constants. Operators are those of
// Go, and min, max and len.
func Operation(op string, args ...Term) Term {
	for i, a := range args {
		if distributes(a) {
			return distribute(a, func(alt Term) Term {
				with := append([]Term(nil), args...)
				with[i] = alt
				return Operation(op, with...)
			})
		}
	}
	if t, ok := fold(op, args); ok {
		return t
	}
	return Term{Kind: Op, Name: op, Args: args}
}

// distributes reports whether an operation on t is done on its alternatives. Conditions are kept whole when they are open:
// a caller may decide them.
func distributes(t Term) bool { return t.Kind == Either }

func distribute(t Term, f func(Term) Term) Term {
	alts := make([]Term, len(t.Args))
	for i, a := range t.Args {
		alts[i] = f(a)
	}
	return OneOf(alts...)
}

func fold(op string, args []Term) (Term, bool) {
	if (op == "+" || op == "-") && args[0].Kind == Endless {
		return args[0], true
	}
	switch op {
	case "len":
		return foldLen(args[0])
	case "!":
		b, ok := args[0].IsBool()
		return Truth(!b), ok
	case "min", "max":
		return foldExtreme(op, args)
	}
	if len(args) != 2 {
		return Term{}, false
	}
	if t, ok := foldNil(op, args[0], args[1]); ok {
		return t, true
	}
	if x, okx := args[0].IsBool(); okx {
		if y, oky := args[1].IsBool(); oky && args[0].Kind != Zero {
			return foldBool(op, x, y)
		}
	}
	x, okx := args[0].IsInt()
	y, oky := args[1].IsInt()
	if okx && oky {
		return foldInt(op, x, y)
	}
	if args[0].Kind == String && args[1].Kind == String {
		return foldString(op, args[0].Name, args[1].Name)
	}
	return regroup(op, args[0], args[1])
}

// regroup turns (x + 1) + 1 into x + 2, so that symbols read well.
func regroup(op string, x, y Term) (Term, bool) {
	d, ok := y.IsInt()
	if !ok || op != "+" && op != "-" {
		return Term{}, false
	}
	if op == "-" {
		d = -d
	}
	if x.Kind == Op && (x.Name == "+" || x.Name == "-") && len(x.Args) == 2 {
		if e, isInt := x.Args[1].IsInt(); isInt {
			if x.Name == "-" {
				e = -e
			}
			return plus(x.Args[0], d+e), true
		}
	}
	return plus(x, d), true
}

func plus(x Term, d int64) Term {
	switch {
	case d == 0:
		return x
	case d < 0:
		return Term{Kind: Op, Name: "-", Args: []Term{x, Number(-d)}}
	}
	return Term{Kind: Op, Name: "+", Args: []Term{x, Number(d)}}
}

func foldLen(t Term) (Term, bool) {
	switch t.Kind {
	case List:
		if t.Any(func(p Term) bool { return p.Kind == Op && p.Name == "..." }) {
			return Term{}, false
		}
		return Number(int64(len(t.Args))), true
	case Nil, Zero:
		return Number(0), true
	case String:
		return Number(int64(len(t.Name))), true
	}
	return Term{}, false
}

func foldExtreme(op string, args []Term) (Term, bool) {
	best, ok := args[0].IsInt()
	for _, a := range args {
		n, isInt := a.IsInt()
		if !isInt || !ok {
			return Term{}, false
		}
		if op == "min" && n < best || op == "max" && n > best {
			best = n
		}
	}
	return Number(best), ok
}

func foldNil(op string, x, y Term) (Term, bool) {
	if op != "==" && op != "!=" {
		return Term{}, false
	}
	if x.Kind == Nil {
		x, y = y, x
	}
	if y.Kind != Nil {
		return Term{}, false
	}
	switch x.Kind {
	case Nil, Zero:
		return Truth(op == "=="), true
	case Record, Func, Setter, Int, Bool:
		return Truth(op == "!="), true
	}
	return Term{}, false
}

func foldBool(op string, x, y bool) (Term, bool) {
	switch op {
	case "==":
		return Truth(x == y), true
	case "!=":
		return Truth(x != y), true
	}
	return Term{}, false
}

func foldString(op, x, y string) (Term, bool) {
	switch op {
	case "+":
		return Term{Kind: String, Name: x + y}, true
	case "==":
		return Truth(x == y), true
	case "!=":
		return Truth(x != y), true
	}
	return Term{}, false
}

func foldInt(op string, x, y int64) (Term, bool) {
	switch op {
	case "+":
		return Number(x + y), true
	case "-":
		return Number(x - y), true
	case "*":
		return Number(x * y), true
	case "/":
		if y == 0 {
			return Term{}, false
		}
		return Number(x / y), true
	case "%":
		if y == 0 {
			return Term{}, false
		}
		return Number(x % y), true
	case "<<":
		if y < 0 || y > 62 {
			return Term{}, false
		}
		return Number(x << uint(y)), true
	case ">>":
		if y < 0 || y > 62 {
			return Term{}, false
		}
		return Number(x >> uint(y)), true
	}
	if b, ok := compareInts(op, x, y); ok {
		return Truth(b), true
	}
	return Term{}, false
}

func compareInts(op string, x, y int64) (result, ok bool) {
	switch op {
	case "==":
		return x == y, true
	case "!=":
		return x != y, true
	case "<":
		return x < y, true
	case "<=":
		return x <= y, true
	case ">":
		return x > y, true
	case ">=":
		return x >= y, true
	}
	return false, false
}

// OneOf returns the term of a value that is one of alts: equal alternatives are told once.
func OneOf(alts ...Term) Term {
	var distinct []Term
	for _, a := range alts {
		if a.Kind == Either {
			for _, b := range a.Args {
				distinct = addDistinct(distinct, b)
			}
			continue
		}
		distinct = addDistinct(distinct, a)
	}
	switch {
	case len(distinct) == 0:
		return Term{}
	case len(distinct) == 1:
		return distinct[0]
	case len(distinct) > maxList:
		return Named(distinct[0].Text())
	}
	return Term{Kind: Either, Args: distinct}
}

func addDistinct(list []Term, t Term) []Term {
	for _, u := range list {
		if Equal(t, u) {
			return list
		}
	}
	return append(list, t)
}

// Choose returns then or other as cond tells, or a conditional term if it doesn't yet.
func Choose(cond, then, other Term) Term {
	if b, ok := cond.IsBool(); ok {
		if b {
			return then
		}
		return other
	}
	if Equal(then, other) {
		return then
	}
	return Term{Kind: Cond, Args: []Term{cond, then, other}}
}

// Select returns the field called name of the struct base.
func Select(base Term, name string) Term { return SelectOr(base, name, Term{}) }

// SelectOr is like Select; if base doesn't tell, the field is fallback.
func SelectOr(base Term, name string, fallback Term) Term {
	switch base.Kind {
	case Record:
		return selectRecord(base, name)
	case Zero, Nil:
		return Term{Kind: Zero}
	case Either:
		return distribute(present(base), func(alt Term) Term { return SelectOr(alt, name, fallback) })
	case Cond:
		return Choose(base.Args[0], SelectOr(base.Args[1], name, fallback), SelectOr(base.Args[2], name, fallback))
	case Global:
		if len(base.Args) == 1 {
			return SelectOr(base.Args[0], name, fallback)
		}
	}
	t := Term{Kind: Field, Name: name, Args: []Term{base}}
	if fallback.Known() {
		t.Args = append(t.Args, fallback)
	}
	return t
}

// present leaves nil out of what a pointer may be whose fields are selected, as long as it may be something else.
func present(pointer Term) Term {
	var alts []Term
	for _, a := range pointer.Args {
		if a.Kind != Nil && a.Kind != Zero {
			alts = append(alts, a)
		}
	}
	if len(alts) == 0 {
		return pointer
	}
	c := pointer
	c.Args = alts
	return c
}

// selectRecord looks a field up: options come last, so they win; then what was set; then the value it was copied from.
func selectRecord(r Term, name string) Term {
	set, isSet := r.Get(name)
	if !isSet {
		if from, ok := r.Get(From); ok {
			set, isSet = Select(from, name), true
		}
	}
	if !isSet {
		set = Term{Kind: Zero}
		if !r.complete() {
			set = ofAny(r.Name, name)
		}
	}
	if opts, ok := r.Get(Applied); ok {
		return applied(opts, r.Name, name, set)
	}
	return set
}

// complete reports whether all fields that r doesn't name are zero: it was written as a literal.
func (t Term) complete() bool { return t.N == 1 }

// Complete marks the Record t as a literal: fields that it doesn't name are zero.
func (t Term) Complete() Term { t.N = 1; return t }

// applied returns what the field of a record is after opts, if it was set before: the last option that sets it wins. If an option
// is unknown, the field is a symbol with the value it would have without it.
func applied(opts Term, typ, field string, set Term) Term {
	switch opts.Kind {
	case Nil, Zero, Record:
		return set
	case Setter:
		if v, ok := opts.Get(field); ok {
			return v
		}
		return set
	case List:
		for _, o := range opts.Args {
			set = applied(o, typ, field, set)
		}
		return set
	case Cond:
		return Choose(opts.Args[0], applied(opts.Args[1], typ, field, set), applied(opts.Args[2], typ, field, set))
	case Either:
		return distribute(opts, func(alt Term) Term { return applied(alt, typ, field, set) })
	}
	return unknownOption(typ, field, set, opts)
}

// unknownOption keeps an option as an open term, as long as a caller may know it.
func unknownOption(typ, field string, set, option Term) Term {
	if option.Open() {
		return Term{Kind: Op, Name: "apply", Names: []string{typ, field}, Args: []Term{set, option}}
	}
	name := shortType(typ) + "." + field
	if set.Kind == Symbol && set.Name == name {
		return set // another option is unknown already
	}
	return Term{Kind: Symbol, Name: name, Args: []Term{set}}
}

func shortType(typ string) string {
	for i := len(typ) - 1; i >= 0; i-- {
		if typ[i] == '/' || typ[i] == '.' {
			return typ[i+1:]
		}
	}
	return typ
}
