package catalog

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Effects is what is known of the world outside: which calls do something again each time they are executed, what makes that
// safe, and after which failures nobody knows whether they have done it. Names of functions are full, as go/types writes them:
// io.ReadFull, (*net/http.Client).Do. A * inside of a name stands for any run of characters without slash, dot or parenthesis.
type Effects struct {
	// Checked is when the sources were read, Source where.
	Checked string   `yaml:"checked"`
	Source  []string `yaml:"source"`

	Keys Keys `yaml:"keys"`
	// Fresh are functions whose result is another one each time; Fills fill a buffer with such bytes; the results of Coarse
	// don't hang on small differences.
	Fresh  []Doer   `yaml:"fresh"`
	Fills  []Handed `yaml:"fills"`
	Coarse []string `yaml:"coarse"`

	HTTP         HTTP          `yaml:"http"`
	RPC          RPC           `yaml:"rpc"`
	SQL          SQL           `yaml:"sql"`
	Transactions Transactions  `yaml:"transactions"`
	Accumulators []Accumulator `yaml:"accumulators"`
	Writes       []*Write      `yaml:"writes"`
	Tokens       Tokens        `yaml:"tokens"`
	Repeaters    []Repeater    `yaml:"repeaters"`
	Failures     Outcomes      `yaml:"failures"`

	fresh, coarse, handles set
	questions, subjects    set
	verbs                  set
	tokens                 map[string]string // field, by package and operation
}

// Keys are the names that carry idempotency keys, in lower case without separators.
type Keys struct {
	Names []string `yaml:"names"`
	// Parts make each name a key that holds one of them.
	Parts []string `yaml:"parts"`
	// Requests are keys of calls and structs that mutate only: elsewhere they correlate.
	Requests []string `yaml:"requests"`
	// Preconditions protect a write as well.
	Preconditions []string `yaml:"preconditions"`
	// Unique are parts of names of what finds duplicates.
	Unique []string `yaml:"unique"`
	// Attempts are words of names that are there to tell attempts apart.
	Attempts []string `yaml:"attempts"`
}

// A Doer lists functions that one thing holds for.
type Doer struct {
	Why   string   `yaml:"why"`
	Names []string `yaml:"names"`
}

// Handed is a function and one of its arguments. Source is the variable that an argument before it must be.
type Handed struct {
	Name     string `yaml:"name"`
	Argument int    `yaml:"argument"`
	Source   string `yaml:"source,omitempty"`
}

// HTTP tells how requests are made and sent. Arguments of methods count from the receiver, which is 0.
type HTTP struct {
	Requests []Request `yaml:"requests"`
	Sends    []Request `yaml:"sends"`
	Posts    []Request `yaml:"posts"`
	// Methods aren't idempotent by definition.
	Methods []string `yaml:"methods"`
	// Questions and Subjects are words by which a request of such a method changes nothing, or the same thing each time: of a path
	// or at the beginning of a function's name, or anywhere. Settles are first words of functions that set a state.
	Questions []string `yaml:"questions"`
	Subjects  []string `yaml:"subjects"`
	Settles   []string `yaml:"settles"`
}

// A Request is a function with the arguments that hold the method, the URL, the body, or a request made before.
type Request struct {
	Name    string `yaml:"name"`
	Method  *int   `yaml:"method,omitempty"`
	URL     *int   `yaml:"url,omitempty"`
	Body    *int   `yaml:"body,omitempty"`
	Request *int   `yaml:"request,omitempty"`
}

// RPC tells how methods are called by name, and which names do something again each time.
type RPC struct {
	Invokes []struct {
		Name   string `yaml:"name"`
		Method int    `yaml:"method"`
	} `yaml:"invokes"`
	// Options are the types of the last parameter of generated clients' methods.
	Options []string `yaml:"options"`
	Verbs   []string `yaml:"verbs"`
}

// SQL lists types, with star, and those of their methods that execute a statement: the first string they are given.
type SQL struct {
	Types   []string `yaml:"types"`
	Methods []string `yaml:"methods"`
}

// Transactions tells which functions run a function within a transaction, again or once, and what its handles are.
type Transactions struct {
	Handles []string `yaml:"handles"`
	Again   []Handed `yaml:"again"`
	Once    []Handed `yaml:"once"`
	Commits []string `yaml:"commits"`
}

// An Accumulator is a type with methods that add to it, and some that empty it.
type Accumulator struct {
	Name    string   `yaml:"name"`
	Adds    []string `yaml:"adds"`
	Empties []string `yaml:"empties"`
}

// A Write is a family of calls that do something again each time.
type Write struct {
	// Does ends a sentence about the call; Effect is create, append, relative or send.
	Does     string   `yaml:"does"`
	Effect   string   `yaml:"effect"`
	Packages []string `yaml:"packages"`
	// Types are those that Methods belong to, empty for any.
	Types     []string `yaml:"types,omitempty"`
	Methods   []string `yaml:"methods,omitempty"`
	Functions []string `yaml:"functions,omitempty"`
	// Guards are options, fields or map keys that make it safe, beside keys in general. Keyed is set if a parameter is the key, and
	// Key if it is known which: the number of an argument, without the receiver.
	Guards []string `yaml:"guards,omitempty"`
	Keyed  bool     `yaml:"keyed,omitempty"`
	Key    *int     `yaml:"key,omitempty"`
	// Command limits it to these first string arguments, When to calls with one of these map keys, Text to those with a string
	// that one of these expressions matches.
	Command []string `yaml:"command,omitempty"`
	When    []string `yaml:"when,omitempty"`
	Text    []string `yaml:"text,omitempty"`
}

// Tokens tells which operations of SDKs in packages, by their first word, do something again unless their token is set.
type Tokens struct {
	Packages []string `yaml:"packages"`
	Verbs    []string `yaml:"verbs"`
}

// A Repeater is a library whose clients repeat writes by themselves: always, or where a number is set.
type Repeater struct {
	Library string `yaml:"library"`
	When    string `yaml:"when"`
}

// Outcomes says what code asks about failures, and what that means for a write.
type Outcomes struct {
	Ambiguous Questions `yaml:"ambiguous"`
	Undone    Questions `yaml:"undone"`
	Done      Questions `yaml:"done"`
	Permanent Questions `yaml:"permanent"`
}

// Questions are package variables, types, functions and methods that are asked, and values that codes are compared with.
type Questions struct {
	Names     []string `yaml:"names,omitempty"`
	Types     []string `yaml:"types,omitempty"`
	Functions []string `yaml:"functions,omitempty"`
	Methods   []string `yaml:"methods,omitempty"`
	Codes     []string `yaml:"codes,omitempty"`
	Statuses  []int64  `yaml:"statuses,omitempty"`
	Numbers   []int64  `yaml:"numbers,omitempty"`
	// States are beginnings of SQLSTATE.
	States []string `yaml:"states,omitempty"`
	// Texts are parts of messages, in lower case; Parts those of names.
	Texts []string `yaml:"texts,omitempty"`
	Parts []string `yaml:"parts,omitempty"`
}

//go:embed effects.yaml
var effectsData []byte

//go:embed aws-tokens.tsv
var tokensData string

// effects is the file, indexed. One that doesn't parse is a mistake of the build, which the tests find.
var effects = sync.OnceValue(func() *Effects {
	e, err := parseEffects(effectsData, tokensData)
	if err != nil {
		panic(err)
	}
	return e
})

// OfEffects returns what is known of effects: what the file says, and what a project adds.
func OfEffects() *Effects {
	if own := withOwn.Load(); own != nil {
		return own
	}
	return effects()
}

func parseEffects(content []byte, table string) (*Effects, error) {
	e := new(Effects)
	if err := decode("effects.yaml", content, e); err != nil {
		return nil, err
	}
	e.fresh, e.coarse, e.handles, e.verbs = set{}, setOf(e.Coarse), setOf(e.Transactions.Handles), setOf(e.RPC.Verbs)
	e.questions, e.subjects = setOf(e.HTTP.Questions), setOf(e.HTTP.Subjects)
	for _, row := range e.Fresh {
		for _, name := range row.Names {
			e.fresh[name] = true
		}
	}
	e.tokens = map[string]string{}
	for line := range strings.Lines(table) {
		if row := strings.Fields(line); len(row) == 3 && row[0] != "#" {
			e.tokens[row[0]+"."+row[1]] = row[2]
		}
	}
	return e, nil
}

func setOf(names []string) set {
	s := set{}
	for _, name := range names {
		s[name] = true
	}
	return s
}

// Fresh reports whether a function's result is another one each time.
func (e *Effects) IsFresh(fullName string) bool {
	if e.fresh[fullName] {
		return true
	}
	for name := range e.fresh {
		if strings.Contains(strings.TrimPrefix(name, "(*"), "*") && matches(name, fullName) {
			return true
		}
	}
	return false
}

// IsCoarse reports whether a function's result hides small differences.
func (e *Effects) IsCoarse(fullName string) bool { return e.coarse[fullName] }

// IsHandle reports whether a type, without star, is the handle of a transaction.
func (e *Effects) IsHandle(typeName string) bool { return e.handles[typeName] }

// IsQuestion reports whether a word at the beginning of a name says that a request only asks.
func (e *Effects) IsQuestion(word string) bool { return e.questions[word] || e.subjects[word] }

// Settles reports whether a word at the beginning of a name says that a function sets a state, so that a second time changes nothing.
func (e *Effects) Settles(word string) bool { return slices.Contains(e.HTTP.Settles, word) }

// IsSubject reports whether a word anywhere in a name says so.
func (e *Effects) IsSubject(word string) bool { return e.subjects[word] }

// IsMutation reports whether a method of a service, by its first word, does something again each time.
func (e *Effects) IsMutation(word string) bool { return e.verbs[strings.ToLower(word)] }

// Plain writes a name in lower case without separators.
func Plain(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "", " ", "").Replace(strings.ToLower(name))
}

// IsKey reports whether a name carries an idempotency key. In a mutation, names count that correlate elsewhere.
func (k *Keys) IsKey(name string, mutation bool) bool {
	plain := Plain(name)
	if slices.ContainsFunc(k.Attempts, func(word string) bool { return strings.Contains(plain, word) && !strings.Contains(plain, "retry") }) {
		return false
	}
	return slices.Contains(k.Names, plain) || mutation && slices.Contains(k.Requests, plain) ||
		slices.ContainsFunc(k.Parts, func(part string) bool { return strings.Contains(plain, part) })
}

// Protects reports whether a name carries a key or a precondition, or is that of what finds duplicates.
func (k *Keys) Protects(name string) bool {
	plain := Plain(name)
	return k.IsKey(name, false) || slices.Contains(k.Preconditions, plain) ||
		slices.ContainsFunc(k.Unique, func(part string) bool { return strings.Contains(plain, part) })
}

// Token returns the field that holds the token of an SDK's operation: "" if it has none, or repeats without harm.
func (e *Effects) Token(pkgPath, operation string) string {
	if !slices.ContainsFunc(e.Tokens.Packages, func(pattern string) bool { return matchesRun(pattern, pkgPath) }) {
		return ""
	}
	if !slices.ContainsFunc(e.Tokens.Verbs, func(verb string) bool { return strings.HasPrefix(operation, verb) }) {
		return ""
	}
	return e.tokens[pkgPath[strings.LastIndexByte(pkgPath, '/')+1:]+"."+operation]
}

// Write returns the families that a function or method belongs to: typeName is that of the receiver, without package.
func (e *Effects) WritesOf(pkgPath, typeName, name string) []*Write {
	var list []*Write
	for _, w := range e.Writes {
		if w.covers(pkgPath, typeName, name) {
			list = append(list, w)
		}
	}
	return list
}

func (w *Write) covers(pkgPath, typeName, name string) bool {
	takes := func(value string) func(string) bool {
		return func(pattern string) bool { return matchesRun(pattern, value) }
	}
	if !slices.ContainsFunc(w.Packages, takes(pkgPath)) {
		return false
	}
	if typeName == "" {
		return slices.Contains(w.Functions, name)
	}
	return slices.Contains(w.Methods, name) && (len(w.Types) == 0 || slices.ContainsFunc(w.Types, takes(typeName)))
}

// Repeats reports whether clients of a library repeat writes by themselves: isSet tells whether a number was set.
func (e *Effects) Repeats(library string, isSet bool) bool {
	for _, r := range e.Repeaters {
		if r.Library == library {
			return r.When == "always" || isSet
		}
	}
	return false
}

// Find returns the row of a function, nil if there is none.
func Find(rows []Request, fullName string) *Request {
	for i := range rows {
		if rows[i].Name == fullName {
			return &rows[i]
		}
	}
	return nil
}

// RunsInTransaction returns the argument that a function runs within a transaction, -1 if it does no such thing, and whether it
// runs it again after a conflict.
func RunsInTransaction(fullName string) (argument int, again bool) {
	t := &OfEffects().Transactions
	for _, row := range t.Again {
		if row.Name == fullName {
			return row.Argument, true
		}
	}
	for _, row := range t.Once {
		if row.Name == fullName {
			return row.Argument, false
		}
	}
	return -1, false
}

// Validate reports everything that the types can't express.
func (e *Effects) Validate() error {
	var problems []error
	if e.Checked == "" || len(e.Source) == 0 {
		problems = append(problems, errors.New("checked or source is missing"))
	}
	for _, w := range e.Writes {
		problems = append(problems, oneOf("effect", w.Effect, "create", "append", "relative", "send"))
		if w.Does == "" || len(w.Packages) == 0 || len(w.Methods)+len(w.Functions) == 0 {
			problems = append(problems, fmt.Errorf("a write of %q says too little", w.Packages))
		}
		for _, text := range w.Text {
			if _, err := regexp.Compile(text); err != nil {
				problems = append(problems, err)
			}
		}
	}
	for _, r := range e.Repeaters {
		problems = append(problems, oneOf("when", r.When, "always", "set"))
	}
	for _, list := range [][]string{e.Keys.Names, e.Keys.Parts, e.Keys.Requests, e.Keys.Preconditions, e.Keys.Attempts} {
		for _, name := range list {
			if name != Plain(name) {
				problems = append(problems, fmt.Errorf("%s: names of keys are plain", name))
			}
		}
	}
	return errors.Join(problems...)
}
