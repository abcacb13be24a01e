// Package catalog knows what libraries and clients do about retries: which calls repeat an operation, how many attempts
// they make by default, and which option, field or method changes that.
//
// The knowledge is data, one YAML file for each import path root below data/, named after it: what is said of
// github.com/hashicorp/go-retryablehttp stands in data/github.com/hashicorp/go-retryablehttp.yaml, and the file with the
// longest matching path speaks for a package, so that v4 of a library may differ from v3. A file is read only when a
// package imports something below its root. Adding a library touches one file and its test.
//
// # Names
//
// Symbols are written relative to the file's root: NewClient for a function of the root package, config.LoadDefaultConfig
// for one of the package <root>/config, (*Client).Do and (service/dynamodb.Client).Scan for methods, with the star where
// the receiver is a pointer. A * inside of a name stands for any run of characters without slash, dot or parenthesis:
// (*service/*.Client).*. An exact name wins over a pattern, an earlier pattern over a later one. A method that is promoted
// from an embedded type is looked up under the outer type first. The receiver of an interface method is written without star.
//
// # Values
//
// A library decides its number of attempts by a value: a client, a policy, a configuration. The file lists the types of
// such values as policies, with the settings that decide. Functions return policy values, options or marks, change the
// settings of their receiver, or are sites: calls that repeat an operation. All counts are total attempts; a setting
// states by its unit how the library counts.
package catalog

// A Library is one file of the catalogue.
type Library struct {
	// Name is what messages call the library: retryablehttp.
	Name string `yaml:"name"`
	// Module is the module path, as in go.mod; std for the standard library. It decides which version applies.
	Module string `yaml:"module"`
	// Checked is the version whose source was read.
	Checked string `yaml:"checked"`
	// Source names the files and functions that were read: "client.go: Client.Do".
	Source []string `yaml:"source"`
	// Measured tells what running the library showed, if it was run.
	Measured string `yaml:"measured,omitempty"`
	// Note is for what a reader of a finding would want to know.
	Note      string      `yaml:"note,omitempty"`
	Policies  []*Policy   `yaml:"policies,omitempty"`
	Functions []*Function `yaml:"functions"`

	// Partial is set for what a project says of its own code: functions that aren't listed are inferred from their bodies.
	Partial bool `yaml:"-"`

	root string // import path that names are relative to
}

// Versions limits a row to some versions of the module: from Since (inclusive) to Before (exclusive). Empty is open. Rows
// of the same name are tried in order; if the version is unknown, the first row that has no Before applies.
type Versions struct {
	Since  string `yaml:"since,omitempty"`
	Before string `yaml:"before,omitempty"`
}

// A Policy is a type whose values decide about attempts.
type Policy struct {
	// Type is the name of the type, without star. A made-up name in lower case stands for values that have no type of
	// their own, such as the arguments of a function.
	Type     string `yaml:"type"`
	Versions `yaml:",inline"`
	// Default is the number of total attempts of one call when no setting says otherwise.
	Default Attempts `yaml:"default"`
	// Elapsed is the time after which the library gives up by default: 15m. Empty: no such limit.
	Elapsed string `yaml:"elapsed,omitempty"`
	// Settings decide the number, the first one that is set wins. Fields of the type are settings under their own names
	// (nested: Retry.Max); other names are given by the functions that set them.
	Settings []Setting `yaml:"settings,omitempty"`
	// Outer are settings that hold layers around this one, such as interceptors; Inner those that hold the layer below,
	// such as the HTTP client or transport. Their values are policy values, types with a RoundTrip method, or lists.
	Outer []string `yaml:"outer,omitempty"`
	Inner []string `yaml:"inner,omitempty"`
	// Wait says in a word or two what lies between attempts: "exponential, jitter, 1s to 30s", none.
	Wait string `yaml:"wait,omitempty"`
	// Regular tells that the delays have no random part, unless a setting says otherwise. Growing tells that they grow without a
	// maximum, unless a setting gives one.
	Regular bool `yaml:"regular,omitempty"`
	Growing bool `yaml:"growing,omitempty"`
	// Budget is what admits retries beside their number, if the library has that without being told to.
	Budget *Budget `yaml:"budget,omitempty"`
	// Randomize is what code writes to give the delays a random part: ".Call(%s)", where %s stands for the policy value and the dot
	// for the library's package, or "Field: value" for a field of its literal.
	Randomize string `yaml:"randomize,omitempty"`
}

// A Budget bounds the retries of all who share it.
type Budget struct {
	// Kind is rate, if it bounds how many retries there are, or concurrency, if it bounds how many run at a time.
	Kind string `yaml:"kind"`
	// Name is what users may call it: token bucket of 500.
	Name string `yaml:"name"`
}

// A Setting is one way to decide the number of attempts.
type Setting struct {
	Name     string `yaml:"name"`
	Versions `yaml:",inline"`
	// Unit is attempts (n means n), retries (n means n + 1), elapsed (a time limit; its value is no count), off (true means
	// one attempt), on (false means one attempt), policy (another policy value, whose attempts count),
	// grpc-service-config (a JSON string), cap (n takes the place of the other settings' Max and decides nothing else),
	// context (no number: the context of the sites whose Context is policy), asked (no number: a function that is asked whether
	// an error is repeated; false ends the attempts), budget (no number: where it is set, Budget admits retries), silent (no number: only where it is true, no error
	// tells that an operation was never executed), or, of the delays and not of a number either: jitter (they have a random part,
	// unless it is 0), delay (0 means no wait), delays (a function that computes them), growing (true means without a maximum),
	// ceiling (their maximum).
	Unit string `yaml:"unit"`
	// Zero and Negative are the total attempts that 0 and negative values make, where they don't follow from the unit:
	// a number, unlimited, default (as if not set), never (the operation isn't executed, and no error tells), error (it isn't
	// executed, and an error tells).
	Zero     Attempts `yaml:"zero,omitempty"`
	Negative Attempts `yaml:"negative,omitempty"`
	// Budget is what a setting of the unit budget sets, or retryThrottling of a grpc-service-config.
	Budget *Budget `yaml:"budget,omitempty"`
	// Max is the largest number of total attempts that the library accepts; more are cut down to it.
	Max int `yaml:"max,omitempty"`
	// Regular are the functions of the library that a setting of the unit delays may have and that have no random part.
	Regular []string `yaml:"regular,omitempty"`
	// Randomize is what code writes to give one of those a random part, as that of a policy.
	Randomize string `yaml:"randomize,omitempty"`
}

// Attempts is a number of total attempts, or a word: unlimited, elapsed (bounded by time only), caller (decided by an
// argument that must be given), default, never, error. Empty: not stated.
type Attempts string

// A Function is what some functions or methods of the library do. Exactly one of Returns, Option, Sets, Site and Marks is
// set, but that Sets may stand beside Returns.
type Function struct {
	Names []string `yaml:"names"`
	// Except are names that a pattern in Names must not take.
	Except   []string `yaml:"except,omitempty"`
	Versions `yaml:",inline"`
	// Returns is the policy value that the first result is.
	Returns *Value `yaml:"returns,omitempty"`
	// Option is what the first result, a value given to another function, sets there.
	Option *Value `yaml:"option,omitempty"`
	// Sets are settings of the receiver that a call changes. The first result is the receiver again, if it has its type.
	Sets map[string]Source `yaml:"sets,omitempty"`
	// Site makes each call a retry site.
	Site *Site `yaml:"site,omitempty"`
	// Marks is permanent or retryable: the first result is the error argument with a mark that sites of this library
	// look for.
	Marks string `yaml:"marks,omitempty"`
}

// A Value describes a policy value by the settings that are known.
type Value struct {
	// Policy is the type, as in Policy.Type; also one of another library, by full path: net/http.Client.
	Policy string `yaml:"policy"`
	// From is where the value starts from, if not from nothing: recv or argN. Settings that are known carry over by name. A
	// policy whose default is caller, such as an interface, takes over the default of the value's own type as well.
	From Source `yaml:"from,omitempty"`
	// Set gives settings their values.
	Set map[string]Source `yaml:"set,omitempty"`
	// Options is the argument, mostly variadic, that holds options (of this library, or functions of the code under
	// analysis that set fields of the value), applied last.
	Options Source `yaml:"options,omitempty"`
	// Stateful tells that the value remembers what was asked of it: calls at the same time must not share one.
	Stateful bool `yaml:"stateful,omitempty"`
}

// A Source says where something comes from: recv, arg0, arg1, …, a number, true, false, or "new T", a value of the policy T
// with nothing set. The receiver isn't counted among the arguments.
type Source string

// A Site is a call that repeats an operation after it failed.
type Site struct {
	Value `yaml:",inline"`
	// Operation is argN, a function argument (or a value with a field or method that is called: arg1.RoundTrip, recv.Refresh); request, the
	// library's own operation on a remote dependency; loop, the loop whose condition the call is; or result, where the
	// call returns a function or handler that repeats its argument.
	Operation string `yaml:"operation"`
	// Repeats says what is executed again: all (errors; the default), marked (errors with the library's retryable mark
	// only), unmarked (all but errors with its permanent mark; the default where the library has such a mark),
	// conflict (compare-and-swap conflicts only), false (the operation returns (done bool, err error); an error ends it),
	// true (it returns (again bool, err error)).
	Repeats string `yaml:"repeats,omitempty"`
	// Asks is argN, a function argument that is asked whether an error is repeated: false ends the attempts.
	Asks string `yaml:"asks,omitempty"`
	// Role is retry (the default), poll, tick, worker, reconnect, cas, hedge or other. Only retry sites count.
	Role string `yaml:"role,omitempty"`
	// Context is where the context comes from: argN, recv, request, policy, or none.
	Context string `yaml:"context,omitempty"`
	// Waits tells whether the wait between attempts watches that context: watched, ignored, or none if it doesn't wait.
	Waits string `yaml:"waits,omitempty"`
	// Errors limits the failures that are repeated to a kind so rare that a surrounding retry isn't multiplied by it:
	// connection (database/sql's ErrBadConn, net/http's stale connections). Empty: the usual transient ones.
	Errors string `yaml:"errors,omitempty"`
}
