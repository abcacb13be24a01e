package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/retrylint/retrylint/internal/rules"
)

func TestParse(t *testing.T) {
	got, err := parse("/w/.retrylint.yml", []byte(`
version: 1
helpers:
- function: example.com/x/retry.Do
  operation: 1
  attempts: 3
- function: (*example.com/x/retry.Policy).Do
  operation: 0
  attempts: {argument: 2}
- {function: example.com/x.Again, operation: 0, attempts: {argument: 1, unit: retries}}
clients:
- type: "*example.com/x/api.Client"
  methods: [Get, Put]
  attempts: 4
writes:
- function: (example.com/x/ledger.Ledger).Book
  key: 2
- function: example.com/x/mail.Send
keys: [X-Order]
exclude: ["gen/**", ./third_party/**]
rules:
  only: [nestedretry, retrybound.unbounded]
  max-attempts: 9
tests: true
paths:
- path: legacy/**
  disable: [retrybound]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{
		Helpers: []Helper{
			{"example.com/x/retry.Do", 1, Attempts{Number: 3}},
			{"(*example.com/x/retry.Policy).Do", 0, Attempts{Argument: 2}},
			{"example.com/x.Again", 0, Attempts{Argument: 1, Retries: true}},
		},
		Clients: []Client{{"*example.com/x/api.Client", []string{"Get", "Put"}, Attempts{Number: 4}}},
		Writes:  []Write{{"(example.com/x/ledger.Ledger).Book", new(2)}, {"example.com/x/mail.Send", nil}},
		Keys:    []string{"X-Order"},
		scopes: []scope{{
			dir:     "/w",
			rules:   Filter{Only: []rules.Name{{Rule: "nestedretry"}, {Rule: "retrybound", Category: "unbounded"}}, MaxAttempts: 9},
			tests:   new(true),
			exclude: []string{"gen/**", "third_party/**"},
			paths:   []override{{"legacy/**", Filter{Disable: []rules.Name{{Rule: "retrybound"}}}}},
		}},
	}
	got.values = nil // TestValues looks at them
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestProblems(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"comment", "# nothing yet\n", ""},
		{"no version", "helpers: []\n", `f:1: the key version is missing: write "version: 1" on the first line`},
		{"version 2", "version: 2\n", `f:1: version must be 1, the only one that this retrylint knows; found "2"`},
		{"typo", "version: 1\nhelper: []\n", `f:2: unknown key "helper" in the file: did you mean helpers?`},
		{"platform", "version: 1\nplatform:\n- isto\n- linkerd\n", `f:3: unknown platform "isto": did you mean istio?
f:4: unknown platform "linkerd": those that repeat requests by themselves are appmesh, dapr, haproxy, ingress-nginx, istio, kong, kuma`},
		{"owner", "version: 1\nretry: {owner: [./retry..., example.com/*]}\n", `f:2: an owner must be the import path of a package, with /... for those below it as well; found "./retry..."
f:2: an owner must be the import path of a package, with /... for those below it as well; found "example.com/*"`},
		{"policy", "version: 1\nretry:\n  policy: {max-attemps: 3}\n  ownr: []\n", `f:4: unknown key "ownr" in retry: did you mean owner?
f:3: unknown key "max-attemps" in policy: did you mean max-attempts?`},
		{"unknown", "version: 1\nbudget: 3\n", `f:2: unknown key "budget" in the file: the keys are version, rules, tests, exclude, paths, platform, retry, helpers, clients, writes, keys`},
		{"twice", "version: 1\nexclude: []\nexclude: []\n", `f:3: the key exclude stands in the file twice; the first is on line 2`},
		{"scalar", "retry\n", `f:1: the file must be a mapping with the keys version, rules, tests, exclude, paths, platform, retry, helpers, clients, writes, keys; found "retry"`},
		{"no list", "version: 1\nexclude: gen\n", `f:2: exclude must be a list; found "gen"`},
		{"no value", "version: 1\nexclude:\n", ""},
		{"pattern", "version: 1\nexclude: ['[']\n", `f:2: the pattern "[" is malformed: use * within a path element, ** for any number of them`},
		{"pattern type", "version: 1\nexclude: [3]\n", `f:2: a pattern of exclude must be a text; found "3"`},
		{"not yaml", "version: 1\nhelpers: [\n", `f:2: this is not YAML: did not find expected node content`},
		{"helper", "version: 1\nhelpers:\n- function: Do\n  operation: -1\n  attempts: many\n",
			"f:3: function needs the import path and the name, as in example.com/shop/retry.Do; found \"Do\"\n" +
				"f:4: operation must be a number from 0; found \"-1\"\n" +
				"f:5: attempts must be a number from 1; found \"many\""},
		{"lacking", "version: 1\nhelpers:\n- operation: 1\nclients:\n- type: example.com/x.C\n",
			"f:3: a helper needs the key function\nf:3: a helper needs the key attempts\n" +
				"f:5: a client needs the key methods\nf:5: a client needs the key attempts"},
		{"unit", "version: 1\nhelpers:\n- function: x.Do\n  operation: 0\n  attempts: {argument: 1, unit: retrys}\n",
			`f:5: unit must be attempts or retries, found "retrys": did you mean retries?`},
		{"rules", "version: 1\nrules:\n  disable: [retrybound, retrybaund]\n  enabel: [retrybound.unbuonded]\n  max-attempts: 0\n",
			"f:4: unknown key \"enabel\" in rules: did you mean enable?\n" +
				"f:3: unknown rule \"retrybaund\": did you mean retrybound?\n" +
				"f:5: max-attempts must be a number from 1; found \"0\""},
		{"rules twice", "version: 1\nrules:\n  enable:\n  - retrybound.unbuonded\n",
			`f:4: rule retrybound has no category "unbuonded": did you mean unbounded?`},
		{"no rules", "version: 1\nrules:\npaths:\nwrites:\nkeys:\n", ""},
		{"rules type", "version: 1\nrules: [retrybound]\n", `f:2: rules must be a mapping with the keys only, enable, disable, max-attempts; found a list`},
		{"tests", "version: 1\ntests: maybe\n", `f:2: tests must be true or false; found "maybe"`},
		{"paths", "version: 1\npaths:\n- disable: [retrybound]\n- path: a/**\n- path: '['\n  only: [retrybound]\n",
			"f:3: an entry of paths needs the key path\n" +
				"f:4: the entry of paths for a/** says nothing: add only, enable, disable, max-attempts\n" +
				"f:5: the pattern \"[\" is malformed: use * within a path element, ** for any number of them"},
		{"writes", "version: 1\nwrites:\n- key: -1\n- function: Book\n- functoin: x.Book\n",
			"f:3: a write needs the key function\nf:3: key must be a number from 0; found \"-1\"\n" +
				"f:4: function needs the import path and the name, as in example.com/shop/retry.Do; found \"Book\"\n" +
				"f:5: unknown key \"functoin\" in a write: did you mean function?\nf:5: a write needs the key function"},
		{"keys", "version: 1\nkeys: [X-Order, '--', 3]\n",
			"f:2: a name of keys must be that of a header, field or parameter; found \"--\"\nf:2: a name of keys must be a text; found \"3\""},
		{"own alias", "version: 1\nexclude: &a [*a]\n", `f:2: a pattern of exclude must be a text; found a list`},
	} {
		_, err := parse("f", []byte(c.in))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"gen/**", "gen/a.go", true},
		{"gen/**", "gen/a/b/c.go", true},
		{"gen/**", "x/gen/a.go", false},
		{"**/gen/**", "x/gen/a.go", true},
		{"**/gen/**", "gen/a.go", true},
		{"*.go", "a.go", true},
		{"*.go", "x/a.go", false},
		{"**/*_gen.go", "x/y/a_gen.go", true},
		{"**", "..", true},
	} {
		if got := matches(c.pattern, c.name); got != c.want {
			t.Errorf("matches(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestRecognitionKnowsWhatMatters(t *testing.T) {
	base := "version: 1\nhelpers: [{function: x.Do, operation: 0, attempts: 3}]\n"
	same := "# why\nversion: 1\nexclude: [gen/**]\nrules: {disable: [retrybound]}\ntests: true\npaths: [{path: x, only: [retrybound]}]\nhelpers:\n- attempts: 3\n  function: x.Do\n  operation: 0\n"
	key := func(text string) string {
		c, err := parse("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return string(c.Recognition())
	}
	known := map[string]bool{key(base): true}
	if key(base) != key(same) {
		t.Errorf("comments, order and exclude change the key: %s, %s", key(base), key(same))
	}
	for _, other := range []string{
		strings.Replace(base, "attempts: 3", "attempts: 4", 1),
		base + "clients: [{type: x.C, methods: [Get], attempts: 3}]\n",
		base + "writes: [{function: x.Book}]\n",
		base + "writes: [{function: x.Book, key: 1}]\n",
		base + "keys: [X-Order]\n",
	} {
		if known[key(other)] {
			t.Errorf("this has the key of another: %s", other)
		}
		known[key(other)] = true
	}
}

func TestFiles(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.work", "go 1.26\nuse (\n\t./a\n\t./b\n)\n")
	write("a/go.mod", "module a\n")
	write("a/.retrylint.yml", "version: 1\nexclude: [x/**]\n")
	write("a/sub/a.go", "package sub\n")
	write("b/go.mod", "module b\n")
	write(".retrylint.yml", "version: 1\nexclude: [a/y/**]\n")

	t.Setenv("GOWORK", "")
	if got, want := list(t, root, "a/sub"), []string{".retrylint.yml", "a/.retrylint.yml"}; !reflect.DeepEqual(got, want) {
		t.Errorf("in the workspace: %v, want %v", got, want)
	}
	c, err := LoadAll([]string{filepath.Join(root, ".retrylint.yml"), filepath.Join(root, "a/.retrylint.yml")})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a/x/f.go": true, "a/y/f.go": true, "x/f.go": false, "y/f.go": false} {
		if got := c.Excluded(filepath.Join(root, name)); got != want {
			t.Errorf("Excluded(%s) = %v", name, got)
		}
	}
	t.Setenv("GOWORK", "off")
	if got, want := list(t, root, "a/sub"), []string{"a/.retrylint.yml"}; !reflect.DeepEqual(got, want) {
		t.Errorf("without the workspace: %v, want %v", got, want)
	}
	if got := list(t, root, "."); got != nil {
		t.Errorf("outside of a module: %v", got)
	}
}

func list(t *testing.T, root, dir string) []string {
	files, err := Files(filepath.Join(root, dir))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		rel, _ := filepath.Rel(root, f)
		names = append(names, rel)
	}
	return names
}
