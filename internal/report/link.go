package report

import (
	"encoding/json"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/internal/driver"
)

// constructed tells what fields hold that constructors fill: by field and question, the attempts that all packages of the run
// give them, if they agree.
type constructed map[question]inventory.Attempts

// question is how a policy is asked; policies of libraries answer all sites in the same way.
type question struct{ of, asked string }

type parameter struct {
	function string
	index    int
	asked    string
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
				key := parameter{g.Function, g.Param, g.Asked}
				if before, ok := given[key]; ok && before != g.Attempts {
					differ[key] = true
				}
				given[key] = g.Attempts
			}
		}
	}
	fields := constructed{}
	for key, a := range given {
		for _, b := range bindings {
			if b.Function == key.function && b.Param == key.index && !differ[key] {
				fields[question{b.Field, key.asked}] = a
			}
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
		if a, ok := c[question{site.DependsOn, site.Asked}]; ok && site.DependsOn != "" {
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
