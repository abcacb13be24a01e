package callgraph

import (
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/value"
)

// withoutContext reports whether a call of a library that takes a context as a setting of its policy is made with a policy
// that is known and has none, and how the library would take it.
func (p *Package) withoutContext(r *Repetition, k *knownFunction) (ContextForm, bool) {
	policy := policyOf(&r.Hop)
	if policy == nil {
		return ContextForm{}, false
	}
	name := contextSetting(policy)
	if name == "" {
		return ContextForm{}, false
	}
	t := p.close(r.Hop.Attempts)
	if !complete(t) {
		return ContextForm{}, false
	}
	switch given := mentioned(t, name); {
	case len(given) == 0:
		return formOf(k, name), true
	case slices.ContainsFunc(given, func(ctx value.Term) bool { return !isBackground(ctx) }):
		return ContextForm{}, false
	}
	return ContextForm{}, true // it is given one, and that isn't the caller's
}

// isBackground reports whether a context has been made of context.Background, and of nothing that a caller gives.
func isBackground(ctx value.Term) bool {
	return ctx.Kind == value.Record && ctx.Name == "context.Context" && value.Equal(ctx, value.Term{Kind: value.Record, Name: ctx.Name}.Complete())
}

// contextSetting is the name of the setting of a policy that is its context, "" if there is none.
func contextSetting(policy *catalog.Policy) string {
	for _, s := range policy.Settings {
		if s.Unit == "context" {
			return s.Name
		}
	}
	return ""
}

// mentioned lists what a policy value, and the options in it, set as name.
func mentioned(t value.Term, name string) []value.Term {
	var list []value.Term
	t.Any(func(part value.Term) bool {
		if part.Kind == value.Record || part.Kind == value.Setter {
			if v, ok := part.Get(name); ok {
				list = append(list, v)
			}
		}
		return false
	})
	return list
}

// complete reports whether everything is known that a policy value is made of: where it comes from, and its options.
func complete(t value.Term) bool {
	if t.Kind != value.Record {
		return false
	}
	if from, ok := t.Get(value.From); ok && !complete(from) {
		return false
	}
	applied, ok := t.Get(value.Applied)
	return !ok || listed(applied)
}

// listed reports whether t is a list of options that are all known.
func listed(t value.Term) bool {
	switch t.Kind {
	case value.Nil, value.Zero:
		return true
	case value.Setter, value.Record:
		return true
	case value.Func:
		return false
	case value.Global:
		return len(t.Args) == 1 && listed(t.Args[0])
	case value.List:
		for _, a := range t.Args {
			if !listed(a) {
				return false
			}
		}
		return true
	case value.Op:
		if t.Name != "append" {
			return false
		}
		for _, a := range t.Args {
			if !listed(a) {
				return false
			}
		}
		return true
	}
	return false
}

// formOf tells how the library of k takes the context called name: by an option, or by a function around the policy.
func formOf(k *knownFunction, name string) ContextForm {
	for _, f := range k.library.Functions {
		if len(f.Names) == 0 {
			continue
		}
		if f.Option != nil && f.Option.Set[name] == "arg0" && k.row.Site.Options != "" {
			return ContextForm{Option: f.Names[0]}
		}
		if f.Returns != nil && f.Returns.From == "arg0" && f.Returns.Set[name] == "arg1" {
			if n, err := strconv.Atoi(strings.TrimPrefix(string(k.row.Site.From), "arg")); err == nil {
				return ContextForm{Around: f.Names[0], Arg: n}
			}
		}
	}
	return ContextForm{}
}

// name is how code writes what takes the context; "" if nothing is known to.
func (f ContextForm) name(call *ssa.CallCommon) string {
	name := f.Option + f.Around
	callee := resolve(call.StaticCallee())
	if name == "" || callee == nil || callee.Pkg == nil {
		return name
	}
	return callee.Pkg.Pkg.Name() + "." + name
}
