package retryidempotency

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/typename"
)

// A meaning is what it means for a write that it is repeated after a failure.
type meaning int

const (
	unknown   meaning = iota // something of the code's own
	undone                   // the failure proves that nothing was done
	done                     // the other side has it already
	permanent                // it won't get better: what isn't repeated
	ambiguous                // it may have been done
)

// ambiguous reports whether the site repeats a call after failures that leave open whether the write was done: any failure, or
// timeouts and lost connections. A failure of a meaning of its own is none: who made it may know.
func (a *attempt) ambiguous(at ssa.CallInstruction) bool {
	if a.Call != nil && a.Hop.Kind == "helper-call" && len(a.Hop.Repeats) == 0 && len(a.Called(a.Call)) == 0 {
		return false // a helper of another package, which may know
	}
	deciding := a.deciding()
	found, asksError := a.questions(deciding)
	if found[done] {
		return false // a check for duplicates, on one way or the other
	}
	if cases := a.cases(at); cases != nil {
		return a.decide(cases, found, a.dials(deciding))
	}
	if !asksError && len(found) > 0 && a.ComesBackAfterError(at) {
		return true // a status is asked for, and any error is repeated
	}
	return open(found)
}

// open reports whether what is asked leaves repetitions after ambiguous failures: nothing is asked, or for such failures, or only
// for what won't get better.
func open(found map[meaning]bool) bool {
	return len(found) == 0 || found[ambiguous] || found[permanent] && !found[undone] && !found[unknown]
}

// decide reads what is answered about errors, and what else is asked.
func (a *attempt) decide(cases fault.Cases, found map[meaning]bool, dials bool) bool {
	for _, c := range cases {
		if c.Test == fault.Else || dials && testedName(c.Test) == networkError {
			continue
		}
		if (meaningOfTest(c.Test) == ambiguous || a.raised()[testedName(c.Test)]) && c.Answer != fault.No {
			return true
		}
	}
	switch otherwise(cases) {
	case fault.Yes:
		return true
	case fault.No:
		return false
	}
	return open(found)
}

func otherwise(cases fault.Cases) fault.Answer {
	for _, c := range cases {
		if c.Test == fault.Else {
			return c.Answer
		}
	}
	return fault.Unsure
}

// networkError is the type of the errors of a connection, whose Op tells whether it was made.
const networkError = "net.OpError"

// dials reports whether deciding code asks whether a connection was made.
func (a *attempt) dials(deciding []*ssa.Function) bool {
	return slices.ContainsFunc(deciding, func(fn *ssa.Function) bool {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				test, ok := instr.(*ssa.BinOp)
				if !ok {
					continue
				}
				if text, isText := constantText(test.Y); isText && text == "dial" {
					return true
				}
			}
		}
		return false
	})
}

// testedName is the variable or type, without star, that a test asks for.
func testedName(t fault.Test) string {
	_, part, _ := strings.Cut(string(t), " ")
	return strings.Trim(part, "=!*")
}

func meaningOfTest(t fault.Test) meaning {
	_, part, _ := strings.Cut(string(t), " ")
	if name, ok := strings.CutPrefix(part, "="); ok {
		return meaningOf(func(q *catalog.Questions) bool { return slices.Contains(q.Names, strings.TrimSuffix(name, "!")) }, name)
	}
	return meaningOf(func(q *catalog.Questions) bool {
		return slices.Contains(q.Types, part) || slices.Contains(q.Types, "*"+part)
	}, part)
}

// meaningOf finds the meaning of a question: as it is listed, or by a part of its name.
func meaningOf(listed func(*catalog.Questions) bool, name string) meaning {
	known := &catalog.OfEffects().Failures
	switch {
	case listed(&known.Ambiguous):
		return ambiguous
	case listed(&known.Undone):
		return undone
	case listed(&known.Done):
		return done
	case listed(&known.Permanent):
		return permanent
	}
	plain := catalog.Plain(name[strings.LastIndexByte(name, '/')+1:])
	part := func(p string) bool { return strings.Contains(plain, p) }
	switch {
	case slices.ContainsFunc(known.Done.Parts, part):
		return done
	case slices.ContainsFunc(known.Undone.Parts, part):
		return undone
	}
	return unknown
}

// cases tells what is answered about the errors of a call: by the code around it, by the helper that repeats it, or by a classifier
// that a library is given.
func (a *attempt) cases(at ssa.CallInstruction) fault.Cases {
	if cases := a.RepeatsAfter(at); cases != nil {
		return cases
	}
	if a.Site != nil || a.Call == nil || len(a.Hop.Repeats) > 0 {
		return a.Hop.Repeats
	}
	if a.Hop.Kind == "helper-call" {
		return nil // which way it decides stands in its body
	}
	for _, fn := range classifiersIn(spread(a.Call.Common()), 0) {
		if isClassifier(fn) {
			if cases := a.Answers(fn); cases != nil {
				return cases
			}
		}
	}
	return nil
}

func isClassifier(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	if results.Len() != 1 || results.At(0).Type().Underlying().String() != "bool" {
		return false
	}
	return slices.ContainsFunc(fn.Params, func(p *ssa.Parameter) bool { return isErrorValue(p) })
}

// deciding lists the functions that decide about another attempt: that of the loop, the operations, the classifiers that are
// given, and what these ask.
func (a *attempt) deciding() []*ssa.Function {
	var list []*ssa.Function
	add := func(fn *ssa.Function) {
		if fn != nil && fn.Blocks != nil && !slices.Contains(list, fn) {
			list = append(list, fn)
		}
	}
	if a.Site != nil {
		add(a.Function)
	}
	for _, fn := range a.Operations {
		add(fn)
	}
	if a.Call != nil {
		for _, fn := range classifiersIn(spread(a.Call.Common()), 0) {
			add(fn)
		}
		for _, helper := range a.Called(a.Call) {
			add(helper)
		}
	}
	for i := 0; i < len(list) && i < 20; i++ {
		for _, b := range list[i].Blocks {
			for _, instr := range b.Instrs {
				if call, ok := instr.(*ssa.Call); ok && (asksAboutFailure(call) || marks(call)) {
					for _, fn := range a.Called(call) {
						add(fn)
					}
				}
			}
		}
	}
	return list
}

// classifiersIn lists the function values among arguments, and those that options among them are made of, that ask about errors.
func classifiersIn(args []ssa.Value, depth int) []*ssa.Function {
	var list []*ssa.Function
	for _, v := range args {
		var fn *ssa.Function
		switch x := plain(v).(type) {
		case *ssa.Function:
			fn = x
		case *ssa.MakeClosure:
			fn = x.Fn.(*ssa.Function)
		case *ssa.Call:
			if depth < 4 {
				list = append(list, classifiersIn(spread(x.Common()), depth+1)...)
			}
		case *ssa.UnOp:
			if depth < 4 {
				if cell, ok := x.X.(*ssa.Alloc); ok {
					for _, s := range storesTo(cell, 0) {
						list = append(list, classifiersIn([]ssa.Value{s.Val}, depth+1)...)
					}
					list = append(list, classifiersIn(fieldValues(cell), depth+1)...)
				}
			}
		case *ssa.Alloc:
			if depth < 4 {
				list = append(list, classifiersIn(fieldValues(x), depth+1)...)
			}
		}
		if fn != nil && answersAboutFailure(fn.Signature) {
			list = append(list, fn)
		}
	}
	return list
}

func fieldValues(v *ssa.Alloc) []ssa.Value {
	var list []ssa.Value
	for _, ref := range *v.Referrers() {
		if fa, ok := ref.(*ssa.FieldAddr); ok {
			for _, s := range storesTo(fa, 0) {
				list = append(list, s.Val)
			}
		}
	}
	return list
}

// answersAboutFailure reports whether functions of a type are asked about an error or a response.
func answersAboutFailure(sig *types.Signature) bool {
	results := sig.Results()
	if results.Len() == 0 || results.At(0).Type().Underlying().String() != "bool" {
		return false
	}
	for p := range sig.Params().Variables() {
		if name := typename.Of(p.Type()); name == "error" || name == "net/http.Response" {
			return true
		}
	}
	return false
}

func asksAboutFailure(call *ssa.Call) bool { return answersAboutFailure(call.Call.Signature()) }

// marks reports whether a call makes one error of another, which may be where it is classified.
func marks(call *ssa.Call) bool {
	sig := call.Call.Signature()
	if sig.Results().Len() != 1 || typename.Of(sig.Results().At(0).Type()) != "error" {
		return false
	}
	return slices.ContainsFunc(call.Call.Args, isErrorValue)
}

// questions collects what deciding code asks, by what it means, and whether it asks about errors or only about statuses.
func (a *attempt) questions(deciding []*ssa.Function) (found map[meaning]bool, asksError bool) {
	found = map[meaning]bool{}
	dials := a.dials(deciding)
	for _, fn := range deciding {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if a.Site != nil && fn == a.Function && !a.Site.Holds(instr) {
					continue
				}
				if m, ok := asked(instr); ok {
					switch {
					case m == unknown:
						m = a.ownMeaning(instr)
					case m == ambiguous && dials && asksConnection(instr):
						m = undone
					}
					found[m] = true
					asksError = asksError || !asksResponse(instr)
				}
			}
		}
	}
	return found, asksError
}

// asksConnection reports whether a question is one for an error of a connection.
func asksConnection(instr ssa.Instruction) bool {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return false
	}
	switch callgraph.CalleeName(call.Common()) {
	case "errors.As":
		return typename.Of(pointedTo(plain(call.Call.Args[1]).Type())) == networkError
	case "errors.AsType":
		return typename.Of(call.Call.Signature().Results().At(0).Type()) == networkError
	}
	return false
}

// asksResponse reports whether a comparison is one of a response's status.
func asksResponse(instr ssa.Instruction) bool {
	test, ok := instr.(*ssa.BinOp)
	if !ok {
		return false
	}
	switch x := test.X.(type) {
	case *ssa.UnOp:
		fa, isField := x.X.(*ssa.FieldAddr)
		return isField && strings.HasSuffix(bareName(fa.X.Type()), "Response")
	case *ssa.Call:
		_, typ, _ := calleeParts(x.Common())
		return strings.HasSuffix(typ, "Response")
	}
	return false
}

// asked reads an instruction as a question about a failure.
func asked(instr ssa.Instruction) (meaning, bool) {
	switch instr := instr.(type) {
	case *ssa.Call:
		return askedByCall(instr)
	case *ssa.TypeAssert:
		if isErrorValue(instr.X) {
			return meaningOfType(instr.AssertedType), true
		}
	case *ssa.BinOp:
		return compared(instr)
	}
	return unknown, false
}

func askedByCall(call *ssa.Call) (meaning, bool) {
	name := callgraph.CalleeName(call.Common())
	args := call.Call.Args
	switch {
	case name == "errors.Is" && len(args) == 2:
		names := errorNames(args[1])
		if len(names) == 0 || slices.Contains(names, "context.Canceled") {
			return unknown, false
		}
		return meaningOf(func(q *catalog.Questions) bool { return containsAny(q.Names, names) }, names[0]), true
	case name == "errors.As" && len(args) == 2:
		return meaningOfType(pointedTo(plain(args[1]).Type())), true
	case name == "errors.AsType":
		return meaningOfType(call.Call.Signature().Results().At(0).Type()), true
	}
	if pkgPath, _, _ := calleeParts(call.Common()); pkgPath == "strings" && len(args) == 2 {
		if text, ok := constantText(args[1]); ok {
			m := meaningOfText(text)
			return m, m != unknown
		}
	}
	for i, arg := range args {
		if call.Call.Signature().Recv() != nil && !call.Call.IsInvoke() && i == 0 || !isErrorValue(arg) || !asksAboutFailure(call) {
			continue
		}
		if fn := call.Call.StaticCallee(); fn != nil && fn.Blocks != nil {
			return unknown, false // what it asks is looked at there
		}
		return meaningOf(func(q *catalog.Questions) bool { return slices.Contains(q.Functions, name) }, name), true
	}
	if _, _, method := calleeParts(call.Common()); len(args) == 0 && call.Call.IsInvoke() && method != "Error" {
		if m := meaningOf(func(q *catalog.Questions) bool { return slices.Contains(q.Methods, method) }, ""); m != unknown {
			return m, true
		}
	}
	return unknown, false
}

func pointedTo(t types.Type) types.Type {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// errorNames lists the names of the package variable or the constants that v is.
func errorNames(v ssa.Value) []string {
	if variable := globalName(v); variable != "" {
		return []string{variable}
	}
	if c, ok := plain(v).(*ssa.Const); ok {
		return constantNames(c)
	}
	return nil
}

// constantNames lists the constants of a named type that have the value of c, in the package of that type: SSA knows values only.
func constantNames(c *ssa.Const) []string {
	named, ok := types.Unalias(c.Type()).(*types.Named)
	if !ok || c.Value == nil || named.Obj().Pkg() == nil {
		return nil
	}
	pkg := named.Obj().Pkg()
	var list []string
	for _, name := range pkg.Scope().Names() {
		other, isConst := pkg.Scope().Lookup(name).(*types.Const)
		if isConst && types.Identical(other.Type(), named) && constant.Compare(other.Val(), token.EQL, c.Value) {
			list = append(list, pkg.Path()+"."+name)
		}
	}
	return list
}

func containsAny(list, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return slices.Contains(list, name) })
}

// meaningOfType is what it means that an error is of a type: an interface by its methods.
func meaningOfType(t types.Type) meaning {
	if i, ok := t.Underlying().(*types.Interface); ok {
		for m := range i.Methods() {
			if slices.Contains(catalog.OfEffects().Failures.Ambiguous.Methods, m.Name()) {
				return ambiguous
			}
		}
	}
	name := typename.Of(t)
	return meaningOf(func(q *catalog.Questions) bool {
		return slices.Contains(q.Types, name) || slices.Contains(q.Types, "*"+name)
	}, name)
}

// meaningOfText is what it means that the message of an error holds a text.
func meaningOfText(text string) meaning {
	known, lower := &catalog.OfEffects().Failures, strings.ToLower(text)
	part := func(p string) bool { return strings.Contains(lower, p) }
	switch {
	case slices.ContainsFunc(known.Done.Texts, part):
		return done
	case slices.ContainsFunc(known.Undone.Texts, part):
		return undone
	case slices.ContainsFunc(known.Ambiguous.Texts, part):
		return ambiguous
	}
	return unknown
}

// compared reads a comparison of a status, a code, a number or an error.
func compared(test *ssa.BinOp) (meaning, bool) {
	for _, pair := range [][2]ssa.Value{{test.X, test.Y}, {test.Y, test.X}} {
		if variable := globalName(pair[1]); variable != "" && isErrorValue(pair[0]) {
			return meaningOf(func(q *catalog.Questions) bool { return slices.Contains(q.Names, variable) }, variable), true
		}
		c, ok := pair[1].(*ssa.Const)
		if !ok || c.Value == nil {
			continue
		}
		switch c.Value.Kind() {
		case constant.String:
			text := constant.StringVal(c.Value)
			if text == "dial" {
				return undone, true
			}
			if len(text) == 5 || len(text) == 2 {
				return meaningOf(func(q *catalog.Questions) bool {
					return slices.ContainsFunc(q.States, func(state string) bool { return strings.HasPrefix(text, state) })
				}, ""), true
			}
		case constant.Int:
			return comparedNumber(c)
		}
	}
	return unknown, false
}

func comparedNumber(c *ssa.Const) (meaning, bool) {
	n, _ := constant.Int64Val(c.Value)
	if bareName(c.Type()) == "Code" {
		return meaningOf(func(q *catalog.Questions) bool {
			return slices.ContainsFunc(constantNames(c), func(name string) bool {
				return slices.Contains(q.Codes, strings.TrimPrefix(name[strings.LastIndexByte(name, '.')+1:], "Code"))
			})
		}, ""), n != 0
	}
	if names := constantNames(c); len(names) > 0 {
		return meaningOf(func(q *catalog.Questions) bool { return containsAny(q.Names, names) }, names[0]), true
	}
	switch {
	case n >= 400 && n < 600:
		return meaningOf(func(q *catalog.Questions) bool { return slices.Contains(q.Statuses, n) }, ""), true
	case n >= 1000:
		m := meaningOf(func(q *catalog.Questions) bool { return slices.Contains(q.Numbers, n) }, "")
		return m, m != unknown
	}
	return unknown, false
}
