package catalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Spelling is how code that uses a library writes a setting.
type Spelling struct {
	// Name is that of the field, or of the function or method that is given the value: RetryMax, strategy.Limit. It is empty
	// where the value is an argument of the call that repeats, or of one of many functions.
	Name string
	// Fixed is set if the function takes no value: calling it decides.
	Fixed bool
}

// Spelling tells how a setting of a policy is written at a version. Made-up names, in lower case, stand for what the
// functions of the library set.
func (l *Library) Spelling(policy, setting, version string) Spelling {
	if first, _ := utf8.DecodeRuneInString(setting); unicode.IsUpper(first) {
		return Spelling{Name: setting}
	}
	setters := l.settersOf(policy, setting, version)
	for _, f := range setters {
		if f.Site == nil && isArgument(string(f.sets(setting))) {
			return Spelling{Name: spelledAs(f)}
		}
	}
	switch {
	case len(setters) == 0:
		return Spelling{Name: setting} // a key in lower case, of the library's own
	case setters[0].Site != nil:
		return Spelling{}
	}
	return Spelling{Name: spelledAs(setters[0]), Fixed: true}
}

// spelledAs names a function that sets something, or both if the row stands for two. Of more, nobody would know which.
func spelledAs(f *Function) string {
	var names []string
	for _, name := range f.Names {
		if name = spelled(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 2 {
		return ""
	}
	return strings.Join(names, " or ")
}

// settersOf lists the functions that give a setting a value, those that speak of the policy first: settings carry over by
// name from one policy to another.
func (l *Library) settersOf(policy, setting, version string) []*Function {
	var own, others []*Function
	for _, f := range l.Functions {
		if f.sets(setting) == "" || !f.covers(version) {
			continue
		}
		if slices.ContainsFunc(f.values(), func(v *Value) bool { return v.Policy == policy }) {
			own = append(own, f)
		} else {
			others = append(others, f)
		}
	}
	return append(own, others...)
}

// sets is what the function gives a setting, "" if nothing.
func (f *Function) sets(setting string) Source {
	if s := f.Sets[setting]; s != "" {
		return s
	}
	for _, v := range f.values() {
		if s := v.Set[setting]; s != "" {
			return s
		}
	}
	return ""
}

// spelled is the name of a function as code writes it: with the last element of its package's path, without a receiver.
func spelled(name string) string {
	if _, method, isMethod := splitMethod(name); isMethod && strings.HasPrefix(name, "(") {
		return method
	}
	return name[strings.LastIndex(name, "/")+1:]
}

// Counted says what number of total attempts came of n, in a few words: RetryMax 2 makes 3.
func (s Spelling) Counted(setting Setting, n int64, makes string) string {
	value := strconv.FormatInt(n, 10)
	switch {
	case s.Fixed:
		return cmp.Or(s.Name, "a setting") + " makes " + makes
	case s.Name != "":
		return s.Name + " " + value + " makes " + makes
	case setting.Unit == "retries":
		return "given " + value + " retries, which makes " + makes
	}
	return "given " + value + ", which makes " + makes
}

// Counts says by which setting a number is decided that isn't known.
func (s Spelling) Counts(setting Setting) string {
	name := cmp.Or(s.Name, "its argument")
	if setting.Unit == "retries" {
		return name + " counts retries"
	}
	return "set by " + name
}
