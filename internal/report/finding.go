// Package report turns what the driver collected into what is shown: it selects findings, applies directives, and prints
// text and JSON.
package report

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/analyzers/retryignore"
	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/internal/baseline"
	"github.com/retrylint/retrylint/internal/driver"
)

// Inventory is the analyzer whose diagnostics are data.
const Inventory = "retrysites"

// A Position is a place in a file, whose path is absolute.
type Position struct {
	File      string
	Line, Col int
}

// A Finding is a diagnostic of a rule.
type Finding struct {
	Package    string
	Rule       string
	Category   string // without the rule
	At         Position
	Diagnostic driver.Diagnostic
	// Fingerprint is set by Fingerprints.
	Fingerprint *baseline.Fingerprint

	moduleDir string
	layers    []string // of a chain
}

// Name is rule.category.
func (f *Finding) Name() string { return f.Rule + "." + f.Category }

// findings returns the diagnostics of all rules, sorted by place, each once: a file belongs to several units if it is
// compiled for several.
func findings(units []driver.Unit) []Finding {
	var list []Finding
	for _, u := range units {
		if !u.Named {
			continue
		}
		for rule, diagnostics := range u.Diagnostics {
			for _, d := range diagnostics {
				if f := finding(u, rule, d); f.isRule() {
					list = append(list, f)
				}
			}
		}
	}
	return sorted(list)
}

func finding(u driver.Unit, rule string, d driver.Diagnostic) Finding {
	category := d.Category[strings.LastIndex(d.Category, ".")+1:]
	return Finding{Package: u.ID, Rule: rule, Category: category, At: position(d.Posn), Diagnostic: d, moduleDir: u.ModuleDir}
}

// isRule is false for data, the inventory and directives, and for what the driver tells of packages that were left out.
func (f *Finding) isRule() bool {
	return f.Rule != Inventory && f.Category != rule.Internal && !(f.Rule == retryignore.Analyzer.Name && f.Category == retryignore.Data)
}

func sorted(list []Finding) []Finding {
	slices.SortFunc(list, compare)
	return slices.CompactFunc(list, same)
}

func compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col),
		cmp.Compare(a.Diagnostic.Message, b.Diagnostic.Message), cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Package, b.Package),
	)
}

func same(a, b Finding) bool {
	return a.At == b.At && a.Name() == b.Name() && a.Diagnostic.Message == b.Diagnostic.Message
}

// position reads file:line:col, of which the column may be missing and the file may hold colons.
func position(posn string) Position {
	rest, last := cutNumber(posn)
	file, line := cutNumber(rest)
	if line == 0 {
		return Position{File: rest, Line: last}
	}
	return Position{File: file, Line: line, Col: last}
}

func cutNumber(s string) (rest string, n int) {
	at := strings.LastIndex(s, ":")
	if at < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[at+1:])
	if err != nil {
		return s, 0
	}
	return s[:at], n
}
