// Package callgraph links functions, calls and retry sites across packages, and composes them into chains.
//
// # Summaries
//
// A function is summarised by what a caller needs: what its results are, which fields of its arguments it sets, and the
// paths that an execution may take through retry sites. All are terms over the function's parameters (package value), so
// that a summary says as much about a call as is known of its arguments: a helper that makes `tries` attempts makes five
// where it is called with five, and the function it is given is what it executes. Helpers are thus summarised by parameter;
// callers of one helper are never linked to each other through its body. What the catalogue says of a library function has
// the same form as what is inferred from a body.
//
// # Paths
//
// A path is a sequence of hops, the outermost retry site first, and a tail: a function value or a method of a value that is
// executed inside of them and isn't known yet. At a call, the arguments are substituted; where the tail becomes known, the
// paths of that function are appended. A hop is on a path only if a failure of what follows makes it try again: calls whose
// failure leaves the loop, errors marked as permanent, and boolean answers that are constant end it. What the next hop gives
// up with may end it as well (failures.go).
//
// A function's paths are folded: they already contain what lies below it, since under go vet facts of functions come from
// direct imports only.
package callgraph

import (
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// A Function is the summary of a function, in terms of its parameters.
type Function struct {
	ID string `json:"i,omitempty"`
	// Params are the names of the parameters, the receiver first.
	Params []string `json:"n,omitempty"`
	// Results are the values of the results, as far as they matter.
	Results []value.Term `json:"r,omitempty"`
	// Stores are the fields of parameters that the function sets.
	Stores []Store `json:"s,omitempty"`
	Paths  []Path  `json:"p,omitempty"`
	// Ends says how often the function, as a policy, is asked until it stops.
	Ends []sites.End `json:"e,omitempty"`
	// Waits is set if the function may sleep.
	Waits bool `json:"w,omitempty"`
	// Detaches names the function by which this one, which is given no context, makes one that no caller ends, and asks others
	// under it: Background.
	Detaches string `json:"d,omitempty"`
	// Budget says what the function does to a budget, in the letters of package budget.
	Budget string `json:"b,omitempty"`
	Errors
}

// Errors are what a function tells of errors.
type Errors struct {
	// Fails are the errors that the function returns; FailsAgain and FailsDone those that it returns beside a boolean that is
	// true, or false. Cases are what it answers about an error that it is given.
	Fails      fault.Set   `json:"fa,omitempty"`
	FailsAgain fault.Set   `json:"fg,omitempty"`
	FailsDone  fault.Set   `json:"fd,omitempty"`
	Cases      fault.Cases `json:"fc,omitempty"`
	// States are the package variables by which the function, though nothing failed, tells that a state isn't reached.
	States []string `json:"fs,omitempty"`
}

// A Store sets a field of the struct that a parameter points to.
type Store struct {
	Param int        `json:"p,omitempty"`
	Field string     `json:"f"`
	Value value.Term `json:"v"`
}

// A Path is a way through nested retry sites.
type Path struct {
	Hops []Hop `json:"h,omitempty"`
	Tail *Tail `json:"t,omitempty"`
	// Fails are the errors that the function returns once the first hop has given up or, without hops, the tail has failed.
	Fails fault.Set `json:"f,omitempty"`
	// When are the conditions on parameters under which the way is taken: all must hold (when.go).
	When []value.Term `json:"w,omitempty"`

	wide        bool // the way leads through a value that may be many functions
	anyInstance bool // the way begins in a method whose receiver isn't known
}

// A Tail is what a path goes on to and what isn't known yet: the call of a function value, of a method of a value, or a
// library's site whose policy value isn't known.
type Tail struct {
	// Callee is the function value that is called, the value whose Method is, or the policy value of Site.
	Callee value.Term   `json:"c,omitzero"`
	Method string       `json:"m,omitempty"`
	Args   []value.Term `json:"a,omitempty"`
	// Repeats says which outcomes of the callee the hop before repeats on, as in the catalogue: all, marked, unmarked,
	// false, true. Library is the root of the library whose marks count.
	Repeats string `json:"r,omitempty"`
	Library string `json:"l,omitempty"`
	// Site is the hop that a library's call will be, once its policy value is known; Then is the operation it executes, nil
	// if that is its own request.
	Site *Hop  `json:"s,omitempty"`
	Then *Tail `json:"t,omitempty"`

	at    *Hop   // the call; facts don't carry it
	iface string // type of the value whose method is called; facts don't carry it
}

// A Hop is a retry site on a path.
type Hop struct {
	Kind     string `json:"k,omitempty"` // loop, goto, recursion, straight, helper-call, library-call, client
	Function string `json:"n,omitempty"` // the function that holds the site, as reports call it
	Label    string `json:"l,omitempty"` // what repeats, as reports call it: "loop", "again.Do", "retryablehttp"
	Package  string `json:"p,omitempty"` // import path of the function
	Module   string `json:"m,omitempty"` // path of the module that holds it
	File     string `json:"f,omitempty"` // relative to the module's root
	Line     int    `json:"i,omitempty"`
	Column   int    `json:"j,omitempty"`
	// Assumed says what was assumed of the program to get from the hop before to this one.
	Assumed string `json:"z,omitempty"`
	// Token is the line and column that a report points at, if that isn't Line and Column.
	Token [2]int `json:"q,omitzero"`
	// Attempts is the number of total attempts or, if Policy is set, the policy value that decides it.
	Attempts  value.Term `json:"a,omitzero"`
	Unlimited bool       `json:"u,omitempty"`
	Bounded   string     `json:"b,omitempty"`
	// Policy is the type in the catalogue of Library (a root), at Version, that Attempts is a value of.
	Policy  string `json:"y,omitempty"`
	Library string `json:"r,omitempty"`
	Version string `json:"v,omitempty"`
	// Keeper is the classifier that is given, if one decides about repetitions, Gate is what it answers, and GateEnds tells
	// what of them ends the repetitions.
	Keeper   value.Term     `json:"e,omitzero"`
	Gate     value.Term     `json:"g,omitzero"`
	GateEnds sites.GateEnds `json:"s,omitzero"`
	// Repeats tells whether the site makes another attempt after an error; Sees are the errors that its operation fails with
	// once the next hop has given up.
	Repeats fault.Cases `json:"d,omitempty"`
	Sees    fault.Set   `json:"w,omitempty"`
	// Counter is the variable behind a pointer that the site counts with; sites that count with one variable don't multiply.
	Counter value.Term `json:"c,omitzero"`
	// Helper tells where the loop of a helper stands whose call is this hop: again/again.go:30.
	Helper string `json:"h,omitempty"`
	// Settled is set once the operation of a helper's site is known: callers don't take the site over any more.
	Settled bool `json:"t,omitempty"`
	// Owner identifies the function that a report of this hop belongs to.
	Owner string `json:"o,omitempty"`
	// Accepted are the directives by which the site is no layer of a chain (accepted.go).
	Accepted []Directive `json:"ac,omitempty"`
	// Foreign is set if the site lies in code that can't be reported: a dependency, generated or vendored.
	Foreign bool `json:"x,omitempty"`

	completed string // the function that gives the value whose method the site repeats
}
