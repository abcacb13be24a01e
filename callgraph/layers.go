package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// libraryPaths returns the paths through a call that the catalogue knows. A function of the catalogue that is no site adds
// nothing: what its library does inside is known.
func (p *Package) libraryPaths(fn *ssa.Function, call ssa.CallInstruction, k *knownFunction) []Path {
	site := k.row.Site
	if site == nil {
		p.installs(fn, call, k)
		return nil
	}
	common := call.Common()
	h := p.hop(fn, call.Pos())
	h.Kind, h.Label = "library-call", k.library.Name
	if site.Operation == "request" || site.Operation == "result" {
		h.Kind = "client"
	}
	if k.library.Partial {
		h.Label = calleeLabel(common)
	}
	result := callResultType(call)
	h.Policy, h.Library, h.Version = policyName(site.Policy, k, result), k.library.Root(), k.version
	t := Tail{Callee: p.policyValue(&site.Value, k, common, result), Site: &h}
	role := roleOf(site)
	if role == sites.Poll && p.repeatsFailure(site, k, common) {
		role = sites.Retry
	}
	if site.Operation != "loop" { // there the loop is the site
		p.takeStockOf(call, fn, h, t.Callee, role)
	}
	if role != sites.Retry || site.Operation == "result" || site.Operation == "loop" {
		return nil
	}
	p.note(h, call.Pos())
	if strings.HasPrefix(site.Operation, "arg") {
		t.Then = p.operation(site, k, common)
	}
	if site.Errors == "connection" {
		h.Kind = "connection"
	}
	return p.follow(t, fn, call)
}

// installs takes stock of a call that makes a retrying client or gives it its number, though it sends nothing itself.
func (p *Package) installs(fn *ssa.Function, call ssa.CallInstruction, k *knownFunction) {
	v, ok := call.(*ssa.Call)
	if !ok {
		return
	}
	var made *catalog.Value
	switch {
	case k.row.Returns != nil && !passesOn(k.row.Returns):
		made = k.row.Returns
	case k.row.Option != nil && p.decides(k.row.Option, k):
		made = k.row.Option
	default:
		return
	}
	h := p.hop(fn, call.Pos())
	h.Kind, h.Label = "client", k.library.Name
	h.Policy, h.Library, h.Version = policyName(made.Policy, k, resultType(v)), k.library.Root(), k.version
	policy := policyOf(&h)
	if policy == nil || forHelpers(k.library) || k.row.Returns != nil && (policy.Default == "1" || policy.Default == "caller") {
		return
	}
	t := p.policyValue(made, k, &v.Call, resultType(v))
	if k.row.Returns != nil {
		t = p.asLeft(v, t)
	}
	p.takeStockOf(call, fn, h, t, sites.Retry)
}

// passesOn reports whether a method only returns its receiver in another form, and makes no client.
func passesOn(v *catalog.Value) bool { return v.From == "recv" && len(v.Set) == 0 && v.Options == "" }

// asLeft describes the client that a call makes as the function leaves it, with what is set on it afterwards.
func (p *Package) asLeft(call *ssa.Call, made value.Term) value.Term {
	var client ssa.Value = call
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == 0 {
			client = x
		}
	}
	if left := p.Term(client); left.Kind == value.Record && left.Name == made.Name {
		return left
	}
	return made
}

// forHelpers reports whether a library executes functions of the user's: making a policy or option for that installs nothing.
func forHelpers(lib *catalog.Library) bool {
	for _, f := range lib.Functions {
		if f.Site != nil && (strings.HasPrefix(f.Site.Operation, "arg") || f.Site.Operation == "loop") {
			return true
		}
	}
	return false
}

// decides reports whether an option sets a number of attempts.
func (p *Package) decides(option *catalog.Value, k *knownFunction) bool {
	h := Hop{Policy: policyName(option.Policy, k, types.Typ[types.Invalid]), Library: k.library.Root(), Version: k.version}
	policy := policyOf(&h)
	if policy == nil {
		return false
	}
	for name := range option.Set {
		if s := policy.Setting(name, k.version); s != nil && s.Unit != "context" && s.Unit != "cap" {
			return true
		}
	}
	return false
}

func callResultType(call ssa.CallInstruction) types.Type {
	if v, ok := call.(*ssa.Call); ok {
		return resultType(v)
	}
	return types.Typ[types.Invalid]
}

// repeatsFailure reports whether a poll is used to repeat something that fails: the function that it calls says that it is
// done when its operation succeeds, and not done when that fails. One that asks for a state isn't done with a success.
func (p *Package) repeatsFailure(site *catalog.Site, k *knownFunction, call *ssa.CallCommon) bool {
	arg := argument(catalog.Source(site.Operation), k, call)
	if arg == nil || site.Repeats != "false" {
		return false
	}
	body := p.byID[p.Term(arg).Name]
	if body == nil {
		return false
	}
	for _, b := range body.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if ok && returnsError(c) && !p.Local(c) && p.failsOutward(body, c, "false", "") && p.doneAfter(body, c) {
				return true
			}
		}
	}
	return false
}

func returnsError(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	return results.Len() > 0 && typeName(results.At(results.Len()-1).Type()) == "error"
}

// doneAfter reports whether fn says that it is done whenever nothing fails.
func (p *Package) doneAfter(fn *ssa.Function, call *ssa.Call) bool {
	ways := sites.ReturnsAfterSuccess(fn, call, p)
	for _, ret := range ways {
		if !ret.BoolKnown || !ret.BoolIs {
			return false
		}
	}
	return len(ways) > 0
}

func roleOf(site *catalog.Site) sites.Role {
	switch {
	case site.Repeats == "conflict":
		return sites.CAS
	case site.Role == "" || site.Role == "retry":
		return sites.Retry
	}
	return sites.Role(site.Role)
}

// operation returns the call of the function argument that a library executes again.
func (p *Package) operation(site *catalog.Site, k *knownFunction, call *ssa.CallCommon) *Tail {
	arg := argument(catalog.Source(site.Operation), k, call)
	if arg == nil {
		return nil
	}
	_, method, _ := strings.Cut(site.Operation, ".")
	repeats := site.Repeats
	if repeats == "" && marks(k.library, "permanent") {
		repeats = "unmarked"
	}
	return &Tail{Callee: p.Term(arg), Method: method, Repeats: repeats, Library: k.library.Root()}
}

func marks(lib *catalog.Library, mark string) bool {
	for _, f := range lib.Functions {
		if f.Marks == mark {
			return true
		}
	}
	return false
}

// followSite turns a library's site into hops, once its policy value doesn't depend on callers any more.
func (p *Package) followSite(t Tail, fn *ssa.Function, at ssa.CallInstruction) []Path {
	if t.Callee.Open() && t.Callee.Size() < maxTail {
		return []Path{{Tail: &t}}
	}
	t.Callee = p.close(t.Callee)
	hops := p.outerLayers(t)
	if t.Site.Kind != "connection" {
		own := *t.Site
		own.Attempts = t.Callee
		hops = append(hops, own)
	}
	below := p.innerLayers(t, fn, at)
	if t.Then != nil {
		p.within(true, func() { below = p.follow(*t.Then, fn, at) })
	}
	return extended(hops, below)
}

// outerLayers returns the hops of layers around a client, such as interceptors, outermost first. Options of the call apply
// to them too.
func (p *Package) outerLayers(t Tail) []Hop {
	policy := policyOf(t.Site)
	if policy == nil {
		return nil
	}
	var hops []Hop
	for _, name := range policy.Outer {
		for _, layer := range flatten(value.Select(t.Callee, name)) {
			if layer.Kind != value.Record {
				continue
			}
			if h, ok := p.layerHop(layer, t); ok {
				hops = append(hops, h)
			}
		}
	}
	return hops
}

// layerHop returns the hop of a layer that is a policy value of some library.
func (p *Package) layerHop(layer value.Term, t Tail) (Hop, bool) {
	lib := libraryOf(layer.Name)
	if lib == nil {
		return Hop{}, false
	}
	h := *t.Site
	h.Kind, h.Label, h.Library, h.Policy, h.Version = "client", lib.Name, lib.Root(), layer.Name, p.imports.Version(lib.Root())
	h.Attempts = layer
	if opts, ok := t.Callee.Get(value.Applied); ok {
		names := []string{value.From, value.Applied}
		h.Attempts = value.Term{Kind: value.Record, Name: layer.Name, Names: names, Args: []value.Term{layer, opts}}
	}
	return h, true
}

// flatten lists the values in a setting that holds one value or many.
func flatten(t value.Term) []value.Term {
	switch t.Kind {
	case value.List:
		var all []value.Term
		for _, a := range t.Args {
			all = append(all, flatten(a)...)
		}
		return all
	case value.Either:
		return flatten(t.Args[0])
	}
	return []value.Term{t}
}

// innerLayers returns the paths through the layers below a client: its HTTP client, its transport.
func (p *Package) innerLayers(t Tail, fn *ssa.Function, at ssa.CallInstruction) []Path {
	policy := policyOf(t.Site)
	if policy == nil {
		return nil
	}
	var list []Path
	for _, name := range policy.Inner {
		list = append(list, p.layer(value.Select(t.Callee, name), *t.Site, fn, at)...)
	}
	return list
}

// layer returns the paths through a value that sends requests for the client at site.
func (p *Package) layer(v value.Term, site Hop, fn *ssa.Function, at ssa.CallInstruction) []Path {
	switch v.Kind {
	case value.Either, value.Global:
		var list []Path
		for _, a := range v.Args {
			list = append(list, p.layer(a, site, fn, at)...)
		}
		return list
	case value.Record:
	default:
		return nil
	}
	for _, method := range []string{"RoundTrip", "Do"} {
		if paths, ok := p.layerPaths(v, method, site, fn, at); ok {
			return paths
		}
	}
	return p.follow(Tail{Callee: v, Method: "RoundTrip"}, fn, at)
}

// layerPaths returns the paths through a method of a library's value: RoundTrip of a retrying transport.
func (p *Package) layerPaths(v value.Term, method string, site Hop, fn *ssa.Function, at ssa.CallInstruction) ([]Path, bool) {
	pkgPath, typ := splitName(v.Name)
	k := p.row(pkgPath, "(*"+typ+")."+method, nil)
	if k == nil {
		k = p.row(pkgPath, "("+typ+")."+method, nil)
	}
	if k == nil || k.row.Site == nil || roleOf(k.row.Site) != sites.Retry {
		return nil, k != nil
	}
	h := site
	h.Kind, h.Label, h.Policy, h.Library, h.Version = "client", k.library.Name, v.Name, k.library.Root(), k.version
	h.Helper, h.Unlimited, h.Bounded, h.Counter = "", false, "", value.Term{}
	if k.row.Site.Errors == "connection" {
		h.Kind = "connection"
	}
	return p.followSite(Tail{Callee: v, Site: &h}, fn, at), true
}

func policyOf(h *Hop) *catalog.Policy {
	lib := libraryOf(h.Policy) // the policy may be another library's, as wait.Backoff is
	if lib == nil {
		return nil
	}
	return policyNamed(lib, h.Policy, h.Version)
}

func policyNamed(lib *catalog.Library, full, version string) *catalog.Policy {
	return lib.Policy(relativeTo(lib, full), version)
}

// relativeTo writes the full name of a type as the file of the library does.
func relativeTo(lib *catalog.Library, full string) string {
	pkgPath, typ := splitName(full)
	return lib.Relative(pkgPath, typ)
}

func libraryOf(typ string) *catalog.Library {
	pkgPath, _ := splitName(typ)
	if pkgPath == "" {
		return nil
	}
	return catalog.For(pkgPath)
}
