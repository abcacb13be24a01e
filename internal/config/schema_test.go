package config

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/retrylint/retrylint/internal/platform"
	"github.com/retrylint/retrylint/internal/rules"
)

// A node is what the tests read of a schema.
type node struct {
	Properties map[string]node `json:"properties"`
	Required   []string        `json:"required"`
	Additional *bool           `json:"additionalProperties"`
	Items      *node           `json:"items"`
	AnyOf      []node          `json:"anyOf"`
	Enum       []string        `json:"enum"`
	Defs       map[string]node `json:"$defs"`
}

func schema(t *testing.T) node {
	t.Helper()
	text, err := os.ReadFile("../../docs/retrylint.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var root node
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// TestSchemaHasTheKeys compares the published schema with what is read, and both with the fields of Config.
func TestSchemaHasTheKeys(t *testing.T) {
	root := schema(t)
	helper := root.Properties["helpers"].Items
	for _, c := range []struct {
		what     string
		in       node
		keys     []string
		required string
		fields   any // nil if the keys are no fields of one struct
	}{
		{"the file", root, fileKeys, "version", nil},
		{"rules", root.Defs["rules"], ruleKeys, "", Filter{}},
		{"paths", *root.Properties["paths"].Items, pathKeys, "path", nil},
		{"retry", root.Defs["retry"], retryKeys, "", Retry{}},
		{"policy", root.Defs["policy"], policyKeys, "", Policy{}},
		{"helpers", *helper, helperKeys, "function operation attempts", Helper{}},
		{"clients", *root.Properties["clients"].Items, clientKeys, "type methods attempts", Client{}},
		{"writes", *root.Properties["writes"].Items, writeKeys, "function", Write{}},
		{"attempts", helper.Properties["attempts"].AnyOf[1], attemptsKeys, "argument", nil},
	} {
		var got []string
		for key := range c.in.Properties {
			got = append(got, key)
		}
		slices.Sort(got)
		if want := slices.Sorted(slices.Values(c.keys)); !slices.Equal(got, want) {
			t.Errorf("%s: the schema has %q, what is read has %q", c.what, got, want)
		}
		if got := strings.Join(c.in.Required, " "); got != c.required {
			t.Errorf("%s: the schema requires %q, want %q", c.what, got, c.required)
		}
		if c.in.Additional == nil || *c.in.Additional {
			t.Errorf("%s: the schema lets other keys pass", c.what)
		}
		if c.fields != nil {
			sameAsFields(t, c.what, c.keys, c.fields)
		}
	}
}

// sameAsFields compares keys with the fields of the struct that they become.
func sameAsFields(t *testing.T, what string, keys []string, of any) {
	var fields []string
	for f := range reflect.TypeOf(of).Fields() {
		fields = append(fields, strings.ToLower(f.Name))
	}
	var plain []string
	for _, key := range keys {
		plain = append(plain, strings.ReplaceAll(key, "-", ""))
	}
	if !slices.Equal(fields, plain) {
		t.Errorf("%s: the keys are %q, the fields %q", what, plain, fields)
	}
}

func TestSchemaHasTheRules(t *testing.T) {
	var want []string
	for _, r := range rules.All {
		want = append(want, r.Name)
		for _, c := range r.Categories {
			want = append(want, r.Name+"."+c.Name)
		}
	}
	if got := schema(t).Defs["name"].Enum; !slices.Equal(got, want) {
		t.Errorf("the schema lists %q\nthe rules are %q", got, want)
	}
}

func TestSchemaHasThePlatforms(t *testing.T) {
	if got := schema(t).Properties["platform"].Items.Enum; !slices.Equal(got, platform.Names()) {
		t.Errorf("the schema lists %q\nthe platforms are %q", got, platform.Names())
	}
}
