package callgraph

import (
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/value"
)

// never says by which setting of its policy a hop never executes its operation, and doesn't tell; empty if it does.
func (c *composer) never(h Hop) string {
	policy := policyOf(&h)
	if policy == nil {
		return ""
	}
	t := c.close(h.Attempts)
	for _, s := range policy.Settings {
		v, ok := setting(t, s.Name)
		if !ok || !covers(policy, s, h.Version) {
			continue
		}
		if _, why, decides := c.settingCount(v, s, h, 0); decides {
			if saysNever(v, s) && silent(t, policy) {
				return why
			}
			return ""
		}
	}
	return ""
}

// saysNever reports whether the catalogue says of a setting's value that nothing is executed and no error tells.
func saysNever(v value.Term, s catalog.Setting) bool {
	n, ok := v.IsInt()
	return ok && (n == 0 && s.Zero == "never" || n < 0 && s.Negative == "never")
}

// silent reports whether no error tells: if the policy has a setting for that, it must be on.
func silent(t value.Term, policy *catalog.Policy) bool {
	for _, s := range policy.Settings {
		if s.Unit != "silent" {
			continue
		}
		v, ok := setting(t, s.Name)
		on, known := v.IsBool()
		return ok && known && on
	}
	return true
}
