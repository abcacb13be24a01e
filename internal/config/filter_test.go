package config

import (
	"fmt"
	"strings"
	"testing"

	"github.com/retrylint/retrylint/internal/rules"
)

func TestWanted(t *testing.T) {
	rule, category := rules.Name{Rule: "nestedretry"}, rules.Name{Rule: "nestedretry", Category: "amplification"}
	other := rules.Name{Rule: "retryignore"}
	for _, c := range []struct {
		name string
		f    Filter
		want bool
	}{
		{"default", Filter{}, true},
		{"disabled rule", Filter{Disable: []rules.Name{rule}}, false},
		{"disabled category", Filter{Disable: []rules.Name{category}}, false},
		{"category back", Filter{Disable: []rules.Name{rule}, Enable: []rules.Name{category}}, true},
		{"disable wins", Filter{Disable: []rules.Name{rule}, Enable: []rules.Name{rule}}, false},
		{"only another", Filter{Only: []rules.Name{other}}, false},
		{"only this", Filter{Only: []rules.Name{rule}}, true},
		{"only another and this", Filter{Only: []rules.Name{other}, Enable: []rules.Name{rule}}, true},
	} {
		if got := Wanted([]Filter{c.f}, "nestedretry", "amplification"); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// TestFilters has a workspace with a file at its root and one in a module of it.
func TestFilters(t *testing.T) {
	read := func(file, text string) *Config {
		c, err := parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := Join(read("/w/.retrylint.yml", `
version: 1
rules: {disable: [retrybound], max-attempts: 9}
tests: true
paths:
- {path: legacy/**, disable: [retrybackoff], max-attempts: 30}
- {path: "**/wire/**", enable: [retrybackoff]}
- {path: "**/only.go", only: [retryoutcome]}
`), read("/w/m/.retrylint.yml", `
version: 1
rules: {enable: [retrybound.unbounded, retryclassify.retryafter], max-attempts: 4}
tests: false
`))
	for _, at := range []struct {
		file, reported, silent string
		attempts               int
		tests                  bool
	}{
		{"/w/a.go", "retrybackoff.nodelay nestedretry.amplification", "retrybound.unbounded retryclassify.retryafter", 9, true},
		{"/w/legacy/a.go", "retryoutcome.lost", "retrybackoff.nodelay retrybound.unbounded", 30, true},
		{"/w/legacy/wire/a.go", "retrybackoff.nodelay", "retrybound.unbounded", 30, true},
		{"/w/legacy/only.go", "retryoutcome.lost", "retrybackoff.nodelay nestedretry.amplification", 30, true},
		{"/w/m/a.go", "retrybound.unbounded retryclassify.retryafter", "retrybound.counterreset", 4, false},
		{"/elsewhere/a.go", "retrybound.unbounded", "retryclassify.retryafter", 0, false},
	} {
		filters := c.Filters(at.file)
		for name := range strings.FieldsSeq(at.reported) {
			if rule, category, _ := strings.Cut(name, "."); !Wanted(filters, rule, category) {
				t.Errorf("%s: %s isn't wanted", at.file, name)
			}
		}
		for name := range strings.FieldsSeq(at.silent) {
			if rule, category, _ := strings.Cut(name, "."); Wanted(filters, rule, category) {
				t.Errorf("%s: %s is wanted", at.file, name)
			}
		}
		if got := MaxAttempts(filters); got != at.attempts {
			t.Errorf("%s: chains above %d attempts, want %d", at.file, got, at.attempts)
		}
		if got := c.Tests(at.file); got != at.tests {
			t.Errorf("%s: tests are wanted: %v", at.file, got)
		}
	}
}

// TestFlagsOverride asks a flag before what a file says.
func TestFlagsOverride(t *testing.T) {
	bound := []rules.Name{{Rule: "retrybound"}}
	file := []Filter{{Disable: bound, MaxAttempts: 9}, {Enable: []rules.Name{{Rule: "retryclassify"}}}}
	for _, c := range []struct {
		name           string
		flags          Filter
		rule, category string
		want           bool
	}{
		{"enable", Filter{Enable: bound}, "retrybound", "unbounded", true},
		{"disable", Filter{Disable: []rules.Name{{Rule: "retryclassify"}}}, "retryclassify", "permanent", false},
		{"only", Filter{Only: bound}, "retrybound", "unbounded", true},
		{"only others", Filter{Only: bound}, "retryclassify", "permanent", false},
		{"something else", Filter{Enable: []rules.Name{{Rule: "retryoutcome"}}}, "retrybound", "unbounded", false},
	} {
		if got := Wanted(append([]Filter{c.flags}, file...), c.rule, c.category); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	if got := MaxAttempts(append([]Filter{{MaxAttempts: 2}}, file...)); got != 2 {
		t.Errorf("chains above %d attempts", got)
	}
}

func TestValues(t *testing.T) {
	c, err := parse("f", []byte(`version: 1
rules:
  enable: [retrybudget.attemptsonly, retrybound]
  max-attempts: 9
paths:
- path: legacy/**
  disable: [retrybound, nestedretry]
writes:
- function: x.Book
  key: 1
platform: [istio]
retry: {policy: {max-attempts: 4}}
`))
	if err != nil {
		t.Fatal(err)
	}
	flags := Filter{Disable: []rules.Name{{Rule: "retrybound"}}, MaxAttempts: 3}
	var got strings.Builder
	for _, v := range c.Values(flags, new(true)) {
		fmt.Fprintf(&got, "%s = %s: %s\n", v.Key, v.Text, v.From)
	}
	const want = `rules.only = (none): default
rules.enable = retrybudget.attemptsonly: f:3
rules.disable = retrybound: flag -disable
rules.max-attempts = 3: flag -max-attempts
tests = true: flag -tests
exclude = (none): default
paths[legacy/**].disable = nestedretry: f:7
platform = istio: f:11
retry.owner = (none): default
retry.policy.max-attempts = 4: f:12
helpers = (none): default
clients = (none): default
writes = x.Book, key 1: f:9
keys = (none): default
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// TestBreaches has a workspace that lets one package retry, and a module of it that bounds how often.
func TestBreaches(t *testing.T) {
	read := func(file, text string) *Config {
		c, err := parse(file, []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := Join(read("/w/.retrylint.yml", `
version: 1
retry: {owner: [example.com/w/retry, example.com/w/edge/...], policy: {max-attempts: 5}}
`), read("/w/m/.retrylint.yml", `
version: 1
retry: {policy: {max-attempts: 2}}
`))
	const owner, five, two = "not by the owner, example.com/w/retry or example.com/w/edge/...", "more than the policy's 5", "more than the policy's 2"
	for _, at := range []struct {
		file, pkg, callee string
		attempts          int64
		want              string
	}{
		{"/w/retry/a.go", "example.com/w/retry", "", 5, ""},
		{"/w/edge/a/a.go", "example.com/w/edge/a", "", 6, five},
		{"/w/a.go", "example.com/w", "example.com/w/retry", 0, ""},
		{"/w/a.go", "example.com/w", "example.com/w/retryable", 3, owner},
		{"/w/m/a.go", "example.com/w/m", "", 3, owner + "; " + two},
		{"/elsewhere/a.go", "example.com/e", "", 99, ""},
	} {
		if got := strings.Join(c.Breaches(at.file, at.pkg, at.callee, at.attempts), "; "); got != at.want {
			t.Errorf("%+v: got %q", at, got)
		}
	}
}
