// Package fault describes which errors a function can fail with, as far as a caller can tell errors apart: by identity, by
// type, and by what they wrap.
//
// An Error is a line of parts, the error itself first and then what it wraps: `*fmt.wrapError =db.ErrBusy ?` is what
// fmt.Errorf made of db.ErrBusy and of something else that isn't known. A Set lists the errors that there can be; the empty
// set is no knowledge at all: anything. Both are strings, since they travel in facts.
//
// Answers to questions about errors are three-valued. "No" is only said of an error that is known to the last part, modulo
// one assumption: two variables of different names hold different errors, unless the package that declares one is seen to
// copy it from the other.
package fault

import (
	"sort"
	"strings"
)

// An Error is an error value with what it wraps.
type Error string

// The forms of a part, beside the name of a type.
const (
	sentinel = "=" // the value of a package variable: =pkgpath.Name, with ! after it if errors.New made it
	text     = "!"
	unknown  = "?"  // anything, or nothing
	result   = "("  // what a call of a parameter returns: (2
	Tail     = "()" // what the operation at the end of a path returns
)

// Sentinel is the error that a package variable holds.
func Sentinel(variable string) Error { return Error(sentinel + variable) }

// Text is a sentinel that nothing tells apart from others but that it is itself.
func (e Error) Text() Error { return e + text }

// Typed is a new error of a type: pkgpath.Type or *pkgpath.Type.
func Typed(name string) Error { return Error(name) }

// Anything is an error of which nothing is known.
const Anything Error = unknown

// Result is what a call of the parameter i returns.
func Result(i int) Error { return Error(result + itoa(i)) }

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// Wrapping is e with another error inside of it.
func (e Error) Wrapping(inner Error) Error { return e + " " + inner }

// Variable is the package variable that holds e, "" if none is known to.
func (e Error) Variable() string {
	first, _, _ := strings.Cut(string(e), " ")
	name, ok := strings.CutPrefix(first, sentinel)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(name, text)
}

func (e Error) parts() []string { return strings.Fields(string(e)) }

// A Set lists errors, one a line, sorted. The empty set is anything.
type Set string

const (
	maxErrors = 4
	maxLength = 320
)

// Of is the set of the errors given. A set that would be large, or that holds an error of which nothing is known, is
// anything.
func Of(errors ...Error) Set {
	seen := map[string]bool{}
	for _, e := range errors {
		if e == Anything || e == "" {
			return ""
		}
		seen[string(e)] = true
	}
	lines := make([]string, 0, len(seen))
	for e := range seen {
		lines = append(lines, e)
	}
	sort.Strings(lines)
	if text := strings.Join(lines, "\n"); len(lines) <= maxErrors && len(text) <= maxLength {
		return Set(text)
	}
	return ""
}

// Errors lists the errors of a set: Anything for the empty one.
func (s Set) Errors() []Error {
	if s == "" {
		return []Error{Anything}
	}
	var list []Error
	for _, line := range strings.Split(string(s), "\n") {
		list = append(list, Error(line))
	}
	return list
}

// String renders s on one line.
func (s Set) String() string { return strings.ReplaceAll(string(s), "\n", " or ") }

// Known reports whether s says anything.
func (s Set) Known() bool { return s != "" }

// Union is what is in one of the sets.
func Union(sets ...Set) Set {
	var all []Error
	for _, s := range sets {
		all = append(all, s.Errors()...)
	}
	return Of(all...)
}

// Around is s with one of inner's errors inside of each.
func (s Set) Around(inner Set) Set {
	var all []Error
	for _, e := range s.Errors() {
		for _, i := range inner.Errors() {
			all = append(all, e.Wrapping(i))
		}
	}
	return Of(all...)
}

// With puts errors in the place of results: of tails and of parameters. An error whose result becomes several is told once
// for each.
func (s Set) With(results func(part string) Set) Set {
	var all []Error
	for _, e := range s.Errors() {
		all = append(all, e.with(results)...)
	}
	return Of(all...)
}

func (e Error) with(results func(part string) Set) []Error {
	made := []Error{""}
	for _, part := range e.parts() {
		choices := []Error{Error(part)}
		if strings.HasPrefix(part, result) {
			choices = results(part).Errors()
		}
		var next []Error
		for _, m := range made {
			for _, c := range choices {
				next = append(next, Error(strings.TrimSpace(string(m)+" "+string(c))))
			}
		}
		if made = next; len(made) > maxErrors {
			return []Error{Anything}
		}
	}
	return made
}

// Parameter returns the index of the parameter whose result a part is.
func Parameter(part string) (i int, ok bool) {
	digits, ok := strings.CutPrefix(part, result)
	if !ok || part == Tail {
		return 0, false
	}
	for _, d := range digits {
		i = 10*i + int(d-'0')
	}
	return i, true
}
