package callgraph

import (
	"slices"
	"sort"
	"strings"

	"github.com/retrylint/retrylint/internal/value"
)

const maxHops = 8

// prune keeps the paths that can matter: of those that differ in lines only, one; of many, the worst.
func (c *composer) prune(list []Path) []Path {
	var kept []Path
	for _, path := range list {
		if len(path.Hops) == 0 && path.Tail == nil || len(path.Hops) > maxHops {
			continue
		}
		if i := indexOfRoute(kept, path); i >= 0 {
			if path.names() < kept[i].names() {
				path, kept[i] = kept[i], path
			}
			kept[i] = kept[i].unite(path)
			continue
		}
		kept = append(kept, path)
	}
	return c.worst(kept)
}

// worst keeps as many paths as are allowed, the worst. Paths that directives accept a site of are kept beside, as many as
// the others: they are told to nobody, but a directive counts as unused if they are left out.
func (c *composer) worst(list []Path) []Path {
	if len(list) <= c.limits.paths {
		return list
	}
	sort.SliceStable(list, func(i, j int) bool { return weight(list[i]) > weight(list[j]) })
	var kept []Path
	var others, accepted int
	for _, path := range list {
		n := &others
		if path.accepted() {
			n = &accepted
		}
		if *n++; *n <= c.limits.paths {
			kept = append(kept, path)
		}
	}
	return kept
}

// names are the functions of the sites. Of paths that are alike otherwise, the first by name is told, so that a finding stays
// the same when code changes places.
func (path Path) names() string {
	var b strings.Builder
	for _, h := range path.Hops {
		b.WriteString(h.Package + "." + h.Function + " ")
	}
	return b.String()
}

func (path Path) accepted() bool {
	return slices.ContainsFunc(path.Hops, func(h Hop) bool { return len(h.Accepted) > 0 })
}

// weight orders paths by what they may become: open ones first, since callers may know more, then by number of hops.
func weight(path Path) int {
	w := 2 * len(path.Hops)
	if path.Tail != nil {
		w += 3
	}
	return w
}

// indexOfRoute returns the index of the path that goes the way that path goes, or -1.
func indexOfRoute(list []Path, path Path) int {
	for i, q := range list {
		if sameRoute(q, path) {
			return i
		}
	}
	return -1
}

// sameRoute reports whether two paths go through the same kinds of sites with the same numbers.
func sameRoute(a, b Path) bool {
	if len(a.Hops) != len(b.Hops) || (a.Tail == nil) != (b.Tail == nil) {
		return false
	}
	for i := range a.Hops {
		x, y := a.Hops[i], b.Hops[i]
		if x.Label != y.Label || x.Kind != y.Kind || x.Policy != y.Policy || x.Unlimited != y.Unlimited ||
			!value.Equal(x.Attempts, y.Attempts) || !slices.Equal(x.Accepted, y.Accepted) {
			return false
		}
		if i == 0 && (x.Owner != y.Owner || x.Line != y.Line) {
			return false
		}
	}
	return a.Tail == nil || sameTail(*a.Tail, *b.Tail)
}

func sameTail(a, b Tail) bool {
	if a.Method != b.Method || !value.Equal(a.Callee, b.Callee) ||
		(a.Site == nil) != (b.Site == nil) || (a.Then == nil) != (b.Then == nil) {
		return false
	}
	if a.Site != nil && a.Site.Label != b.Site.Label {
		return false
	}
	return a.Then == nil || sameTail(*a.Then, *b.Then)
}
