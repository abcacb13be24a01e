package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/rules"
)

func chain(posn, message string, related ...driver.Related) driver.Diagnostic {
	return driver.Diagnostic{Category: "nestedretry.amplification", Posn: posn, End: posn, Message: message, Related: related}
}

func result(diagnostics ...driver.Diagnostic) *driver.Result {
	unit := driver.Unit{ID: "example.com/m", Named: true, ModuleDir: "/m", Diagnostics: map[string][]driver.Diagnostic{"nestedretry": diagnostics}}
	return &driver.Result{Units: []driver.Unit{unit}, Config: new(config.Config)}
}

func TestText(t *testing.T) {
	hop := driver.Related{Posn: "/cache/example.com/dep@v1.2.0/d.go:7:1", Message: "3 attempts"}
	r := result(
		chain("/m/b.go:2:1", "up to 9 attempts: b"),
		chain("/m/a.go:10:2", "up to 4 attempts: a", hop),
		chain("/m/a.go:9:1", "unlimited attempts: c"),
		chain("/m/a.go:10:2", "up to 4 attempts: a", hop), // from another variant
		chain("/m/a_test.go:1:1", "up to 4 attempts: test"),
		chain("/m/internal/mocks/x.go:1:1", "up to 4 attempts: mock"),
		chain("/m/vendor/x/x.go:1:1", "up to 4 attempts: vendored"),
	)
	var out bytes.Buffer
	if err := Text(&out, selected(t, r, Selection{}), Paths{Dir: "/m", ModuleCache: "/cache"}); err != nil {
		t.Fatal(err)
	}
	want := `a.go:9:1: unlimited attempts: c (nestedretry.amplification)
a.go:10:2: up to 4 attempts: a (nestedretry.amplification)
	example.com/dep@v1.2.0/d.go:7:1: 3 attempts
b.go:2:1: up to 9 attempts: b (nestedretry.amplification)
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func selected(t *testing.T, r *driver.Result, s Selection) []Finding {
	t.Helper()
	list, err := Findings(r)
	if err != nil {
		t.Fatal(err)
	}
	return s.Select(r, list)
}

func TestMaxAttempts(t *testing.T) {
	r := result(
		chain("/m/a.go:1:1", "up to 9 attempts: nine"),
		chain("/m/a.go:2:1", "up to 1,000 attempts: thousand"),
		chain("/m/a.go:3:1", "up to 30 attempts (3 × cfg.Max, default 10): thirty"),
		chain("/m/a.go:4:1", "up to 3 × cfg.Max attempts: symbol"),
		chain("/m/a.go:5:1", "unlimited attempts: endless"),
		chain("/m/a.go:6:1", "up to 99999999999999999999 attempts: huge"),
	)
	for limit, want := range map[int]string{
		0:    "nine thousand thirty symbol endless huge",
		9:    "thousand thirty symbol endless huge",
		30:   "thousand symbol endless huge",
		1000: "symbol endless huge",
	} {
		var got []string
		for _, f := range selected(t, r, Selection{Filter: config.Filter{MaxAttempts: limit}}) {
			got = append(got, f.Diagnostic.Message[strings.LastIndex(f.Diagnostic.Message, " ")+1:])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("above %d: %v, want %s", limit, got, want)
		}
	}
}

func TestDirectives(t *testing.T) {
	r := result(chain("/m/a.go:4:7", "up to 4 attempts"))
	r.Units[0].Diagnostics["retryignore"] = []driver.Diagnostic{
		{Category: "retryignore.directive", Posn: "/m/a.go:3:1", Message: `{"form":"line","from":4,"to":4,"target":"nestedretry","reason":"x"}`},
		{Category: "retryignore.directive", Posn: "/m/a.go:8:1", Message: `{"form":"line","from":9,"to":9,"target":"nestedretry","reason":"x"}`},
	}
	if list := selected(t, r, Selection{}); len(list) != 0 {
		t.Errorf("in a partial run: %v", list)
	}
	r.Complete = true
	list := selected(t, r, Selection{Filter: config.Filter{Disable: []rules.Name{{Rule: "nestedretry"}}}})
	if len(list) != 1 || list[0].Name() != "retryignore.unused" || list[0].At.Line != 8 {
		t.Errorf("in a complete run: %v", list)
	}
}

func TestJSONOfNothing(t *testing.T) {
	var out bytes.Buffer
	if err := JSON(&out, nil); err != nil || out.String() != "{}\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestSites(t *testing.T) {
	const message = `{"sites":[
		{"file":"b.go","line":2,"function":"B","kind":"loop","role":"retry","attempts":{"kind":"symbol","text":"cfg.Max","default":10},"by":"the loop","wait":"waits","context":"given","package":"m"},
		{"file":"a.go","line":30,"function":"A","kind":"client","role":"retry","attempts":{"kind":"number","n":4}},
		{"file":"a.go","line":30,"function":"A","kind":"client","role":"retry","attempts":{"kind":"number","n":4}},
		{"file":"a.go","line":4,"function":"A","kind":"loop","role":"poll","attempts":{"kind":"unlimited"}},
		{"file":"t.go","line":1,"kind":"loop","role":"retry","attempts":{"kind":"unknown"},"test":true},
		{"file":"e2e/e.go","line":1,"kind":"loop","role":"retry","attempts":{"kind":"unknown"}}]}`
	r := &driver.Result{Config: new(config.Config), Units: []driver.Unit{{Named: true, Diagnostics: map[string][]driver.Diagnostic{Inventory: {{Message: message}}}}}}
	list, err := Sites(r, new(false))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := SitesText(&out, list); err != nil {
		t.Fatal(err)
	}
	const table = `a.go:4   loop    poll   unlimited             A
a.go:30  client  retry  4                     A
b.go:2   loop    retry  cfg.Max (default 10)  B
`
	if out.String() != table {
		t.Errorf("got\n%swant\n%s", out.String(), table)
	}
	out.Reset()
	if err := SitesJSON(&out, list[2:]); err != nil {
		t.Fatal(err)
	}
	if want := `{"file":"b.go","line":2,"function":"B","kind":"loop","role":"retry","attempts":{"kind":"symbol","text":"cfg.Max","default":10},"by":"the loop","wait":"waits","context":"given","package":"m"}` + "\n"; out.String() != want {
		t.Errorf("got %s", out.String())
	}
	if all, _ := Sites(r, new(true)); len(all) != 5 {
		t.Errorf("with tests: %d sites", len(all))
	}
}

func TestPosition(t *testing.T) {
	for in, want := range map[string]Position{
		"/a/b.go:3:4":     {"/a/b.go", 3, 4},
		"/a/b.go:3":       {"/a/b.go", 3, 0},
		"C:\\a\\b.go:3:4": {"C:\\a\\b.go", 3, 4},
		"-":               {"-", 0, 0},
	} {
		if got := position(in); got != want {
			t.Errorf("position(%q) = %v", in, got)
		}
	}
}
