package retryidempotency

import (
	"fmt"
	"go/constant"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
)

// A key is a value at a place where the other side looks for an idempotency key.
type key struct {
	name  string
	value ssa.Value
}

// newKeys reports keys that each attempt makes anew, where they are made, and whether there are any.
func newKeys(pass *rule.Pass, a *attempt) (found bool) {
	for _, step := range a.steps {
		if e := a.effectAt(step); e != nil && e.Key != "" && a.repeatsCall(step) {
			found = true
			reportKeyElsewhere(pass, a, e.Key, step)
		}
		for _, k := range a.keysIn(step) {
			m := a.fresh(k.value, step)
			found = found || m != nil
			switch {
			case m == nil:
			case m.call == nil:
				reportNumbered(pass, a, k, step)
			default:
				reportNewKey(pass, a, k, m)
			}
		}
	}
	return found
}

// reportNumbered reports a key that the number of the attempt is part of, where it is set.
func reportNumbered(pass *rule.Pass, a *attempt, k key, step callgraph.Step) {
	at := outermost(step)
	if !a.inFunction(at) && a.Call != nil {
		at = a.Call
	}
	pos := placeOf(at)
	if call, ok := at.(ssa.CallInstruction); ok {
		pos = a.Token(call)
	}
	pass.Report("newkey", analysis.Diagnostic{
		Pos:     pos,
		Message: fmt.Sprintf("the number of the attempt is part of %s, so the other side takes a repetition for another request", k.name),
	})
}

func reportNewKey(pass *rule.Pass, a *attempt, k key, m *maker) {
	made := a.Token(m.call)
	d := analysis.Diagnostic{
		Pos:     made,
		Message: fmt.Sprintf("%s is made anew for each attempt, so the other side takes a repetition for another request", k.name),
	}
	at := outermost(m.step)
	if !a.inFunction(at) && a.Call != nil {
		at = a.Call
	}
	if call, ok := at.(ssa.CallInstruction); ok && at != ssa.Instruction(m.call) {
		d.Pos = a.Token(call)
		d.Related = []analysis.RelatedInformation{{Pos: made, Message: k.name + " is made here"}}
	}
	if len(m.step.Calls) == 0 {
		d.SuggestedFixes = hoist(pass.Pass, a, m.call)
	}
	pass.Report("newkey", d)
}

// repeatsCall reports whether a step's call is what is repeated, or makes something for it: the repeated code may also do this or that
// beside, such as noting the failure.
func (a *attempt) repeatsCall(step callgraph.Step) bool {
	at, ok := outermost(step).(*ssa.Call)
	return ok && (!dropsFailure(step) && a.again(at) || usesValue(at))
}

// usesValue reports whether a result of a call is used that is no error.
func usesValue(call *ssa.Call) bool {
	if call.Call.Signature().Results().Len() == 1 {
		return !isErrorValue(call) && len(referrers(call)) > 0
	}
	return slices.ContainsFunc(referrers(call), func(ref ssa.Instruction) bool {
		x, ok := ref.(*ssa.Extract)
		return ok && !isErrorValue(x) && len(referrers(x)) > 0
	})
}

// reportKeyElsewhere reports the call of a function of another package that makes a key.
func reportKeyElsewhere(pass *rule.Pass, a *attempt, name string, step callgraph.Step) {
	call := step.Instr.(*ssa.Call)
	at := outermost(step).(ssa.CallInstruction)
	if !a.inFunction(at) && a.Call != nil {
		at = a.Call
	}
	d := analysis.Diagnostic{
		Pos: a.Token(at),
		Message: fmt.Sprintf("%s is made anew by each call of %s, so the other side takes a repetition for another request",
			name, callgraph.CalleeLabel(call.Common())),
	}
	if place := a.Token(call); place != d.Pos {
		d.Related = []analysis.RelatedInformation{{Pos: place, Message: "the call"}}
	}
	pass.Report("newkey", d)
}

// keysIn lists the keys that an instruction sets.
func (a *attempt) keysIn(step callgraph.Step) []key {
	known := &catalog.OfEffects().Keys
	switch instr := step.Instr.(type) {
	case *ssa.Store:
		fa, ok := instr.Addr.(*ssa.FieldAddr)
		if !ok {
			return nil
		}
		if name, isKey := keyField(fa); isKey || slices.Contains(a.guards(), name) {
			return []key{{name, instr.Val}}
		}
	case *ssa.MapUpdate:
		if name, ok := a.text(plain(instr.Key), step); ok && (known.IsKey(name, false) || slices.Contains(a.guards(), name)) {
			return []key{{name, instr.Value}}
		}
	case *ssa.Call:
		return a.keysOfCall(instr, step)
	}
	return nil
}

// guards lists the names that protect the writes which an attempt makes.
func (a *attempt) guards() []string {
	if a.guarding != nil {
		return a.guarding
	}
	a.guarding = []string{}
	for _, step := range a.steps {
		call, ok := step.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		pkgPath, typ, name := calleeParts(call.Common())
		for _, row := range catalog.OfEffects().WritesOf(pkgPath, typ, name) {
			a.guarding = append(a.guarding, row.Guards...)
		}
	}
	return a.guarding
}

// keyField reports whether a field holds a key, by its name or by the one that it has in messages.
func keyField(fa *ssa.FieldAddr) (name string, ok bool) {
	f := fieldOf(fa.X.Type(), fa.Field)
	if f == nil {
		return "", false
	}
	owner := bareName(fa.X.Type())
	message := strings.HasSuffix(owner, "Request") || strings.HasSuffix(owner, "Input") || strings.HasSuffix(owner, "Params") || strings.HasSuffix(owner, "Req")
	mutation := message && catalog.OfEffects().IsMutation(firstWord(owner))
	if catalog.OfEffects().Keys.IsKey(f.Name(), mutation) {
		return f.Name(), true
	}
	return f.Name(), catalog.OfEffects().Keys.IsKey(taggedName(fa), mutation)
}

// taggedName is how a field is called in JSON.
func taggedName(fa *ssa.FieldAddr) string {
	t := fa.X.Type().Underlying()
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem().Underlying()
	}
	st, ok := t.(*types.Struct)
	if !ok {
		return ""
	}
	name, _, _ := strings.Cut(reflect.StructTag(st.Tag(fa.Field)).Get("json"), ",")
	return name
}

// keysOfCall lists the keys that a call is given: beside a string that names one, as a parameter or by a function that is called
// so, or as the natural key of a row.
func (a *attempt) keysOfCall(call *ssa.Call, step callgraph.Step) []key {
	known := &catalog.OfEffects().Keys
	common := call.Common()
	args := spread(common)
	var list []key
	for i := 0; i+1 < len(args); i++ {
		if name, ok := constantText(args[i]); ok && known.IsKey(name, false) {
			list = append(list, key{name, args[i+1]})
		}
	}
	list = append(list, keyArguments(common)...)
	if len(a.Called(call)) > 0 {
		return append(list, a.keyColumns(call, step)...) // what it does with its parameters is looked at there
	}
	list = append(list, keyParameters(common)...)
	_, _, name := calleeParts(common)
	if sets := strings.TrimPrefix(strings.TrimPrefix(name, "Set"), "With"); len(args) > 0 && (known.IsKey(sets, false) || slices.Contains(a.guards(), name)) {
		list = append(list, key{sets, args[len(args)-1]})
	}
	return append(list, a.keyColumns(call, step)...)
}

// keyArguments lists the arguments of a call of which it is known that they carry the key of what it writes.
func keyArguments(common *ssa.CallCommon) []key {
	var list []key
	pkgPath, typ, name := calleeParts(common)
	for _, row := range catalog.OfEffects().WritesOf(pkgPath, typ, name) {
		if k := keyArgument(common, row.Key); k != nil {
			list = append(list, *k)
		}
	}
	return list
}

// keyArgument is the argument of that number, called like its parameter; nil if there is none.
func keyArgument(common *ssa.CallCommon, number *int) *key {
	params, args := common.Signature().Params(), common.Args
	if !common.IsInvoke() && common.Signature().Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	if number == nil || *number >= min(params.Len(), len(args)) {
		return nil
	}
	name := params.At(*number).Name()
	if name == "" || name == "_" {
		name = "the idempotency key"
	}
	return &key{name, args[*number]}
}

// keyParameters lists the arguments whose parameters are called like keys.
func keyParameters(common *ssa.CallCommon) []key {
	pkgPath, _, name := calleeParts(common)
	if catalog.LocalPackage(pkgPath) || strings.HasPrefix(pkgPath, "crypto/") {
		return nil // a key of another kind: aes.NewCipher
	}
	mutation := catalog.OfEffects().IsMutation(firstWord(name))
	params, args := common.Signature().Params(), common.Args
	if !common.IsInvoke() && common.Signature().Recv() != nil && len(args) > 0 {
		args = args[1:]
	}
	var list []key
	for i := range min(params.Len(), len(args)) {
		param := params.At(i)
		if catalog.OfEffects().Keys.IsKey(param.Name(), mutation) && isIdentity(param.Type()) {
			list = append(list, key{param.Name(), args[i]})
		}
	}
	return list
}

// isIdentity reports whether values of a type can identify a request: strings, numbers and arrays of bytes.
func isIdentity(t types.Type) bool {
	if ptr, ok := t.Underlying().(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return isPlain(t)
}

func constantText(v ssa.Value) (string, bool) {
	c, ok := plain(v).(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// keyColumns lists the values that a statement puts into columns that identify the row.
func (a *attempt) keyColumns(call *ssa.Call, step callgraph.Step) []key {
	insert, args := a.statement(call, step)
	if insert == nil || insert.kind != inserts {
		return nil
	}
	var list []key
	for _, column := range insert.identity() {
		if i := insert.argumentOf(column); i >= 0 && i < len(args) {
			list = append(list, key{column, args[i]})
		}
	}
	return list
}
