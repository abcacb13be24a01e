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
// failure leaves the loop, errors marked as permanent, and boolean answers that are constant end it.
//
// A function's paths are folded: they already contain what lies below it, since under go vet facts of functions come from
// direct imports only.
package callgraph

import (
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// A Function is the summary of a function, in terms of its parameters.
type Function struct {
	ID string
	// Params are the names of the parameters, the receiver first.
	Params []string
	// Results are the values of the results, as far as they matter.
	Results []value.Term
	// Stores are the fields of parameters that the function sets.
	Stores []Store
	Paths  []Path
	// Ends says how often the function, as a policy, is asked until it stops.
	Ends []sites.End
	// Waits is set if the function may sleep.
	Waits bool
}

// A Store sets a field of the struct that a parameter points to.
type Store struct {
	Param int
	Field string
	Value value.Term
}

// A Path is a way through nested retry sites.
type Path struct {
	Hops []Hop
	Tail *Tail
}

// A Tail is what a path goes on to and what isn't known yet: the call of a function value, of a method of a value, or a
// library's site whose policy value isn't known.
type Tail struct {
	// Callee is the function value that is called, the value whose Method is, or the policy value of Site.
	Callee value.Term
	Method string
	Args   []value.Term
	// Repeats says which outcomes of the callee the hop before repeats on, as in the catalogue: all, marked, unmarked,
	// false, true. Library is the root of the library whose marks count.
	Repeats string
	Library string
	// Site is the hop that a library's call will be, once its policy value is known; Then is the operation it executes, nil
	// if that is its own request.
	Site *Hop
	Then *Tail

	at ssa.CallInstruction // the call, in the package that it stands in; facts don't carry it
	fn *ssa.Function
}

// A Hop is a retry site on a path.
type Hop struct {
	Kind     string // loop, goto, recursion, straight, helper-call, library-call, client
	Function string // the function that holds the site, as reports call it
	Label    string // what repeats, as reports call it: "loop", "again.Do", "retryablehttp"
	Package  string // import path of the function
	Module   string // path of the module that holds it
	File     string // relative to the module's root
	Line     int
	Column   int
	// Attempts is the number of total attempts or, if Policy is set, the policy value that decides it.
	Attempts  value.Term
	Unlimited bool
	Bounded   string
	// Policy is the type in the catalogue of Library (a root), at Version, that Attempts is a value of.
	Policy  string
	Library string
	Version string
	// Gate is what a classifier that is given answers, if one decides about each repetition; GateStops is the answer that
	// ends them.
	Gate      value.Term
	GateStops bool
	// Counter is the variable behind a pointer that the site counts with; sites that count with one variable don't multiply.
	Counter value.Term
	// Helper tells where the loop of a helper stands whose call is this hop: again/again.go:30.
	Helper string
	// Settled is set once the operation of a helper's site is known: callers don't take the site over any more.
	Settled bool
	// Owner identifies the function that a report of this hop belongs to.
	Owner string
	// Foreign is set if the site lies in code that can't be reported: a dependency, generated or vendored.
	Foreign bool
}
