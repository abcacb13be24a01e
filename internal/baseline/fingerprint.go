// Package baseline recognises findings in another version of the code, and reads and writes the file that holds those a
// project accepts for now.
//
// A finding is recognised by its Fingerprint: the rule, the function that it is in, and what the chain is made of. There are no
// lines, columns or paths of files in it, so that code can move within its package; and there are the attempts of all layers,
// so that a chain is a new one if a layer grows, in whichever package. That is what a comparison of lines can't see: a loop
// that somebody widens in a callee changes no line where the chain is reported.
package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Fingerprint identifies a finding in any version of the code.
type Fingerprint struct {
	Rule     string // rule.category
	Package  string // import path
	Function string // Get, (*Client).Get, var client; empty outside of declarations
	// Chain are the layers of a chain, outermost first: "3 by the loop in example.com/m/store.(*Client).Get".
	Chain []string
	// Ordinal tells findings apart that are the same otherwise, from 1 in the order of the source.
	Ordinal int
}

// Number sets the ordinals of a run's findings, which are in the order of the source.
func Number(list []*Fingerprint) {
	seen := make(map[string]int)
	for _, f := range list {
		f.Ordinal = 0
		key := f.key()
		seen[key]++
		f.Ordinal = seen[key]
	}
}

func (f *Fingerprint) key() string {
	return fmt.Sprintf("%s\n%s\n%s\n%s\n%d", f.Rule, f.Package, f.Function, strings.Join(f.Chain, "\n"), f.Ordinal)
}

// String shows a fingerprint on one line.
func (f *Fingerprint) String() string {
	text := f.Rule + " in " + f.Package
	if f.Function != "" {
		text += "." + f.Function
	}
	if f.Ordinal > 1 {
		text += fmt.Sprintf(", number %d", f.Ordinal)
	}
	if len(f.Chain) > 0 {
		text += ": " + strings.Join(f.Chain, " × ")
	}
	return text
}

func (f *Fingerprint) compare(g *Fingerprint) int {
	return cmp.Or(
		cmp.Compare(f.Package, g.Package), cmp.Compare(f.Function, g.Function), cmp.Compare(f.Rule, g.Rule),
		slices.Compare(f.Chain, g.Chain), cmp.Compare(f.Ordinal, g.Ordinal),
	)
}
