package catalog

import (
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Everyday is what everyday packages, those of the standard library above all, do beside retrying: what can't fail for the
// reasons that retries are for, what never returns, what is made of an error. It is one file, everyday.yaml, beside the data of
// libraries. Names in it are exact; there are no patterns and no versions.
type Everyday struct {
	// Checked is the version of Go whose library was read, Source where.
	Checked string   `yaml:"checked"`
	Source  []string `yaml:"source"`
	// Packages are import paths. Nobody repeats their functions because of a failure that passes: an operation in a loop is
	// something else. A package that Waits has functions that let time pass. One that Computes answers the same whenever it is
	// asked the same.
	Packages []Everything `yaml:"packages"`
	// Types are those, as pkgpath.Name, whose methods are like functions of Packages.
	Types []Everything `yaml:"types"`
	// Methods are names of methods, of any type, a second call of which isn't the same operation.
	Methods []Everything `yaml:"methods"`
	// Answers are types, as pkgpath.Name, whose methods tell what came of one request, whatever they are called.
	Answers []Everything `yaml:"answers"`
	// Interfaces are packages whose interfaces have no implementation that retries.
	Interfaces []Everything `yaml:"interfaces"`
	// Random are packages whose functions and methods are there for randomness: what they return differs from caller to caller.
	Random []Everything `yaml:"random"`
	// Remote are types, as pkgpath.Name, and functions, as pkgpath.Func, that ask another process over a network, or answer
	// questions about the errors of those that do.
	Remote []Everything `yaml:"remote"`
	// Opened are types whose values have to be closed.
	Opened []Lifetime `yaml:"opened"`
	// Collectors are types of writers that keep what is written to them.
	Collectors []Everything `yaml:"collectors"`
	// Transactions are types of database transactions, which are over once something in them has failed.
	Transactions []Everything `yaml:"transactions"`
	// Stateful are types, as pkgpath.Name, that compute delays and remember what was asked of them.
	Stateful []Everything `yaml:"stateful"`
	// Aliases are functions that do what another one does, which is spoken of in their place.
	Aliases []Same `yaml:"aliases"`
	// Functions are full names as go/types writes them: fmt.Errorf, (*log.Logger).Fatal.
	Functions []Doing `yaml:"functions"`
	// Contexts are functions that take no context, though another one that does the same takes one. Those that the other is
	// named after, with Context, WithContext or Ctx at the end, aren't listed.
	Contexts []Replaced `yaml:"contexts"`
	// Bound are types, as pkgpath.Name, whose methods need no context: they got one when they were made.
	Bound []Everything `yaml:"bound"`
}

// Replaced says what takes a context where functions take none.
type Replaced struct {
	Use   string   `yaml:"use"`
	Names []string `yaml:"names"`
}

// Same says what functions are the same as.
type Same struct {
	Of    string   `yaml:"of"`
	Names []string `yaml:"names"`
}

// Everything is a list of names that one thing holds for.
type Everything struct {
	// Why says what holds, in a few words.
	Why   string   `yaml:"why"`
	Names []string `yaml:"names"`
	Waits bool     `yaml:"waits,omitempty"`

	Computes bool `yaml:"computes,omitempty"`
}

// Doing says what functions do.
type Doing struct {
	// Does is end (it never returns), make-error (the result is an error, always), make-answer (the same, but it is for a client, who
	// isn't told everything), ask-error (a question about the error that is the first argument; the answer for nil is false),
	// ask-code (the result is the number of its kind, 0 for nil and for no other), pass-error (the result is made of the errors that are given), detach-context (the result is a context that no caller ends),
	// read-setting (the result is a number that somebody wrote somewhere, or would have written), limit-context (it is the one that is given, with a limit of time), own-context (the result is a context that something else
	// may end), or randomise (the result is the argument with jitter).
	Does  string   `yaml:"does"`
	Names []string `yaml:"names"`
}

//go:embed everyday.yaml
var everydayData []byte

// everyday is the file, indexed. One that doesn't parse is a mistake of the build, which the tests find.
var everyday = sync.OnceValue(func() *index {
	e, err := parseEveryday(everydayData)
	if err != nil {
		panic(err)
	}
	return e.index()
})

func parseEveryday(content []byte) (*Everyday, error) {
	e := new(Everyday)
	return e, decode("everyday.yaml", content, e)
}

type set map[string]bool

type index struct {
	in                              map[string]set // names by list
	waiting, computing              set
	does, contexts, opened, aliases map[string]string
}

func (e *Everyday) index() *index {
	i := &index{in: map[string]set{}}
	for list, rows := range e.lists() {
		i.in[list] = names(rows)
	}
	i.waiting = names(slices.DeleteFunc(slices.Clone(e.Packages), func(row Everything) bool { return !row.Waits }))
	i.computing = names(slices.DeleteFunc(slices.Clone(e.Packages), func(row Everything) bool { return !row.Computes }))
	i.opened = map[string]string{}
	for _, row := range e.Opened {
		for _, name := range row.Names {
			i.opened[name] = row.Close
		}
	}
	i.does, i.contexts = map[string]string{}, map[string]string{}
	for _, row := range e.Functions {
		for _, name := range row.Names {
			i.does[name] = row.Does
		}
	}
	for _, row := range e.Contexts {
		for _, name := range row.Names {
			i.contexts[name] = row.Use
		}
	}
	i.aliases = map[string]string{}
	for _, row := range e.Aliases {
		for _, name := range row.Names {
			i.aliases[name] = row.Of
		}
	}
	return i
}

// lists are those in which a name says all, by what the file calls them.
func (e *Everyday) lists() map[string][]Everything {
	return map[string][]Everything{
		"packages":     e.Packages,
		"types":        e.Types,
		"methods":      e.Methods,
		"answers":      e.Answers,
		"interfaces":   e.Interfaces,
		"random":       e.Random,
		"remote":       e.Remote,
		"collectors":   e.Collectors,
		"transactions": e.Transactions,
		"stateful":     e.Stateful,
		"bound":        e.Bound,
	}
}

func names(rows []Everything) set {
	s := set{}
	for _, row := range rows {
		for _, name := range row.Names {
			s[name] = true
		}
	}
	return s
}

// LocalPackage reports whether the functions of a package can't fail for the reasons that retries are for.
func LocalPackage(importPath string) bool { return everyday().in["packages"][importPath] }

// Quiet reports whether, beyond that, none of them waits for the sake of waiting.
func Quiet(importPath string) bool {
	return LocalPackage(importPath) && !everyday().waiting[importPath]
}

// LocalMethod reports whether a method can't fail for the reasons that retries are for: by the full name of its receiver's
// type, or by its name, if a second call of what is called so isn't the same operation.
func LocalMethod(receiver, name string) bool {
	return everyday().in["types"][receiver] || everyday().in["methods"][name] && !everyday().in["answers"][receiver]
}

// QuietInterfaces reports whether no interface of a package has an implementation that retries.
func QuietInterfaces(importPath string) bool { return everyday().in["interfaces"][importPath] }

// Computes reports whether the functions of a package answer the same whenever they are asked the same.
func Computes(importPath string) bool { return everyday().computing[importPath] }

// Random reports whether a package is there for randomness.
func Random(importPath string) bool { return everyday().in["random"][importPath] }

// Remote reports whether a function, or the methods of a type, ask another process over a network, or are about the errors of
// those that do.
func Remote(name string) bool { return everyday().in["remote"][name] }

// Stateful reports whether a type computes delays, and remembers what was asked of it.
func Stateful(typeName string) bool { return everyday().in["stateful"][typeName] }

// Alias returns the name of the function that one does the same as: its own, mostly.
func Alias(fullName string) string {
	if of, ok := everyday().aliases[fullName]; ok {
		return of
	}
	return fullName
}

// Does says what a function does, by a word of Doing, "" if nothing is known of it.
func Does(fullName string) string { return everyday().does[fullName] }

// TakesContext says what takes a context in place of a function that takes none, "" if nothing is known of that.
func TakesContext(fullName string) string { return everyday().contexts[fullName] }

// Bound reports whether the methods of a type need no context, since the value got one when it was made.
func Bound(typeName string) bool { return everyday().in["bound"][typeName] }

// Validate reports everything that the types can't express.
func (e *Everyday) Validate() error {
	problems := []error{}
	if e.Checked == "" || len(e.Source) == 0 {
		problems = append(problems, errors.New("checked or source is missing"))
	}
	for list, rows := range e.lists() {
		seen := set{}
		for _, row := range rows {
			if row.Why == "" {
				problems = append(problems, fmt.Errorf("%s: a row doesn't say why", list))
			}
			if (row.Waits || row.Computes) && list != "packages" {
				problems = append(problems, fmt.Errorf("%s: only packages wait or compute", list))
			}
			problems = append(problems, validNames(list, row.Names, seen))
		}
	}
	opened := set{}
	for _, row := range e.Opened {
		if row.Why == "" || row.Close == "" {
			problems = append(problems, errors.New("opened: a row doesn't say why, or how to close it"))
		}
		problems = append(problems, validNames("opened", row.Names, opened))
	}
	seen := set{}
	for _, row := range e.Aliases {
		problems = append(problems, validNames("aliases", append(row.Names, row.Of), seen))
	}
	seen = set{}
	for _, row := range e.Functions {
		problems = append(problems, oneOf("does", row.Does, "end", "make-error", "make-answer", "ask-error", "ask-code", "pass-error", "detach-context", "limit-context", "own-context", "randomise", "read-setting"), validNames("functions", row.Names, seen))
	}
	seen = set{}
	for _, row := range e.Contexts {
		if row.Use == "" {
			problems = append(problems, errors.New("contexts: a row doesn't say what to use"))
		}
		problems = append(problems, validNames("contexts", row.Names, seen))
	}
	return errors.Join(problems...)
}

// validNames finds names that stand twice, and what can't be a name.
func validNames(list string, names []string, seen set) error {
	if len(names) == 0 {
		return fmt.Errorf("%s: a row has no names", list)
	}
	for _, name := range names {
		switch {
		case seen[name]:
			return fmt.Errorf("%s: %s stands twice", list, name)
		case name == "" || strings.ContainsAny(name, " \t") || strings.HasSuffix(name, "/"):
			return fmt.Errorf("%s: %q is no name", list, name)
		case (list == "functions" || list == "contexts") && !strings.Contains(name, "."):
			return fmt.Errorf("%s: %s needs its package", list, name)
		case list == "methods" && strings.ContainsAny(name, "./()"):
			return fmt.Errorf("%s: %s must be the name alone", list, name)
		}
		seen[name] = true
	}
	return nil
}
