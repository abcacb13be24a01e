package callgraph

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/value"
)

// What lies between the attempts of a library is what the catalogue says of its policy, and what code sets on it.

// A LibraryDelay says what is wrong with the policy of a library's call.
type LibraryDelay struct {
	// None is set if the library doesn't wait, Regular if its delays have no random part, Growing if they have no maximum.
	None, Regular, Growing bool
	// Endless is set if neither a number, a time limit nor a context ends the attempts.
	Endless bool
	// Randomize is what the catalogue says how code gives regular delays a random part, "" if it says nothing. It stands for the
	// argument From of the call, or for that of the option Option among its arguments.
	Randomize, Option string
	From              int
	// Shared says which variable holds a policy that remembers what was asked of it, if calls share one.
	Shared string
}

// libraryDelay describes the policy of the call of a library that executes a function of the program's again.
func (p *Package) libraryDelay(r *Repetition) LibraryDelay {
	d := LibraryDelay{}
	k := p.lookup(r.Call.Common())
	if k == nil || k.row.Site == nil || !strings.HasPrefix(k.row.Site.Operation, "arg") {
		return d
	}
	t := p.close(r.Hop.Attempts)
	d.Regular, d.Growing, d.None = p.paceOf(t, r.Hop)
	if d.Regular {
		d.randomize(t, r.Hop, k)
	}
	d.Endless = r.Count.Kind == count.Unlimited && r.Count.Bounded == "" && !p.hasContext(r.Call.Common(), k, r.Hop.Attempts)
	d.Growing = d.Growing && tooMany(r.Count)
	d.Shared = p.sharedPolicy(r, k)
	return d
}

// tooMany reports whether there are so many attempts that a delay without a maximum becomes absurd.
func tooMany(c count.Count) bool {
	return c.Kind == count.Unlimited || c.Kind == count.Number && c.N > 28
}

// paceOf reads off a policy value what its delays are like.
func (p *Package) paceOf(t value.Term, h Hop) (regular, growing, none bool) {
	for _, policy := range policiesOf(t, h) {
		regular, growing, none = regular || policy.Regular, growing || policy.Growing, none || policy.Wait == "none"
	}
	zero := false
	for _, policy := range policiesOf(t, h) {
		for _, s := range policy.Settings {
			v, set := settingOf(t, s.Name)
			if !set || !covers(policy, s, h.Version) {
				continue
			}
			n, isNumber := v.IsInt()
			switch s.Unit {
			case "jitter":
				regular = regular && isNumber && n == 0
			case "delays":
				regular, growing = isRegular(v, s, h), false
			case "growing":
				on, known := v.IsBool()
				growing = known && on
			case "ceiling":
				growing = false
			case "delay":
				zero = isNumber && n == 0
			}
		}
	}
	return regular, growing, none || zero && regular
}

// randomize finds out how code gives the delays of a policy a random part.
func (d *LibraryDelay) randomize(t value.Term, h Hop, k *knownFunction) {
	for _, policy := range policiesOf(t, h) {
		for _, s := range policy.Settings {
			if v, set := settingOf(t, s.Name); set && s.Randomize != "" && isRegular(v, s, h) {
				d.Randomize, d.Option = s.Randomize, optionFor(k.library, s.Name)
				return
			}
		}
		if from, err := strconv.Atoi(strings.TrimPrefix(string(k.row.Site.From), "arg")); err == nil && policy.Randomize != "" {
			d.Randomize, d.From = policy.Randomize, from
		}
	}
}

// optionFor names the option of a library that sets a setting to its argument.
func optionFor(library *catalog.Library, setting string) string {
	for _, f := range library.Functions {
		if f.Option != nil && f.Option.Set[setting] == "arg0" {
			return f.Names[0]
		}
	}
	return ""
}

func isRegular(v value.Term, s catalog.Setting, h Hop) bool {
	return v.Kind == value.Func && slices.ContainsFunc(s.Regular, func(name string) bool { return v.Name == h.Library+"."+name })
}

// policiesOf lists what the catalogue says of a policy value and of those that it is made from.
func policiesOf(t value.Term, h Hop) []*catalog.Policy {
	var list []*catalog.Policy
	if own := policyOf(&h); own != nil {
		list = append(list, own)
	}
	for depth := 0; depth < 8 && t.Kind == value.Record; depth++ {
		if lib := libraryOf(t.Name); lib != nil {
			if policy := policyNamed(lib, t.Name, h.Version); policy != nil && !slices.Contains(list, policy) {
				list = append(list, policy)
			}
		}
		from, ok := t.Get(value.From)
		if !ok {
			break
		}
		t = from
	}
	return list
}

// settingOf returns what a policy value says of a setting, and whether something was set: a value that isn't known, too.
func settingOf(t value.Term, name string) (value.Term, bool) {
	v, isSet := setting(t, name)
	switch {
	case isSet, v.Kind == value.Unknown, v.Kind == value.Field && !leftOut(v):
		return v, true
	case v.Kind == value.Zero && t.Kind == value.Record:
		return v, true // a literal leaves it out
	}
	return v, false
}

// leftOut reports whether v is a setting that a policy value, as far as it is known, says nothing of.
func leftOut(v value.Term) bool {
	return v.Kind == value.Field && len(v.Names) == 1 && v.Args[0].Kind == value.Unknown && libraryOf(v.Names[0]) != nil
}

// hasContext reports whether a library's call is given a context that may be done.
func (p *Package) hasContext(common *ssa.CallCommon, k *knownFunction, policy value.Term) bool {
	switch site := k.row.Site; site.Context {
	case "", "none":
		return false
	case "policy":
		for _, s := range policiesOfSite(k) {
			if s.Unit != "context" {
				continue
			}
			if v, _ := setting(policy, s.Name); v.Kind != value.Zero && v.Kind != value.Nil && !leftOut(v) {
				return true
			}
		}
		return false
	case "request", "recv":
		return true
	default:
		arg := argument(catalog.Source(site.Context), k, common)
		return arg == nil || !isDetached(arg)
	}
}

func policiesOfSite(k *knownFunction) []catalog.Setting {
	policy := k.library.Policy(k.row.Site.Policy, k.version)
	if policy == nil {
		return nil
	}
	return policy.Settings
}

// isDetached reports whether v is a context that nobody ends.
func isDetached(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok || call.Call.StaticCallee() == nil {
		return false
	}
	callee := call.Call.StaticCallee()
	return callee.Pkg != nil && callee.Pkg.Pkg.Path() == "context" && (callee.Name() == "Background" || callee.Name() == "TODO")
}

// sharedPolicy names the variable that holds the policy of a call, if that remembers what was asked of it, and several calls may
// ask it at the same time.
func (p *Package) sharedPolicy(r *Repetition, k *knownFunction) string {
	arg := argument(k.row.Site.From, k, r.Call.Common())
	if k.row.Site.From == "" || arg == nil || !mayRunTwice(r.Function) {
		return ""
	}
	source, stateful := p.madeFrom(arg)
	var holds []ssa.Value
	name := ""
	switch v := source.(type) {
	case *ssa.Global:
		name, holds = v.Name(), p.storedIn(func(addr ssa.Value) bool { return addr == ssa.Value(v) })
	case *ssa.FieldAddr:
		if !isReceiver(v.X) || !calledByMany(r.Function) {
			return ""
		}
		name = fieldNameOf(v)
		holds = p.storedIn(func(addr ssa.Value) bool {
			fa, ok := addr.(*ssa.FieldAddr)
			return ok && fa.Field == v.Field && types.Identical(fa.X.Type(), v.X.Type())
		})
	default:
		return ""
	}
	for _, held := range holds {
		_, remembers := p.madeFrom(held)
		stateful = stateful || remembers
	}
	if !stateful {
		return ""
	}
	return name
}

// madeFrom follows a policy value through the functions of the catalogue that make it of another one, to the variable that it
// is read from, nil if there is none. stateful tells whether something on the way remembers what was asked of it.
func (p *Package) madeFrom(v ssa.Value) (variable ssa.Value, stateful bool) {
	for range 10 {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.UnOp:
			switch x.X.(type) {
			case *ssa.Global, *ssa.FieldAddr:
				return x.X, stateful
			}
			return nil, stateful
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			k := p.lookup(&x.Call)
			if k == nil || k.row.Returns == nil {
				return nil, stateful
			}
			stateful = stateful || k.row.Returns.Stateful
			from := k.row.Returns.From
			if from == "recv" && k.receiver != nil {
				v = k.receiver
				continue
			}
			if !strings.HasPrefix(string(from), "arg") {
				return nil, stateful
			}
			if v = argument(from, k, &x.Call); v == nil {
				return nil, stateful
			}
		default:
			return nil, stateful
		}
	}
	return nil, stateful
}

// storedIn lists what the package assigns to variables whose address is wanted.
func (p *Package) storedIn(wanted func(addr ssa.Value) bool) []ssa.Value {
	var list []ssa.Value
	for _, fn := range p.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if s, ok := instr.(*ssa.Store); ok && wanted(s.Addr) {
					list = append(list, s.Val)
				}
			}
		}
	}
	return list
}

// mayRunTwice reports whether fn isn't what a program runs once.
func mayRunTwice(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Name() != "init" && (fn.Name() != "main" || fn.Signature.Recv() != nil)
}

// calledByMany reports whether fn is a method that other packages may call at the same time: it is exported, and no worker's
// own loop.
func calledByMany(fn *ssa.Function) bool {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn.Object() != nil && fn.Object().Exported() && !slices.Contains([]string{"Run", "Start", "Serve", "Loop", "Close", "Stop"}, fn.Name())
}

// isReceiver reports whether v is the receiver of the method that it stands in, or that a literal stands in. A receiver that a
// literal captures is put in a variable first.
func isReceiver(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return isReceiver(v.X)
	case *ssa.Alloc:
		return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
			s, ok := ref.(*ssa.Store)
			return ok && s.Addr == ssa.Value(v) && isReceiver(s.Val)
		})
	case *ssa.Parameter:
		return v.Parent().Signature.Recv() != nil && v.Parent().Params[0] == v
	case *ssa.FreeVar:
		return v.Parent().Parent() != nil && v.Parent().Parent().Signature.Recv() != nil && v.Name() == v.Parent().Parent().Params[0].Name()
	}
	return false
}

func fieldNameOf(fa *ssa.FieldAddr) string {
	st, _ := structOf(fa.X.Type())
	if st == nil {
		return ""
	}
	return st.Field(fa.Field).Name()
}
