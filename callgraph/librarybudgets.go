package callgraph

import (
	"slices"

	"github.com/retrylint/retrylint/internal/budget"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/value"
)

// libraryBudgets lists what admits the retries of a library's site or client: what the library does by default, and what its policy
// is set to. They stand where the site does, since the library's own code isn't shown.
func (p *Package) libraryBudgets(r *Repetition) []Budget {
	policy := policyOf(&r.Hop)
	if policy == nil || r.Count.Kind == count.Number && r.Count.N <= 1 {
		return nil
	}
	t := p.close(r.Hop.Attempts)
	found := budgetsSet(t, policy, r.Hop.Version)
	t.Any(func(part value.Term) bool {
		if lib := libraryOf(part.Name); part.Kind == value.Record && lib != nil {
			if inner := policyNamed(lib, part.Name, p.version(lib.Root())); inner != nil && inner != policy {
				found = append(found, budgetsSet(part, inner, r.Hop.Version)...)
			}
		}
		return false
	})
	if policy.Budget != nil && len(found) == 0 && !setsPolicy(t, policy) {
		found = append(found, policy.Budget)
	}
	list := make([]Budget, len(found))
	for i, b := range found {
		list[i] = Budget{Kind: budget.Kind(b.Kind), Name: b.Name, File: r.Hop.File, Line: r.Hop.Line}
	}
	return list
}

// budgetsSet lists the budgets that the settings of a policy value say.
func budgetsSet(t value.Term, policy *catalog.Policy, version string) []*catalog.Budget {
	var list []*catalog.Budget
	for _, s := range policy.Settings {
		v, isSet := setting(t, s.Name)
		if !isSet || !covers(policy, s, version) {
			continue
		}
		switch {
		case s.Unit == "budget" && v.Kind != value.Nil && v.Kind != value.Zero:
			list = append(list, s.Budget)
		case s.Unit == "grpc-service-config" && v.Kind == value.String && catalog.GRPCThrottles(v.Name):
			list = append(list, s.Budget)
		}
	}
	return list
}

// setsPolicy reports whether a policy value is given another policy, which may come without the budget that is there by default.
func setsPolicy(t value.Term, policy *catalog.Policy) bool {
	return slices.ContainsFunc(policy.Settings, func(s catalog.Setting) bool {
		v, isSet := setting(t, s.Name)
		return s.Unit == "policy" && isSet && v.Kind != value.Zero && v.Kind != value.Nil
	})
}
