package catalog

import (
	"go/token"
	"go/version"
	"iter"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Relative writes the name of a symbol of the package pkgPath as the file of the library does. The symbol is Func,
// (Type).Method or (*Type).Method; Type.Method is understood as (Type).Method.
func (l *Library) Relative(pkgPath, symbol string) string {
	receiver, method, isMethod := splitMethod(symbol)
	below := strings.TrimPrefix(strings.TrimPrefix(pkgPath, l.root), "/")
	if below != "" {
		below += "."
	}
	if !isMethod {
		return below + symbol
	}
	if name, ok := strings.CutPrefix(receiver, "*"); ok {
		return "(*" + below + name + ")." + method
	}
	return "(" + below + receiver + ")." + method
}

// splitMethod takes (*Type).Method or Type.Method apart.
func splitMethod(symbol string) (receiver, method string, ok bool) {
	if inner, found := strings.CutPrefix(symbol, "("); found {
		return strings.Cut(inner, ").")
	}
	return strings.Cut(symbol, ".")
}

// Function returns what the library says of a function, method or variable, or nil. An empty version is an unknown one.
func (l *Library) Function(name, version string) *Function {
	for row := range candidates(l.Functions, name, (*Function).rank) {
		if row.covers(version) {
			return row
		}
	}
	return nil
}

// Policy returns what the library says of a type, or nil.
func (l *Library) Policy(typeName, version string) *Policy {
	for row := range candidates(l.Policies, typeName, (*Policy).rank) {
		if row.covers(version) {
			return row
		}
	}
	return nil
}

// Executes reports whether values of the policy's type are clients that execute something, and no mere settings.
func (l *Library) Executes(p *Policy) bool {
	return slices.ContainsFunc(l.Functions, func(f *Function) bool { return f.Site != nil && f.Site.Policy == p.Type })
}

// Setting returns the setting of that name, or nil.
func (p *Policy) Setting(name, version string) *Setting {
	for i := range p.Settings {
		if setting := &p.Settings[i]; setting.Name == name && setting.covers(version) {
			return setting
		}
	}
	return nil
}

// Decides reports whether a field of the policy's type decides about attempts or layers, or holds fields that do.
func (p *Policy) Decides(field string) bool {
	for _, s := range p.Settings {
		if s.Name == field || strings.HasPrefix(s.Name, field+".") {
			return true
		}
	}
	return slices.Contains(p.Outer, field) || slices.Contains(p.Inner, field)
}

// A rank tells how a row speaks for a name.
type rank int

const (
	silent rank = iota
	byPattern
	byName
)

// candidates yields the rows that speak for the name: those that spell it out first, then those with a pattern.
func candidates[Row any](rows []Row, name string, rankOf func(Row, string) rank) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for _, wanted := range []rank{byName, byPattern} {
			for _, row := range rows {
				if rankOf(row, name) == wanted && !yield(row) {
					return
				}
			}
		}
	}
}

func (f *Function) rank(name string) rank {
	if slices.Contains(f.Names, name) {
		return byName
	}
	if !token.IsExported(name[strings.LastIndexByte(name, '.')+1:]) {
		return silent // a pattern means what users call, and not what the library's own code calls
	}
	takes := func(pattern string) bool { return matches(pattern, name) }
	if slices.ContainsFunc(f.Names, takes) && !slices.ContainsFunc(f.Except, takes) {
		return byPattern
	}
	return silent
}

func (p *Policy) rank(name string) rank {
	switch {
	case p.Type == name:
		return byName
	case matches(p.Type, name):
		return byPattern
	}
	return silent
}

// matches tells whether the pattern, in which a star stands for any run of characters within a path element or
// identifier, takes the name. The star of a pointer receiver stands for itself.
func matches(pattern, name string) bool {
	if rest, ok := strings.CutPrefix(pattern, "(*"); ok {
		below, isPointer := strings.CutPrefix(name, "(*")
		return isPointer && matchesRun(rest, below)
	}
	return matchesRun(pattern, name)
}

func matchesRun(pattern, name string) bool {
	before, after, hasStar := strings.Cut(pattern, "*")
	if !hasStar {
		return pattern == name
	}
	rest, ok := strings.CutPrefix(name, before)
	for ok && !matchesRun(after, rest) {
		ok = rest != "" && !strings.ContainsAny(rest[:1], "/.()")
		rest = rest[min(1, len(rest)):]
	}
	return ok
}

// covers tells whether the row applies to a version of the module.
func (v Versions) covers(current string) bool {
	if !isVersion(current) {
		return v.Before == ""
	}
	return (v.Since == "" || compare(current, v.Since) >= 0) && (v.Before == "" || compare(current, v.Before) < 0)
}

// isVersion is false for the versions of local builds, such as (devel), which tell as little as an empty one.
func isVersion(name string) bool { return semver.IsValid(name) || version.IsValid(name) }

// compare orders versions of modules, or those of Go itself, which are written go1.26.
func compare(a, b string) int {
	if version.IsValid(a) {
		return version.Compare(a, b)
	}
	return semver.Compare(a, b)
}
