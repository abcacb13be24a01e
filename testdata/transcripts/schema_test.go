package transcripts

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/retrylint/retrylint/internal/config"
)

// configurations are files of which the schema and the command have to think the same.
var configurations = []struct {
	name, text string
	valid      bool
}{
	{"least", "version: 1", true},
	{"keys without values", "version: 1\nrules:\nexclude:\npaths:\nplatform:\nretry:\nhelpers:\nclients:\nwrites:\nkeys:", true},
	{"all", `
version: 1
rules: {only: [nestedretry, retrybound.unbounded], enable: [retrybudget.attemptsonly], disable: [retrybackoff], max-attempts: 9}
tests: true
exclude: [gen/**]
paths:
- {path: legacy/**, only: [retrybound], enable: [retrybackoff.nojitter], disable: [retrybudget], max-attempts: 30}
platform: [istio, ingress-nginx]
retry: {owner: [example.com/shop/retry, example.com/shop/edge/..., net/http], policy: {max-attempts: 4}}
helpers:
- {function: example.com/shop/retry.Do, operation: 1, attempts: 3}
- {function: (*example.com/shop/retry.Policy).Do, operation: 0, attempts: {argument: 1, unit: retries}}
- {function: (example.com/shop/retry.Policy).Try, operation: 0, attempts: {argument: 1}}
clients:
- {type: "*example.com/shop/api.Client", methods: [Get, Put], attempts: 4}
writes:
- {function: (example.com/shop/ledger.Ledger).Book, key: 2}
- {function: example.com/shop/mail.Send}
keys: [X-Shop-Order, voucher]`, true},

	{"no version", "tests: true", false},
	{"version 2", "version: 2", false},
	{"misspelt key", "version: 1\nhelper: []", false},
	{"misspelt rule", "version: 1\nrules: {disable: [retrybaund]}", false},
	{"misspelt category", "version: 1\nrules: {disable: [retrybound.unbuonded]}", false},
	{"a list of rules", "version: 1\nrules: [retrybound]", false},
	{"no threshold", "version: 1\nrules: {max-attempts: 0}", false},
	{"tests as text", "version: 1\ntests: 'yes'", false},
	{"exclude as text", "version: 1\nexclude: gen/**", false},
	{"empty pattern", "version: 1\nexclude: ['']", false},
	{"a path that says nothing", "version: 1\npaths: [{path: legacy/**}]", false},
	{"a path without path", "version: 1\npaths: [{disable: [retrybound]}]", false},
	{"an unknown platform", "version: 1\nplatform: [isto]", false},
	{"a platform that isn't in a list", "version: 1\nplatform: istio", false},
	{"an owner with a star", "version: 1\nretry: {owner: [example.com/*]}", false},
	{"an owner with dots within", "version: 1\nretry: {owner: [example.com/.../retry]}", false},
	{"an owner without a path", "version: 1\nretry: {owner: [...]}", false},
	{"a key that retry doesn't have", "version: 1\nretry: {owners: [x]}", false},
	{"a policy as a number", "version: 1\nretry: {policy: 3}", false},
	{"a policy that forbids all attempts", "version: 1\nretry: {policy: {max-attempts: 0}}", false},
	{"retry without keys", "version: 1\nretry: {owner: , policy: }", true},
	{"a function without package", "version: 1\nwrites: [{function: Book}]", false},
	{"a function with brackets", "version: 1\nwrites: [{function: 'example.com/x.Book[T]'}]", false},
	{"a function with a dot in its host only", "version: 1\nwrites: [{function: example.com/Book}]", false},
	{"a negative argument", "version: 1\nwrites: [{function: x.Book, key: -1}]", false},
	{"an unknown unit", "version: 1\nhelpers: [{function: x.Do, operation: 0, attempts: {argument: 1, unit: tries}}]", false},
	{"attempts without argument", "version: 1\nhelpers: [{function: x.Do, operation: 0, attempts: {unit: retries}}]", false},
	{"a helper without operation", "version: 1\nhelpers: [{function: x.Do, attempts: 3}]", false},
	{"a client whose argument decides", "version: 1\nclients: [{type: x.C, methods: [Get], attempts: {argument: 1}}]", false},
	{"a name of keys that is none", "version: 1\nkeys: ['--']", false},
}

func TestSchema(t *testing.T) {
	schema := compile(t, "../../docs/retrylint.schema.json")
	for _, c := range configurations {
		if err := validate(schema, c.text); (err == nil) != c.valid {
			t.Errorf("%s: valid is to be %v, the schema says: %v", c.name, c.valid, err)
		}
		file := filepath.Join(t.TempDir(), config.FileName)
		if err := os.WriteFile(file, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(file); (err == nil) != c.valid {
			t.Errorf("%s: valid is to be %v, the command says: %v", c.name, c.valid, err)
		}
	}
}

func compile(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(file)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, text string) error {
	var instance any
	if err := yaml.Unmarshal([]byte(text), &instance); err != nil {
		return err
	}
	return schema.Validate(instance)
}

var fenced = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// TestDocumentedConfigurations holds the examples that users copy to the schema.
func TestDocumentedConfigurations(t *testing.T) {
	schema := compile(t, "../../docs/retrylint.schema.json")
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range fenced.FindAllSubmatch(text, -1) {
			example := string(block[1])
			if !regexp.MustCompile(`(?m)^version: 1$`).MatchString(example) || strings.Contains(example, "\nfindings:") {
				continue // an excerpt, another tool's, or a baseline
			}
			seen++
			if err := validate(schema, example); err != nil {
				t.Errorf("%s: %v\n%s", page, err, example)
			}
		}
	}
	if seen == 0 {
		t.Error("no example was found")
	}
}
