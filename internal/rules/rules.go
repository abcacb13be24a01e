// Package rules is the one table of rules and their categories: what they are called, how severe they are, and which are
// reported only on request. What a rule is about stands in the documentation of its analyzer; this table is what the
// command line, directives and output formats need to know about all of them, and it imports nothing, so that all can.
package rules

import (
	"fmt"
	"strings"

	"github.com/retrylint/retrylint/internal/typo"
)

// A Severity says whether code misbehaves today or only could.
type Severity string

const (
	Warning Severity = "warning"
	Info    Severity = "info"
)

// A Rule is one analyzer.
type Rule struct {
	Name       string
	Summary    string
	Categories []Category
}

// A Category is one kind of finding of a rule. Diagnostics carry it as rule.category.
type Category struct {
	Name     string
	Summary  string
	Severity Severity
	OptIn    bool // reported only if it was enabled by name
}

// All lists the rules that exist, in the order in which documentation shows them.
var All = []Rule{
	{"nestedretry", "retries that compose multiplicatively", []Category{
		{Name: "amplification", Summary: "an operation inside a retry site reaches another retry site", Severity: Warning},
	}},
	{"retrydeadline", "retries that ignore the caller's deadline or cancellation", []Category{
		{Name: "sleep", Summary: "a wait between attempts doesn't watch the context in scope", Severity: Warning},
		{Name: "nocontext", Summary: "a context is in scope, but what repeats or an attempt isn't given it", Severity: Warning},
		{Name: "detached", Summary: "an attempt runs under a context that doesn't end with its caller's", Severity: Warning},
		{Name: "ignoresdone", Summary: "the loop goes on after its context is done", Severity: Warning},
		{Name: "overrun", Summary: "the schedule can't fit into the deadline", Severity: Warning},
		{Name: "defercancel", Summary: "the cancel functions of attempts are deferred in the loop", Severity: Warning},
	}},
	{"retrybound", "retries without an end", []Category{
		{Name: "unbounded", Summary: "neither a number, a time limit, a context nor a signal ends the attempts", Severity: Warning},
		{Name: "counterreset", Summary: "the counter or clock that should end the attempts never does", Severity: Warning},
	}},
	{"retrybackoff", "waits between attempts that don't do what they are for", []Category{
		{Name: "nodelay", Summary: "no wait between attempts at a remote dependency", Severity: Warning},
		{Name: "nojitter", Summary: "the delays are the same for all callers", Severity: Info},
		{Name: "uncapped", Summary: "the delay grows without a maximum, or overflows", Severity: Warning},
		{Name: "sleepafterlast", Summary: "waits after the last attempt, though no other follows", Severity: Warning},
		{Name: "backoffreset", Summary: "the backoff begins anew in each round, or is shared by concurrent calls", Severity: Warning},
	}},
	{"retryidempotency", "writes that a retry can execute twice", []Category{
		{Name: "newkey", Summary: "the idempotency key is made anew for each attempt", Severity: Warning},
		{Name: "nokey", Summary: "a write that isn't idempotent is repeated after an ambiguous failure, with no key in sight", Severity: Warning},
		{Name: "closureeffect", Summary: "a transaction that is run again has an effect outside of it", Severity: Warning},
	}},
	{"retryreplay", "state that an attempt leaves for the next", []Category{
		{Name: "body", Summary: "a request body or reader is consumed by the first attempt and not rewound for the next", Severity: Warning},
		{Name: "response", Summary: "the response of a failed attempt is left open", Severity: Warning},
		{Name: "state", Summary: "what a failed attempt has put into an accumulator, buffer, file or transaction reaches the next one", Severity: Warning},
	}},
	{"retryoutcome", "what the caller learns", []Category{
		{Name: "lost", Summary: "after the last attempt its error is dropped, or replaced by one without the cause", Severity: Warning},
		{Name: "success", Summary: "the attempts are exhausted and success is returned", Severity: Warning},
		{Name: "neverruns", Summary: "a setting under which the operation is never executed, and no error tells", Severity: Warning},
	}},
	{"retrybudget", "budgets that don't bound", []Category{
		{Name: "feedback", Summary: "retries feed the budget that admits them", Severity: Warning},
		{Name: "uncapped", Summary: "the balance has no maximum", Severity: Warning},
		{Name: "racy", Summary: "check and spend are not one step, although goroutines share the budget", Severity: Warning},
		{Name: "scope", Summary: "the budget is made for each call, so that each has its own allowance", Severity: Warning},
		{Name: "order", Summary: "the budget is charged before the failure is classified or the deadline checked", Severity: Warning},
		{Name: "attemptsonly", Summary: "a shared, busy dependency is retried under a per-call limit only", Severity: Info, OptIn: true},
	}},
	{"retryclassify", "failures that a repetition can't cure", []Category{
		{Name: "permanent", Summary: "every failure is repeated, often, and one of them is known to stay", Severity: Warning},
		{Name: "contexterror", Summary: "the error of the caller's own context, which is done, is repeated", Severity: Warning},
		{Name: "wrongcheck", Summary: "the classification never matches, or is inverted", Severity: Warning},
		{Name: "retryafter", Summary: "429 is repeated without honouring Retry-After", Severity: Info, OptIn: true},
	}},
	{"retryignore", "directives that suppress findings", []Category{
		{Name: "noreason", Summary: "the directive gives no reason, and so suppresses nothing", Severity: Warning},
		{Name: "unknown", Summary: "the directive names a rule or category that does not exist", Severity: Warning},
		{Name: "unused", Summary: "the directive suppresses nothing (decided in complete runs)", Severity: Warning},
	}},
}

// A Name is a rule, or one category of it.
type Name struct {
	Rule     string
	Category string // empty: every category of the rule
}

func (n Name) String() string {
	if n.Category == "" {
		return n.Rule
	}
	return n.Rule + "." + n.Category
}

// Matches reports whether a finding of this rule and category is meant by the name.
func (n Name) Matches(rule, category string) bool {
	return n.Rule == rule && (n.Category == "" || n.Category == category)
}

// Parse reads rule or rule.category. The error names what is unknown and the nearest name that is known.
func Parse(s string) (Name, error) {
	rule, category, dotted := strings.Cut(s, ".")
	r := Find(rule)
	if r == nil {
		return Name{}, fmt.Errorf("unknown rule %q%s", rule, typo.Hint(rule, names()))
	}
	if !dotted {
		return Name{Rule: rule}, nil
	}
	if r.Category(category) == nil {
		return Name{}, fmt.Errorf("rule %s has no category %q%s", rule, category, typo.Hint(category, r.categories()))
	}
	return Name{rule, category}, nil
}

// Find returns the rule of this name, or nil.
func Find(name string) *Rule {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Category returns the category of this name, or nil.
func (r *Rule) Category(name string) *Category {
	for i := range r.Categories {
		if r.Categories[i].Name == name {
			return &r.Categories[i]
		}
	}
	return nil
}

// OptIn reports whether a category is reported only if it was enabled by name.
func OptIn(rule, category string) bool {
	r := Find(rule)
	if r == nil {
		return false
	}
	c := r.Category(category)
	return c != nil && c.OptIn
}

func (r *Rule) categories() []string {
	var list []string
	for _, c := range r.Categories {
		list = append(list, c.Name)
	}
	return list
}

func names() []string {
	var list []string
	for _, r := range All {
		list = append(list, r.Name)
	}
	return list
}
