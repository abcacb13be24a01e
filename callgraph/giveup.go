package callgraph

import (
	"slices"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/value"
)

// tailFailures describes what the function at the end of a path returns if it fails.
func (c *composer) tailFailures(t Tail, depth int) fault.Set {
	if t.Callee.Kind != value.Func || t.Method != "" || t.Site != nil || depth > 3 {
		return ""
	}
	params, _ := bind(t.Callee, t.Args)
	return c.failuresNamed(t.Callee.Name, t.Repeats).With(func(part string) fault.Set {
		i, ok := fault.Parameter(part)
		if !ok || i >= len(params) {
			return ""
		}
		return c.tailFailures(Tail{Callee: params[i], Repeats: booleanWord(t.Repeats)}, depth+1)
	})
}

// unite returns path with the errors of another one that goes through the same sites.
func (path Path) unite(other Path) Path {
	hops := make([]Hop, len(path.Hops))
	for i, h := range path.Hops {
		o := other.Hops[i]
		h.Sees = fault.Union(h.Sees, o.Sees)
		if !slices.Equal(h.Repeats, o.Repeats) {
			h.Repeats = nil
		}
		hops[i] = h
	}
	path.Hops, path.Fails, path.When = hops, fault.Union(path.Fails, other.Fails), both(path.When, other.When)
	return path
}

// found returns path, the error of whose tail has become known.
func (path Path) found(tail fault.Set) Path {
	know := func(part string) fault.Set {
		if part == fault.Tail {
			return tail
		}
		return ""
	}
	hops := make([]Hop, len(path.Hops))
	for i, h := range path.Hops {
		if h.Sees.Known() {
			h.Sees = h.Sees.With(know)
		}
		hops[i] = h
	}
	path.Hops = hops
	if path.Fails.Known() {
		path.Fails = path.Fails.With(know)
	}
	return path
}

// stops reports whether h makes no other attempt after what is below it has given uc.
func (c *composer) stops(h Hop) bool {
	if !h.Sees.Known() {
		return false
	}
	if h.Repeats.Answer(h.Sees) == fault.No {
		return true
	}
	keeper := c.close(h.Keeper)
	if keeper.Kind != value.Func {
		return false
	}
	answer := c.casesNamed(keeper.Name).Answer(h.Sees)
	return answer != fault.Unsure && h.GateEnds.After(answer == fault.Yes)
}
