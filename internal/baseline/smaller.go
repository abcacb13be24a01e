package baseline

import (
	"strconv"
	"strings"
)

// A chain that has become smaller is not a new one: somebody has lowered the attempts of a layer or has taken one away, which
// must not fail a build; or a run has looked at a part of the program only, and sees a part of the chain.

// within reports whether all layers of a chain are layers of a chain that was known before, in this order and with no more
// attempts each.
func within(chain, known []string) bool {
	for _, layer := range known {
		if len(chain) > 0 && noMore(chain[0], layer) {
			chain = chain[1:]
		}
	}
	return len(chain) == 0
}

// noMore compares the attempts of a layer with those that it had.
func noMore(layer, known string) bool {
	attempts, site, _ := strings.Cut(layer, " by ")
	before, same, _ := strings.Cut(known, " by ")
	if site != same {
		return false
	}
	n, isNumber := strconv.ParseInt(attempts, 10, 64)
	m, wasNumber := strconv.ParseInt(before, 10, 64)
	return attempts == before || isNumber == nil && (before == "unlimited" || wasNumber == nil && n <= m)
}
