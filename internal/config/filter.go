package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/retrylint/retrylint/internal/rules"
)

// A Filter says which findings are wanted: flags of a run do, and a file for what lies below it or below one of its paths.
type Filter struct {
	Only, Enable, Disable []rules.Name
	// MaxAttempts hides chains whose product is known and not above it; 0 says nothing.
	MaxAttempts int
}

// Says reports whether findings of a category are wanted, and whether the filter says anything about them. It goes from the
// most to the least specific word: what names the category wins over what names the rule.
func (f *Filter) Says(rule, category string) (wanted, said bool) {
	exact, whole := rules.Name{Rule: rule, Category: category}, rules.Name{Rule: rule}
	switch {
	case slices.Contains(f.Disable, exact):
		return false, true
	case slices.Contains(f.Enable, exact), slices.Contains(f.Only, exact):
		return true, true
	case slices.Contains(f.Disable, whole):
		return false, true
	case slices.Contains(f.Enable, whole):
		return true, true
	case len(f.Only) > 0:
		return slices.Contains(f.Only, whole) && !rules.OptIn(rule, category), true
	}
	return false, false
}

// Wanted asks filters one after the other; where none says anything, all categories are wanted that aren't opt-in.
func Wanted(filters []Filter, rule, category string) bool {
	for i := range filters {
		if wanted, said := filters[i].Says(rule, category); said {
			return wanted
		}
	}
	return !rules.OptIn(rule, category)
}

// MaxAttempts is the threshold of the first filter that has one, or 0.
func MaxAttempts(filters []Filter) int {
	for _, f := range filters {
		if f.MaxAttempts > 0 {
			return f.MaxAttempts
		}
	}
	return 0
}

// A scope is what one file says of the findings below its directory.
type scope struct {
	dir       string
	rules     Filter
	tests     *bool
	exclude   []string
	paths     []override
	platforms []Layer
	retry     Retry
}

// An override is what holds for the files that a pattern matches.
type override struct {
	pattern string
	Filter
}

// Filters returns what holds for findings in a file, an absolute path, the most specific first: paths before rules, later ones
// before earlier ones, and files deeper in the tree before those above them.
func (c *Config) Filters(file string) []Filter {
	var paths, whole []Filter
	for _, s := range c.around(file) {
		for _, o := range slices.Backward(s.paths) {
			if s.matches(o.pattern, file) {
				paths = append(paths, o.Filter)
			}
		}
		whole = append(whole, s.rules)
	}
	return append(paths, whole...)
}

// Tests reports whether findings in a file are wanted even if it is a test's.
func (c *Config) Tests(file string) bool {
	for _, s := range c.around(file) {
		if s.tests != nil {
			return *s.tests
		}
	}
	return false
}

// Excluded reports whether findings in the file, an absolute path, are not wanted.
func (c *Config) Excluded(file string) bool {
	return slices.ContainsFunc(c.scopes, func(s scope) bool {
		return slices.ContainsFunc(s.exclude, func(pattern string) bool { return s.matches(pattern, file) })
	})
}

// around lists the scopes that a file lies in, the nearest first.
func (c *Config) around(file string) []scope {
	var list []scope
	for _, s := range c.scopes {
		if rel, ok := s.relative(file); ok && rel != ".." && !strings.HasPrefix(rel, "../") {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(a, b scope) int { return cmp.Compare(len(b.dir), len(a.dir)) })
	return list
}

func (s *scope) matches(pattern, file string) bool {
	rel, ok := s.relative(file)
	return ok && matches(pattern, rel)
}

func (s *scope) relative(file string) (string, bool) {
	rel, err := filepath.Rel(s.dir, file)
	return filepath.ToSlash(rel), err == nil
}
