package report

import (
	"cmp"
	"slices"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/internal/driver"
)

// What a project knows of an error shows in what most of its sites do: if nearly all that call a client give up on an error, it is
// one that stays, whatever it is called; and if several await it, it isn't.

// How many sites have to agree, and which part of those of which it is known, in quarters.
const (
	agreeing   = 3
	quarters   = 3
	awaitingIt = 2
)

// A failure is an error of something that is called.
type failure struct{ calls, err string }

// votes counts the sites that give up on a failure, await it, and repeat it as they repeat everything.
type votes struct{ givesUp, awaits, repeats int }

func (v votes) all() int { return v.givesUp + v.awaits + v.repeats }

// against reports whether so many sites give up that those that don't stand out.
func (v votes) against() bool {
	return v.givesUp >= agreeing && v.awaits == 0 && 4*v.givesUp >= quarters*v.all()
}

// tally counts the votes of sites on every failure on which one of them gives up, or which one awaits. A site whose package
// belongs to several units votes once.
func tally(handled []inventory.Handled) map[failure]votes {
	all, everything, seen := map[failure]votes{}, map[string]int{}, map[string]bool{}
	count := func(calls string, errors []string, vote votes) {
		for _, err := range errors {
			v := all[failure{calls, err}]
			all[failure{calls, err}] = votes{givesUp: v.givesUp + vote.givesUp, awaits: v.awaits + vote.awaits}
		}
	}
	for _, h := range handled {
		if seen[h.Posn+h.Calls] {
			continue
		}
		seen[h.Posn+h.Calls] = true
		if h.Everything {
			everything[h.Calls]++
		}
		count(h.Calls, h.GivesUp, votes{givesUp: 1})
		count(h.Calls, h.Awaits, votes{awaits: 1})
	}
	for f, v := range all {
		v.repeats = everything[f.calls]
		all[f] = v
	}
	return all
}

// unlike lists the failures that a site repeats and after which most others give up, the clearest first.
func unlike(h inventory.Handled, all map[failure]votes) []inventory.Unlike {
	var list []inventory.Unlike
	if !h.Everything {
		return nil
	}
	for f, v := range all {
		if f.calls == h.Calls && v.against() {
			list = append(list, inventory.Unlike{Calls: f.calls, Error: f.err, GivesUp: v.givesUp, Of: v.all()})
		}
	}
	slices.SortFunc(list, func(a, b inventory.Unlike) int {
		return cmp.Or(cmp.Compare(b.GivesUp, a.GivesUp), cmp.Compare(a.Error, b.Error))
	})
	return list
}

// handled lists what all packages tell of what their sites make of failures.
func (p *program) handled() []inventory.Handled {
	var list []inventory.Handled
	for _, s := range p.summaries {
		list = append(list, s.Handled...)
	}
	return list
}

// consented returns list without what the sites of the program speak against, and with what only they show.
func (p *program) consented(list []Finding) []Finding {
	all := tally(p.handled())
	awaited, added := map[Position]bool{}, []Finding(nil)
	for _, s := range p.summaries {
		for _, h := range s.Handled {
			v := all[failure{h.Calls, h.Named}]
			if h.Named != "" && v.awaits >= awaitingIt && v.givesUp == 0 {
				awaited[position(h.Posn)] = true
			}
			if others := unlike(h, all); h.Often != "" && len(others) > 0 && s.unit.Named {
				added = append(added, permanent(h, others[0], s.unit))
			}
		}
	}
	list = slices.DeleteFunc(list, func(f Finding) bool {
		return f.Rule == classify && f.Category == "permanent" && awaited[f.At]
	})
	return append(list, added...)
}

const classify = "retryclassify"

func permanent(h inventory.Handled, u inventory.Unlike, unit driver.Unit) Finding {
	doubt := retryclassify.Doubt{Often: h.Often}
	at := position(h.Posn)
	return Finding{
		Package: unit.ID, Rule: classify, Category: "permanent", At: at, moduleDir: unit.ModuleDir,
		Diagnostic: driver.Diagnostic{
			Category: classify + ".permanent", Posn: posn(at), End: posn(at), Message: doubt.Against("also " + u.String()),
		},
	}
}
