package catalog

import (
	"strings"
	"testing"
)

func TestEverydayIsValid(t *testing.T) {
	e, err := parseEveryday(everydayData)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Validate(); err != nil {
		t.Error(err)
	}
}

func TestEveryday(t *testing.T) {
	for what, holds := range map[string]bool{
		"encoding/json computes":          LocalPackage("encoding/json"),
		"net/http is remote":              !LocalPackage("net/http"),
		"strings is quiet":                Quiet("strings"),
		"time isn't":                      !Quiet("time") && LocalPackage("time"),
		"a context answers from memory":   LocalMethod("context.Context", "Err"),
		"Recv moves on":                   LocalMethod("example.com/x.Stream", "Recv"),
		"Get doesn't":                     !LocalMethod("example.com/x.Client", "Get"),
		"io.Reader's package is quiet":    QuietInterfaces("io"),
		"http.RoundTripper's isn't":       !QuietInterfaces("net/http"),
		"log.Fatal never returns":         Does("log.Fatal") == "end",
		"a method that never returns":     Does("(*testing.common).FailNow") == "end",
		"status.Error makes an answer":    Does("google.golang.org/grpc/status.Error") == "make-answer",
		"another Is asks the same":        Alias("github.com/pkg/errors.Is") == "errors.Is" && Alias("a.Is") == "a.Is",
		"errors.Is asks":                  Does("errors.Is") == "ask-error",
		"nothing is known of os.ReadFile": Does("os.ReadFile") == "",
		"Background detaches":             Does("context.Background") == "detach-context",
		"http.Get takes no context":       TakesContext("net/http.Get") == "http.NewRequestWithContext",
		"http.NewServeMux needs none":     TakesContext("net/http.NewServeMux") == "",
		"a transaction has its context":   Bound("database/sql.Tx") && !Bound("database/sql.DB"),
	} {
		if !holds {
			t.Errorf("wrong: %s", what)
		}
	}
}

func TestValidateEveryday(t *testing.T) {
	const head = "checked: go1.26\nsource: [x]\n"
	for content, want := range map[string]string{
		"source: [x]":                            "checked or source is missing",
		head + "packages: [{names: [fmt]}]":      "doesn't say why",
		head + "packages: [{why: x, names: []}]": "no names",
		head + "packages: [{why: x, names: [fmt]}, {why: y, names: [fmt]}]": "fmt stands twice",
		head + "packages: [{why: x, names: [fmt/]}]":                        "is no name",
		head + "methods: [{why: x, names: [io.Reader]}]":                    "the name alone",
		head + "methods: [{why: x, names: [Read], waits: true}]":            "only packages wait",
		head + "functions: [{does: explode, names: [os.Exit]}]":             "explode",
		head + "functions: [{does: end, names: [Exit]}]":                    "needs its package",
		head + "contexts: [{names: [net.Dial]}]":                            "what to use",
		head + "contexts: [{use: x, names: [Dial]}]":                        "needs its package",
	} {
		e, err := parseEveryday([]byte(content))
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", content, err, want)
		}
	}
	if _, err := parseEveryday([]byte(head + "package: []")); err == nil {
		t.Error("a misspelt key states nothing, silently")
	}
}
