package main

import (
	"fmt"
	"strings"

	"github.com/retrylint/retrylint/analyzers"
	"github.com/retrylint/retrylint/internal/rules"
)

const help = `Retrylint finds retries that compose: how many attempts one request can turn into, along which chain of code.

usage:
  retrylint [flags] [packages]         report findings; the packages are ./... by default
  retrylint sites [flags] [packages]   list every retry site that was recognised, finding or not
  retrylint why FUNC [packages]        explain a function: its sites, where its calls lead and why no further;
                                       FUNC is (*T).Method, pkg.Func or file.go:line, flags come before it
  retrylint baseline write [flags] [packages]
                                       accept the findings of today: writes .retrylint-baseline.yml at the root of the
                                       workspace or module, or -baseline FILE; keeps owner, reason and expires in it
  retrylint baseline check [flags] [packages]
                                       report findings that it doesn't accept; list entries that are stale or expired
  retrylint explain RULE[.CATEGORY]    tell what a rule is about
  retrylint config print [flags]       show the settings that hold here, and where each comes from
  retrylint version                    print the version
  retrylint help                       print this

flags:
  -C DIR             work in DIR
  -json              print JSON: the tree of go/analysis, or a site a line
  -tags LIST         build tags, as of the go command; GOOS and GOARCH choose the platform
  -tests             also report tests, and packages that support tests; -tests=false overrides .retrylint.yml
  -p N               run N processes at a time
  -v                 print the go commands that are run
flags for findings, which override .retrylint.yml; LIST has rules and rule.category names, separated by commas:
  -max-attempts N    report chains only if they can exceed N attempts
  -only LIST         report these and no others
  -enable LIST       report these as well
  -disable LIST      don't report these
  -baseline FILE     don't report what the file accepts
  -new-from REV      don't report what the git revision REV had: it is analysed, too, in a work tree that is removed

Beside packages, go vet -vettool=$(which retrylint) runs the rules as a vet tool.

exit status: 0 nothing found, 1 findings, 2 wrong command line, configuration or baseline, 3 something could not be analysed.
`

// explanation is the page of a rule, or what there is to say about one of its categories.
func explanation(name rules.Name) string {
	var b strings.Builder
	rule := rules.Find(name.Rule)
	fmt.Fprintf(&b, "%s: %s\n", rule.Name, rule.Summary)
	for _, c := range rule.Categories {
		if name.Matches(rule.Name, c.Name) {
			fmt.Fprintf(&b, "  %s.%s (%s%s): %s\n", rule.Name, c.Name, c.Severity, optIn(c), c.Summary)
		}
	}
	for _, a := range analyzers.All() {
		if a.Name == rule.Name {
			fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(a.Doc))
		}
		if a.Name == rule.Name && a.URL != "" {
			fmt.Fprintf(&b, "\n%s\n", a.URL)
		}
	}
	return b.String()
}

func optIn(c rules.Category) string {
	if c.OptIn {
		return ", only if enabled"
	}
	return ""
}

func ruleList() string {
	var b strings.Builder
	for _, r := range rules.All {
		fmt.Fprintf(&b, "  %-17s %s\n", r.Name, r.Summary)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
