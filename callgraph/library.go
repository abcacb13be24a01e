package callgraph

import (
	"go/types"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// known is a function of the catalogue, as called at some place.
type knownFunction struct {
	library *catalog.Library
	version string
	row     *catalog.Function
	// receiver is the value that the method is called on as the user wrote it: the outer one, if the method is promoted
	// from an embedded field.
	receiver ssa.Value
}

// lookup finds the function that call runs in the catalogue.
func (p *Package) lookup(call *ssa.CallCommon) *knownFunction {
	if call.IsInvoke() {
		return p.lookupInvoke(call)
	}
	fn := resolve(call.StaticCallee())
	if fn == nil {
		return nil
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return nil
	}
	if obj.Signature().Recv() == nil {
		return p.row(obj.Pkg().Path(), obj.Name(), nil)
	}
	if fn.Signature.Recv() == nil {
		return nil // the wrapper of a method value, whose receiver is no argument
	}
	return p.lookupMethod(call.Args[0], obj)
}

// lookupMethod tries the outermost type first that the method is promoted to.
func (p *Package) lookupMethod(receiver ssa.Value, m *types.Func) *knownFunction {
	chain := []ssa.Value{receiver}
	for v := receiver; len(chain) < 5; {
		v = embeddedIn(v)
		if v == nil {
			break
		}
		chain = append(chain, v)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		if k := p.methodRow(chain[i], chain[i].Type(), m.Name()); k != nil {
			return k
		}
	}
	return p.methodRow(receiver, m.Signature().Recv().Type(), m.Name())
}

// embeddedIn returns the struct that v is an embedded field of, selected implicitly or not, or nil.
func embeddedIn(v ssa.Value) ssa.Value {
	if load, ok := v.(*ssa.UnOp); ok {
		v = load.X
	}
	switch v := v.(type) {
	case *ssa.FieldAddr:
		if st, _ := structOf(v.X.Type()); st != nil && st.Field(v.Field).Embedded() {
			return v.X
		}
	case *ssa.Field:
		if st, _ := structOf(v.X.Type()); st != nil && st.Field(v.Field).Embedded() {
			return v.X
		}
	}
	return nil
}

func (p *Package) lookupInvoke(call *ssa.CallCommon) *knownFunction {
	if k := p.methodRow(call.Value, call.Value.Type(), call.Method.Name()); k != nil {
		return k
	}
	if recv := call.Method.Signature().Recv(); recv != nil {
		return p.methodRow(call.Value, recv.Type(), call.Method.Name())
	}
	return nil
}

// methodRow looks a method up under its pointer and its value receiver.
func (p *Package) methodRow(receiver ssa.Value, t types.Type, method string) *knownFunction {
	full := typename.Of(t)
	pkgPath, typ := splitName(full)
	if pkgPath == "" {
		return nil
	}
	if k := p.row(pkgPath, "(*"+typ+")."+method, receiver); k != nil {
		return k
	}
	return p.row(pkgPath, "("+typ+")."+method, receiver)
}

func (p *Package) row(pkgPath, symbol string, receiver ssa.Value) *knownFunction {
	k := rowOf(pkgPath, symbol, p.imports.Version(pkgPath))
	if k != nil {
		k.receiver = receiver
	}
	return k
}

// rowOf finds a function in the catalogue.
func rowOf(pkgPath, symbol, version string) *knownFunction {
	lib := catalog.For(pathOf(pkgPath))
	if lib == nil {
		return nil
	}
	row := lib.Function(lib.Relative(pkgPath, symbol), version)
	if row == nil {
		return nil
	}
	return &knownFunction{library: lib, version: version, row: row}
}

// source describes what a Source of the catalogue stands for at a call.
func (p *Package) source(s catalog.Source, k *knownFunction, call *ssa.CallCommon) value.Term {
	switch {
	case s == "recv":
		if k.receiver != nil {
			return p.Term(p.clientOf(k.receiver, k.library))
		}
		return value.Term{}
	case s == "true" || s == "false":
		return value.Truth(s == "true")
	case strings.HasPrefix(string(s), "arg"):
		if arg := argument(s, k, call); arg != nil {
			return p.option(p.Term(arg))
		}
		return value.Term{} // an older version of the function, with fewer parameters
	}
	if n, err := strconv.ParseInt(string(s), 10, 64); err == nil {
		return value.Number(n)
	}
	return value.Term{}
}

// clientOf returns the value that v is a part of, as client.Chat.Completions is one of client, as long as both are of the
// library: parts have the policy of the whole. Settings are no parts with methods of their own.
func (p *Package) clientOf(v ssa.Value, library *catalog.Library) ssa.Value {
	for range 4 {
		part := v
		if load, ok := part.(*ssa.UnOp); ok {
			part = load.X
		}
		var whole ssa.Value
		switch part := part.(type) {
		case *ssa.FieldAddr:
			whole = part.X
		case *ssa.Field:
			whole = part.X
		}
		if whole == nil || libraryOf(typename.Of(whole.Type())) != library {
			break
		}
		v = whole
	}
	return v
}

// argument returns the SSA value of argN, the receiver not counted.
func argument(s catalog.Source, k *knownFunction, call *ssa.CallCommon) ssa.Value {
	name, _, _ := strings.Cut(strings.TrimPrefix(string(s), "arg"), ".")
	n, err := strconv.Atoi(name)
	if err != nil {
		return nil
	}
	if k.receiver != nil && !call.IsInvoke() {
		n++
	}
	if n >= len(call.Args) {
		return nil
	}
	return call.Args[n]
}

// libraryResult describes the result of a function of the catalogue.
func (p *Package) libraryResult(v *ssa.Call, index int) (value.Term, bool) {
	k := p.lookup(&v.Call)
	if k == nil {
		return value.Term{}, false
	}
	row := k.row
	switch {
	case index != 0:
		return value.Term{}, false
	case row.Returns != nil:
		t := p.policyValue(row.Returns, k, &v.Call, resultType(v))
		for _, name := range sortedSources(row.Sets) {
			t = record(t, t.Name).With(name, p.source(row.Sets[name], k, &v.Call))
		}
		return t, true
	case row.Option != nil:
		return p.setter(row.Option, k, &v.Call), true
	case row.Sets != nil:
		r := record(p.source("recv", k, &v.Call), typename.Of(resultType(v)))
		for _, name := range sortedSources(row.Sets) {
			r = r.With(name, p.source(row.Sets[name], k, &v.Call))
		}
		return r, true
	case row.Site != nil && row.Site.Operation == "result":
		return p.policyValue(&row.Site.Value, k, &v.Call, resultType(v)), true
	}
	return value.Term{}, false
}

func resultType(v *ssa.Call) types.Type {
	results := v.Call.Signature().Results()
	if results.Len() == 0 {
		return types.Typ[types.Invalid]
	}
	return results.At(0).Type()
}

// policyValue describes the policy value that a function makes or a site uses.
func (p *Package) policyValue(pv *catalog.Value, k *knownFunction, call *ssa.CallCommon, result types.Type) value.Term {
	name := policyName(pv.Policy, k, result)
	t := value.Term{Kind: value.Record, Name: name}
	if pv.From != "" {
		from := p.source(pv.From, k, call)
		if from.Kind == value.Record && len(pv.Set) == 0 && pv.Options == "" {
			return from
		}
		t = value.Term{Kind: value.Record, Name: name, Names: []string{value.From}, Args: []value.Term{from}}
	}
	for _, setting := range sortedSources(pv.Set) {
		t = t.With(setting, p.source(pv.Set[setting], k, call))
	}
	if pv.Options != "" {
		if opts := p.source(pv.Options, k, call); opts.Known() && opts.Kind != value.Nil {
			t = t.With(value.Applied, opts)
		}
	}
	return t
}

// patternPolicy is the full name of the policy type that a pattern stands for: the type of the result or of the receiver,
// whichever it takes.
func patternPolicy(pattern string, k *knownFunction, result types.Type) string {
	names := []string{typename.Of(result)}
	if k.receiver != nil {
		names = append(names, typename.Of(k.receiver.Type()))
	}
	for _, name := range names {
		if p := policyNamed(k.library, name, k.version); p != nil && p.Type == pattern {
			return name
		}
	}
	return names[len(names)-1]
}

// policyName is the full name of a policy type; a pattern stands for the type that it takes at the call.
func policyName(policy string, k *knownFunction, result types.Type) string {
	if strings.Contains(policy, "*") {
		return patternPolicy(policy, k, result)
	}
	pkgPath, _ := splitName(policy)
	switch first, _, isPath := strings.Cut(pkgPath, "/"); {
	case pkgPath == "":
		return k.library.Root() + "." + policy
	case isPath && (strings.Contains(first, ".") || catalog.For(pkgPath) != nil):
		return policy // of another library
	}
	return k.library.Root() + "/" + policy
}

// setter describes an option.
func (p *Package) setter(pv *catalog.Value, k *knownFunction, call *ssa.CallCommon) value.Term {
	t := value.Term{Kind: value.Setter}
	for _, setting := range sortedSources(pv.Set) {
		t = t.With(setting, p.source(pv.Set[setting], k, call))
	}
	return t
}

// librarySets lists what a method of the catalogue sets on its receiver.
func (p *Package) librarySets(call *ssa.CallCommon) (map[string]value.Term, bool) {
	k := p.lookup(call)
	if k == nil || k.row.Sets == nil || k.receiver == nil {
		return nil, false
	}
	set := map[string]value.Term{}
	for name, s := range k.row.Sets {
		set[name] = p.source(s, k, call)
	}
	return set, true
}

// libraryVariable describes a package variable of the catalogue.
func (p *Package) libraryVariable(g *ssa.Global) (value.Term, bool) {
	k := p.row(g.Pkg.Pkg.Path(), g.Name(), nil)
	if k == nil || k.row.Returns == nil || g.Pkg == p.SSA {
		return value.Term{}, false
	}
	t := value.Term{Kind: value.Record, Name: policyName(k.row.Returns.Policy, k, g.Type())}
	for _, setting := range sortedSources(k.row.Returns.Set) {
		if n, err := strconv.ParseInt(string(k.row.Returns.Set[setting]), 10, 64); err == nil {
			t = t.With(setting, value.Number(n))
		} else {
			t = t.With(setting, value.Truth(k.row.Returns.Set[setting] == "true"))
		}
	}
	return t, true
}

func sortedSources(m map[string]catalog.Source) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

func sortedKeys(m map[string]value.Term) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
