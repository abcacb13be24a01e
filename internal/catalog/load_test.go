package catalog

import (
	"strings"
	"testing"
)

// mustParse reads a catalogue file from a test, with what every file has to say.
func mustParse(t *testing.T, content string) *Library {
	t.Helper()
	head := "name: sample\nmodule: example.com/retry\nchecked: v1.0.0\nsource: [retry.go]\n"
	library, err := parse("example.com/retry", []byte(head+content))
	if err != nil {
		t.Fatal(err)
	}
	return library
}

func TestForTakesTheLongestPrefix(t *testing.T) {
	tests := []struct{ importPath, root string }{
		{"github.com/hashicorp/go-retryablehttp", "github.com/hashicorp/go-retryablehttp"},
		{"github.com/aws/aws-sdk-go-v2/service/dynamodb", "github.com/aws/aws-sdk-go-v2"},
		{"github.com/aws/aws-sdk-go-v2beta", ""},
		{"net/http", "net/http"},
		{"net/http/httputil", "net/http"},
		{"github.com/cenkalti/backoff/v4", "github.com/cenkalti/backoff/v4"},
		{"github.com/cenkalti/backoff", "github.com/cenkalti/backoff"},
		{"github.com", ""},
		{"fmt", ""},
		{"", ""},
		{"./relative", ""},
	}
	for _, test := range tests {
		root := ""
		if library := For(test.importPath); library != nil {
			root = library.Root()
		}
		if root != test.root {
			t.Errorf("For(%q) has root %q, want %q", test.importPath, root, test.root)
		}
	}
}

func TestForReadsAFileOnce(t *testing.T) {
	if For("net/http") != For("net/http/httptrace") {
		t.Error("the same file was read twice")
	}
}

func TestParseIsStrict(t *testing.T) {
	for _, content := range []string{
		"nam: misspelt",
		"functions: [{names: [Do], sight: {policy: p}}]",
		"policies: [{type: Client, default: 3, settings: [{name: Max, units: retries}]}]",
		"functions: [{names: [Do], site: {policy: p, operation: arg0, retries: 3}}]",
	} {
		_, err := parse("example.com/retry", []byte(content))
		if err == nil || !strings.Contains(err.Error(), "data/example.com/retry.yaml") {
			t.Errorf("%s: got error %v, want one that names the file", content, err)
		}
	}
}

func TestRelative(t *testing.T) {
	library := mustParse(t, "functions: []")
	tests := []struct{ pkgPath, symbol, want string }{
		{"example.com/retry", "Do", "Do"},
		{"example.com/retry", "(*Client).Do", "(*Client).Do"},
		{"example.com/retry", "(Client).Do", "(Client).Do"},
		{"example.com/retry", "Client.Do", "(Client).Do"},
		{"example.com/retry/sub/pkg", "Do", "sub/pkg.Do"},
		{"example.com/retry/sub/pkg", "(*Client).Do", "(*sub/pkg.Client).Do"},
		{"example.com/retry/sub/pkg", "(Client).Do", "(sub/pkg.Client).Do"},
		{"example.com/retry/sub/pkg", "Client.Do", "(sub/pkg.Client).Do"},
	}
	for _, test := range tests {
		if got := library.Relative(test.pkgPath, test.symbol); got != test.want {
			t.Errorf("Relative(%q, %q) = %q, want %q", test.pkgPath, test.symbol, got, test.want)
		}
	}
}

const lookups = `
policies:
  - {type: service/special.Client, since: v1.2.0, default: 4}
  - {type: service/*.Client, default: 3}
functions:
  - {names: ["(*service/*.Client).*"], except: ["(*service/*.Client).Options", "(*service/*.Client).With*"], marks: retryable}
  - {names: ["(*service/special.*).Get"], marks: permanent}
  - {names: ["(*service/special.Client).Put"], marks: permanent}
  - {names: [Do], before: v1.2.0, marks: permanent}
  - {names: [Do], since: v1.4.0, marks: retryable}
  - {names: [New*], marks: permanent}
  - {names: ["(Value).Get"], marks: permanent}
`

func TestFunction(t *testing.T) {
	library := mustParse(t, lookups)
	tests := []struct{ name, version, want string }{
		{"(*service/special.Client).Put", "", "permanent"}, // the exact name, though it comes later
		{"(*service/special.Client).Get", "", "retryable"}, // the earlier pattern
		{"(*service/special.Other).Get", "", "permanent"},
		{"(*service/special.Client).get", "", ""}, // the library's own, which no pattern means
		{"(*service/special.Client).Options", "", ""},
		{"(*service/special.Client).WithTimeout", "", ""},
		{"(service/special.Client).Put", "", ""},
		{"(*service/a/b.Client).Put", "", ""},
		{"(*other.Client).Put", "", ""},
		{"NewClient", "", "permanent"},
		{"New", "", "permanent"},
		{"New.Client", "", ""},
		{"(Value).Get", "", "permanent"},
		{"(*Value).Get", "", ""},
		{"Do", "v1.0.0", "permanent"},
		{"Do", "v1.2.0", ""},
		{"Do", "v1.4.0", "retryable"},
		{"Do", "v1.4.0-rc.1", ""},
		{"Do", "", "retryable"},
		{"Do", "(devel)", "retryable"},
	}
	for _, test := range tests {
		got := ""
		if function := library.Function(test.name, test.version); function != nil {
			got = function.Marks
		}
		if got != test.want {
			t.Errorf("Function(%q, %q) marks %q, want %q", test.name, test.version, got, test.want)
		}
	}
}

func TestPolicy(t *testing.T) {
	library := mustParse(t, lookups)
	tests := []struct {
		name, version string
		want          Attempts
	}{
		{"service/special.Client", "v1.3.0", "4"},
		{"service/special.Client", "v1.1.0", "3"},
		{"service/special.Client", "", "4"},
		{"service/other.Client", "v1.3.0", "3"},
		{"service/other.Server", "v1.3.0", ""},
	}
	for _, test := range tests {
		var got Attempts
		if policy := library.Policy(test.name, test.version); policy != nil {
			got = policy.Default
		}
		if got != test.want {
			t.Errorf("Policy(%q, %q) makes %q attempts, want %q", test.name, test.version, got, test.want)
		}
	}
}

func TestSetting(t *testing.T) {
	policy := mustParse(t, `
policies:
  - type: Client
    default: 1
    settings:
      - {name: count, before: v2.3.0, unit: attempts}
      - {name: count, unit: retries}
functions: []
`).Policy("Client", "")
	for version, want := range map[string]string{"v2.2.9": "attempts", "v2.3.0": "retries", "": "retries"} {
		if got := policy.Setting("count", version); got == nil || got.Unit != want {
			t.Errorf("count at %q is %v, want unit %s", version, got, want)
		}
	}
	if got := policy.Setting("other", ""); got != nil {
		t.Errorf("found setting %v", got)
	}
}

func TestVersionsOfGo(t *testing.T) {
	limits := Versions{Since: "go1.9", Before: "go1.21"}
	for version, want := range map[string]bool{"go1.8": false, "go1.9": true, "go1.20.3": true, "go1.21": false, "": false} {
		if got := limits.covers(version); got != want {
			t.Errorf("covers(%q) = %v", version, got)
		}
	}
}

func TestValidateFindsMistakes(t *testing.T) {
	tests := []struct{ content, problem string }{
		{"functions: [{names: [Do]}]", "functions[0] (Do): 0 of returns"},
		{"functions: [{names: [Do], marks: sometimes}]", `marks: "sometimes"`},
		{"functions: [{names: [Do], returns: {policy: Nothing}}]", `policy "Nothing" isn't listed`},
		{"functions: [{names: [Do], returns: {policy: net/http.Nothing}}]", `policy "Nothing" isn't listed in data/net/http.yaml`},
		{"functions: [{names: [Do], marks: permanent}, {names: [Do], marks: retryable}]", "functions[1] (Do): an earlier row takes Do"},
		{"policies: [{type: P, default: many}]\nfunctions: []", `policies[0] (P): default: "many"`},
		{"policies: [{type: P}]\nfunctions: []", "default isn't stated"},
		{"policies: [{type: P, default: 0}]\nfunctions: []", `default: "0"`},
		{"policies: [{type: P, default: 1, settings: [{name: n, unit: times}]}]\nfunctions: []", `setting n: unit: "times"`},
		{"policies: [{type: P, default: 1, since: v2, before: v1}]\nfunctions: []", "since isn't lower"},
		{"policies: [{type: P, default: 1}]\nfunctions: [{names: [Do], returns: {policy: P, set: {n: 1}}}]", "has no setting n"},
		{"policies: [{type: P, default: 1}]\nfunctions: [{names: [Do], site: {policy: P, operation: argument}}]", `operation: "argument"`},
		{"policies: [{type: P, default: 1}]\nfunctions: [{names: [Do], site: {policy: P, from: recv, operation: arg0}}]", "has no receiver"},
		{"policies: [{type: P, default: 1, settings: [{name: n, unit: on}]}]\nfunctions: [{names: [(*P).Do], sets: {n: argument}}]", "is no source"},
	}
	for _, test := range tests {
		err := mustParse(t, test.content).Validate()
		if err == nil || !strings.Contains(err.Error(), test.problem) {
			t.Errorf("%s\n\tgot %v, want %s", test.content, err, test.problem)
		}
	}
}

func TestValidateNamesAForeignPolicyByItsPath(t *testing.T) {
	library := mustParse(t, "functions: [{names: [Do], returns: {policy: net/http.Client}}, {names: [To], returns: {policy: example.org/unknown.Type}}]")
	if err := library.Validate(); err != nil {
		t.Error(err)
	}
}
