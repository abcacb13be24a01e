package baseline

import (
	"math/big"
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

// noMore compares the attempts of a layer with those that it had. Of a setting, the defaults are compared.
func noMore(layer, known string) bool {
	attempts, site, _ := strings.Cut(layer, " by ")
	before, same, _ := strings.Cut(known, " by ")
	if site != same {
		return false
	}
	name, n := parsed(attempts)
	setting, m := parsed(before)
	switch {
	case attempts == before:
		return true
	case before == "unlimited":
		return n != nil && name == ""
	}
	return n != nil && m != nil && name == setting && n.Cmp(m) <= 0
}

// parsed reads 3, cfg.Max (default 3), and names without a number: cfg.Max, unlimited.
func parsed(attempts string) (setting string, n *big.Int) {
	setting, number, hasDefault := strings.Cut(attempts, " (default ")
	if !hasDefault {
		setting, number = "", attempts
	}
	n, isNumber := new(big.Int).SetString(strings.TrimSuffix(number, ")"), 10)
	if !isNumber {
		return attempts, nil
	}
	return setting, n
}

// Growth tells by how much a chain has grown since an entry was written: "was 9 attempts, is 30". Where the attempts of a layer
// aren't a number, it has no words for it.
func (f *Fingerprint) Growth(since *Entry) string {
	before, now := product(since.Chain), product(f.Chain)
	if before == "" || now == "" || before == now {
		return ""
	}
	return "was " + before + " attempts, is " + now
}

// product multiplies the attempts of all layers, with the defaults of settings; it is empty if one of them has no number.
func product(chain []string) string {
	all, unlimited := big.NewInt(1), false
	for _, layer := range chain {
		attempts, _, _ := strings.Cut(layer, " by ")
		_, n := parsed(attempts)
		switch {
		case n != nil:
			all.Mul(all, n)
		case attempts == "unlimited":
			unlimited = true
		default:
			return ""
		}
	}
	if unlimited {
		return "unlimited"
	}
	return all.String()
}
