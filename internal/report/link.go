package report

import (
	"encoding/json"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/internal/driver"
)

// constructed tells what fields hold that constructors fill: by field, the attempts that all packages of the run give them,
// if they agree.
type constructed map[string]inventory.Attempts

type parameter struct {
	function string
	index    int
}

// givenTo joins what the packages of a run say of constructors: which field a parameter becomes, and what calls give for it.
func givenTo(r *driver.Result) constructed {
	given, differ := map[parameter]inventory.Attempts{}, map[parameter]bool{}
	var bindings []inventory.Binding
	for _, u := range r.Units {
		for _, d := range u.Diagnostics[Inventory] {
			var s inventory.Summary
			if json.Unmarshal([]byte(d.Message), &s) != nil {
				continue // reported where the sites are read
			}
			bindings = append(bindings, s.Bindings...)
			for _, g := range s.Givens {
				key := parameter{g.Function, g.Param}
				if before, ok := given[key]; ok && before != g.Attempts {
					differ[key] = true
				}
				given[key] = g.Attempts
			}
		}
	}
	fields := constructed{}
	for _, b := range bindings {
		key := parameter{b.Function, b.Param}
		if a, ok := given[key]; ok && !differ[key] {
			fields[b.Field] = a
		}
	}
	return fields
}

// resolve puts the attempts of a policy that a constructor was given into the sites of an inventory that depend on it.
func (c constructed) resolve(message string) string {
	var s inventory.Summary
	if len(c) == 0 || json.Unmarshal([]byte(message), &s) != nil {
		return message
	}
	changed := false
	for i, site := range s.Sites {
		if a, ok := c[site.DependsOn]; ok && site.DependsOn != "" {
			s.Sites[i].Give(a)
			changed = true
		}
	}
	if !changed {
		return message
	}
	text, err := json.Marshal(s)
	if err != nil {
		return message
	}
	return string(text)
}
