package callgraph

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// libraryCall returns what lies below a call that the catalogue knows, nil if nothing does. A function of the catalogue that is
// no site adds nothing: what its library does inside is known.
func (p *Package) libraryCall(fn *ssa.Function, call ssa.CallInstruction, k *knownFunction) *Tail {
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
	t := &Tail{Callee: p.policyValue(&site.Value, k, common, result), Site: &h}
	role := roleOf(site)
	if body := p.conditionOf(site, k, common); body != nil && (role == sites.Poll || role == sites.Retry) {
		role = p.roleOfCondition(body)
	}
	own := h
	own.Attempts = t.Callee
	p.askKeeper(&h, site, k, common)
	if strings.HasPrefix(site.Operation, "arg") {
		t.Then = p.operation(site, k, common)
	}
	if role == sites.Retry && t.Then != nil {
		asking := h
		asking.Attempts = t.Callee
		p.askPolicy(&asking)
		if p.waitsForState(asking, t.Then.Callee) {
			role = sites.Poll
		}
	}
	if site.Operation != "loop" { // there the loop is the site
		p.takeCall(call, own, role)
	}
	if role != sites.Retry || site.Operation == "result" || site.Operation == "loop" {
		return nil
	}
	if site.Errors == "connection" {
		h.Kind = "connection"
	}
	return t
}

// askKeeper makes the argument that a library asks about errors the keeper of its site.
func (p *Package) askKeeper(h *Hop, site *catalog.Site, k *knownFunction, call *ssa.CallCommon) {
	if site.Asks == "" {
		return
	}
	if arg := argument(catalog.Source(site.Asks), k, call); arg != nil {
		p.keep(h, p.Term(arg))
	}
}

// askPolicy makes the function that a policy is set to ask the keeper of its site.
func (c *composer) askPolicy(h *Hop) {
	policy := policyOf(h)
	if policy == nil || h.Keeper.Known() {
		return
	}
	for _, s := range policy.Settings {
		if v, ok := setting(h.Attempts, s.Name); ok && s.Unit == "asked" && covers(policy, s, h.Version) {
			c.keep(h, v)
			return
		}
	}
}

// keep makes a function that is asked about each error, and ends the attempts by false, the keeper of a site.
func (c *composer) keep(h *Hop, keeper value.Term) {
	h.Keeper = keeper
	h.Gate = c.frame(nil, nil).Rebuild(value.Term{Kind: value.Result}, []value.Term{keeper, {}})
	h.GateEnds.False = true
	h.Sees = fault.Of(fault.Tail)
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
	h.Attempts = p.policyValue(made, k, &v.Call, resultType(v))
	if k.row.Returns != nil {
		h.Attempts = p.asLeft(v, h.Attempts)
	}
	p.takeCall(call, h, sites.Retry)
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
		if s := policy.Setting(name, k.version); s != nil && s.Counts() {
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

// conditionOf returns the function that a library calls until it says that it is done, nil if it isn't known.
func (p *Package) conditionOf(site *catalog.Site, k *knownFunction, call *ssa.CallCommon) *ssa.Function {
	arg := argument(catalog.Source(site.Operation), k, call)
	if arg == nil || site.Repeats != "false" {
		return nil
	}
	return p.byID[p.Term(arg).Name]
}

// roleOfCondition tells a poll from a retry by the function that is called until it says that it is done. One that repeats something
// says so when its operation succeeds, and not when that fails. One that asks for a state isn't done with a success.
func (p *Package) roleOfCondition(body *ssa.Function) sites.Role {
	for _, b := range body.Blocks {
		for _, instr := range b.Instrs {
			c, ok := instr.(*ssa.Call)
			if ok && returnsError(c) && !p.Local(c) && p.failsOutward(body, c, "false", "") && p.doneAfter(body, c) {
				return sites.Retry
			}
		}
	}
	return sites.Poll
}

func returnsError(call *ssa.Call) bool {
	results := call.Call.Signature().Results()
	return results.Len() > 0 && typename.IsError(results.At(results.Len()-1).Type())
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
