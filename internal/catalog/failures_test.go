package catalog

import (
	"strings"
	"testing"
)

func TestFailuresAreValid(t *testing.T) {
	f, err := parseFailures(failuresData)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Validate(); err != nil {
		t.Error(err)
	}
}

func TestFailures(t *testing.T) {
	for what, holds := range map[string]bool{
		"json.Unmarshal parses":           Parses("encoding/json.Unmarshal"),
		"a decoder also reads":            !Parses("(*encoding/json.Decoder).Decode"),
		"os.IsNotExist looks outside":     LooksOutside("os.IsNotExist"),
		"errors.Is doesn't":               !LooksOutside("errors.Is"),
		"Do returns no response":          NoResult("(*net/http.Client).Do"),
		"Do wraps":                        WrapsIn("(*net/http.Client).Do") == "*net/url.Error",
		"Wrap encloses":                   EnclosesIn("github.com/pkg/errors.Wrap") == "*github.com/pkg/errors.withStack",
		"a status":                        Status("net/http.Response.StatusCode"),
		"no rows stay no rows":            Permanent(FailsWith("(*database/sql.Row).Scan")),
		"a lost connection may come back": !Permanent("database/sql/driver.ErrBadConn"),
	} {
		if !holds {
			t.Errorf("wrong: %s", what)
		}
	}
}

func TestValidateFailures(t *testing.T) {
	const head = "checked: go1.26\nsource: [x]\n"
	for content, want := range map[string]string{
		"source: [x]": "checked or source is missing",
		head + "functions: [{does: explode, names: [os.Exit]}]": "explode",
		head + "functions: [{does: parse, names: [Exit]}]":      "needs its package",
		head + "wraps: [{type: error, names: [os.Exit]}]":       "no type of a package",
		head + "fails: [{error: a.B, names: [os.Exit]}]":        "isn't listed as permanent",
	} {
		f, err := parseFailures([]byte(content))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", content, err, want)
		}
	}
}
