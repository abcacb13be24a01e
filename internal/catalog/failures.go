package catalog

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Failures is what is known of errors that libraries return, as far as a repetition has to tell them apart. It is one file,
// failures.yaml. Names are exact, as go/types writes them; there are no patterns and no versions.
type Failures struct {
	// Checked is the version of Go whose library was read, Source where.
	Checked string   `yaml:"checked"`
	Source  []string `yaml:"source"`
	// Functions say what functions do, by a word of failureWords.
	Functions []Doing `yaml:"functions"`
	// Wraps are functions whose errors are always of one type, around whatever happened.
	Wraps []Wrapping `yaml:"wraps"`
	// Encloses are functions that return their first argument, an error, inside of one of a type, and nil for nil.
	Encloses []Wrapping `yaml:"encloses"`
	// Statuses are fields, as pkgpath.Type.Field, that hold the status of an answer.
	Statuses []string `yaml:"statuses"`
	// Permanent are package variables that hold errors which a second attempt meets again.
	Permanent []string `yaml:"permanent"`
	// Fails are functions that are known to fail with one of them.
	Fails []Failing `yaml:"fails"`
}

// Wrapping says in which type the errors of functions arrive.
type Wrapping struct {
	Type  string   `yaml:"type"`
	Names []string `yaml:"names"`
}

// Failing says with which package variable functions can fail.
type Failing struct {
	Error string   `yaml:"error"`
	Names []string `yaml:"names"`
}

// failureWords are what functions do. A function that does parse fails because of what it is given, so that it fails again.
// One that does ignore returns nil for one kind of error, and every other as it is. One that does look-outside asks what the
// error itself is and not what it wraps. The first result of one that does no-result is nil if the error isn't.
var failureWords = []string{"parse", "ignore", "look-outside", "no-result"}

//go:embed failures.yaml
var failuresData []byte

type failureIndex struct {
	does, wraps, encloses, fails map[string]string
	statuses, permanent          set
}

// failures is the file, indexed. One that doesn't parse is a mistake of the build, which the tests find.
var failures = sync.OnceValue(func() *failureIndex {
	f, err := parseFailures(failuresData)
	if err != nil {
		panic(err)
	}
	i := &failureIndex{does: map[string]string{}, wraps: map[string]string{}, encloses: map[string]string{}, fails: map[string]string{}, statuses: setOf(f.Statuses), permanent: setOf(f.Permanent)}
	for _, row := range f.Functions {
		assign(i.does, row.Names, row.Does)
	}
	for _, row := range f.Wraps {
		assign(i.wraps, row.Names, row.Type)
	}
	for _, row := range f.Encloses {
		assign(i.encloses, row.Names, row.Type)
	}
	for _, row := range f.Fails {
		assign(i.fails, row.Names, row.Error)
	}
	return i
})

func assign(m map[string]string, names []string, value string) {
	for _, name := range names {
		m[name] = value
	}
}

func parseFailures(content []byte) (*Failures, error) {
	f := new(Failures)
	return f, decode("failures.yaml", content, f)
}

// Parses reports whether a function fails because of what it is given.
func Parses(fullName string) bool { return failures().does[fullName] == "parse" }

// Ignores reports whether a function returns nil for one kind of error, and every other as it is.
func Ignores(fullName string) bool { return failures().does[fullName] == "ignore" }

// LooksOutside reports whether a function asks what an error itself is, and not what it wraps.
func LooksOutside(fullName string) bool { return failures().does[fullName] == "look-outside" }

// NoResult reports whether the first result of a function is nil if its error isn't.
func NoResult(fullName string) bool { return failures().does[fullName] == "no-result" }

// WrapsIn returns the type that all errors of a function have, "" if none is known.
func WrapsIn(fullName string) string { return failures().wraps[fullName] }

// EnclosesIn returns the type of error that a function returns its first argument in, "" if it isn't known to.
func EnclosesIn(fullName string) string { return failures().encloses[fullName] }

// FailsWith returns the package variable that a function can fail with, "" if none is known.
func FailsWith(fullName string) string { return failures().fails[fullName] }

// Status reports whether a field, as pkgpath.Type.Field, holds the status of an answer.
func Status(field string) bool { return failures().statuses[field] }

// Permanent reports whether a package variable holds an error that a second attempt meets again.
func Permanent(variable string) bool { return failures().permanent[variable] }

// Validate reports everything that the types can't express.
func (f *Failures) Validate() error {
	problems := []error{}
	if f.Checked == "" || len(f.Source) == 0 {
		problems = append(problems, errors.New("checked or source is missing"))
	}
	seen := set{}
	for _, row := range f.Functions {
		if !slices.Contains(failureWords, row.Does) {
			problems = append(problems, fmt.Errorf("functions: %q isn't one of %s", row.Does, strings.Join(failureWords, ", ")))
		}
		problems = append(problems, validNames("functions", row.Names, seen))
	}
	seen = set{}
	for _, row := range slices.Concat(f.Wraps, f.Encloses) {
		if !strings.Contains(row.Type, ".") {
			problems = append(problems, fmt.Errorf("wraps: %q is no type of a package", row.Type))
		}
		problems = append(problems, validNames("functions", row.Names, seen))
	}
	for _, row := range f.Fails {
		if !slices.Contains(f.Permanent, row.Error) {
			problems = append(problems, fmt.Errorf("fails: %q isn't listed as permanent", row.Error))
		}
	}
	problems = append(problems, validNames("functions", f.Permanent, set{}), validNames("functions", f.Statuses, set{}))
	return errors.Join(problems...)
}
