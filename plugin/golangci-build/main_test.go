package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"
)

// asCommand makes this test binary golangci-lint, which takes long enough to link once.
const asCommand = "GOLANGCI_BUILD_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// example is the configuration that users are shown.
const example = "../../.golangci.example.yml"

// A project is a copy of a module to lint, with caches of its own.
type project struct {
	t          *testing.T
	dir, cache string
	config     string
}

func open(t *testing.T, module string) *project {
	t.Helper()
	p := &project{t: t, dir: t.TempDir(), cache: t.TempDir(), config: filepath.Join(t.TempDir(), "golangci.yml")}
	if err := os.CopyFS(p.dir, os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	p.configure()
	return p
}

// configure writes the example, changed.
func (p *project) configure(oldnew ...string) {
	p.t.Helper()
	text, err := os.ReadFile(example)
	if err != nil {
		p.t.Fatal(err)
	}
	changed := strings.NewReplacer(oldnew...).Replace(string(text))
	if len(oldnew) > 0 && changed == string(text) {
		p.t.Fatalf("the example doesn't have %q", oldnew[0])
	}
	if err := os.WriteFile(p.config, []byte(changed), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

// edit changes a file.
func (p *project) edit(file, old, new string) {
	p.t.Helper()
	file = filepath.Join(p.dir, file)
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), old) {
		p.t.Fatalf("%s has no %q: %v", file, old, err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), old, new, 1)), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	return cmd
}

// run runs golangci-lint; without arguments on all packages.
func (p *project) run(args ...string) (output string, code int) {
	p.t.Helper()
	cmd := p.command(os.Args[0], append([]string{"run", "--config=" + p.config, "--show-stats=false", "--path-mode=abs"}, args...)...)
	cmd.Env = append(cmd.Env, asCommand+"=1", "GOLANGCI_LINT_CACHE="+p.cache)
	out, err := cmd.CombinedOutput()
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		p.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// lint returns the issues of golangci-lint, as place, analyzer and message.
func (p *project) lint(linters string, packages ...string) []string {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "issues.json")
	out, code := p.run(append([]string{"--default=none", "--enable=" + linters, "--output.json.path=" + file}, packages...)...)
	if code > 1 {
		p.t.Fatalf("golangci-lint ended with %d:\n%s", code, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	var report struct {
		Issues []struct {
			Text string
			Pos  struct {
				Filename     string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		p.t.Fatalf("%v:\n%s", err, text)
	}
	list := []string{}
	for _, i := range report.Issues {
		list = append(list, fmt.Sprintf("%s:%d:%d: %s", i.Pos.Filename, i.Pos.Line, i.Pos.Column, i.Text))
	}
	slices.Sort(list)
	return list
}

// vet returns what go vet finds with retrylint as its tool, tests aside, in the same form.
func (p *project) vet() []string {
	p.t.Helper()
	tool := filepath.Join(p.t.TempDir(), "retrylint")
	if out, err := exec.Command("go", "build", "-o", tool, "github.com/retrylint/retrylint/cmd/retrylint").CombinedOutput(); err != nil {
		p.t.Fatalf("%v\n%s", err, out)
	}
	out, err := p.command("go", "vet", "-vettool="+tool, "-json", "./...").Output()
	if err != nil {
		p.t.Fatal(err)
	}
	list := []string{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var packages map[string]map[string][]struct{ Posn, Message string }
		if err := d.Decode(&packages); err == io.EOF {
			break
		} else if err != nil {
			p.t.Fatal(err)
		}
		for _, analyzers := range packages {
			for name, diagnostics := range analyzers {
				for _, found := range diagnostics {
					if !strings.Contains(found.Posn, "_test.go:") {
						list = append(list, fmt.Sprintf("%s: %s: %s", found.Posn, name, found.Message))
					}
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// plain takes the rules out of the example, so that it reports what go vet does.
var plain = []string{"            enable: [retrybudget.attemptsonly]\n", "", "            disable: [retrybackoff.nojitter]\n", "", "            max-attempts: 9\n", ""}

// TestSameAsGoVet compares what golangci-lint finds with what go vet does: at first, from the cache, and after an edit below.
func TestSameAsGoVet(t *testing.T) {
	p := open(t, "testdata/quote")
	p.configure(plain...)
	for _, step := range []struct {
		name, product string
		do            func()
	}{
		{"cold", "up to 12 attempts: ", func() {}},
		{"warm", "up to 12 attempts: ", func() {}},
		{"after an edit in a dependency", "up to 15 attempts: ", func() { p.edit("rates/rates.go", "range 4", "range 5") }},
		{"warm again", "up to 15 attempts: ", func() {}},
		{"after it was taken back", "up to 12 attempts: ", func() { p.edit("rates/rates.go", "range 5", "range 4") }},
	} {
		step.do()
		got, want := p.lint("retrylint"), notExcused(p.vet())
		if !slices.Equal(got, want) {
			t.Errorf("%s: golangci-lint finds\n%s\ngo vet finds\n%s", step.name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		chain := func(issue string) bool {
			return strings.Contains(issue, filepath.Join("price", "price.go")+":14:27: nestedretry: "+step.product)
		}
		if slices.IndexFunc(got, chain) < 0 {
			t.Errorf("%s: the chain of %q isn't there:\n%s", step.name, step.product, strings.Join(got, "\n"))
		}
	}
}

// notExcused leaves out what nolint suppresses, which is golangci-lint's own: line 37 of price.go.
func notExcused(list []string) []string {
	return slices.DeleteFunc(list, func(f string) bool { return strings.Contains(f, "price.go:37:") })
}

// TestShop has chains through other modules, whose facts golangci-lint computes by itself.
func TestShop(t *testing.T) {
	p := open(t, "../../testdata/shop")
	p.configure(plain...)
	got, want := p.lint("retrylint"), p.vet()
	if !slices.Equal(got, want) || !strings.Contains(strings.Join(got, "\n"), "up to 243 attempts: ") {
		t.Errorf("golangci-lint finds\n%s\ngo vet finds\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestDependencyIsNotNamed runs on the outer package alone: what is below it has to come as facts.
func TestDependencyIsNotNamed(t *testing.T) {
	p := open(t, "testdata/quote")
	if got := p.lint("retrylint", "./price"); len(got) != 1 || !strings.Contains(got[0], "up to 12 attempts: ") {
		t.Errorf("got %q", got)
	}
}

// TestNolint has golangci-lint check its directives: that of retrylint is of use, until the finding is gone.
func TestNolint(t *testing.T) {
	p := open(t, "testdata/quote")
	if got := p.lint("retrylint,nolintlint", "./price"); len(got) != 1 {
		t.Errorf("got %q, want the chain of Quote alone", got)
	}
	p.edit("rates/rates.go", "range 4", "range 1")
	if got := p.lint("retrylint,nolintlint", "./price"); len(got) != 1 || !strings.Contains(got[0], "is unused for linter") {
		t.Errorf("without the inner loop: got %q, want a complaint about the directive", got)
	}
}

// TestExample runs the example as it stands, beside the linters that are on by default.
func TestExample(t *testing.T) {
	p := open(t, "testdata/quote")
	out, code := p.run()
	if code != 1 || strings.Count(out, "(retrylint)") != 1 || !strings.Contains(out, "up to 12 attempts: ") {
		t.Errorf("exit code %d, want one issue of retrylint, for Quote:\n%s", code, out)
	}
	if strings.Contains(out, "related information") {
		t.Errorf("related positions became issues:\n%s", out)
	}
	p.configure("max-attempts: 9", "max-attempts: 12")
	if out, _ := p.run(); strings.Contains(out, "(retrylint)") {
		t.Errorf("with a higher threshold:\n%s", out)
	}
}

// TestSchemas holds what users copy to golangci-lint's own schemas.
func TestSchemas(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/golangci/golangci-lint/v2").Output()
	if err != nil {
		t.Fatal(err)
	}
	schemas := filepath.Join(strings.TrimSpace(string(out)), "jsonschema")
	for file, schema := range map[string]string{
		example:                 "golangci.jsonschema.json",
		"../../.custom-gcl.yml": "custom-gcl.jsonschema.json",
	} {
		compiled, err := jsonschema.NewCompiler().Compile(filepath.Join(schemas, schema))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var instance any
		if err := yaml.Unmarshal(text, &instance); err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(instance); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestMistakesInSettings(t *testing.T) {
	p := open(t, "testdata/quote")
	for _, c := range []struct{ old, new, want string }{
		{"helpers:", "helper:", `unknown field "helper"`},
		{"retrybackoff.nojitter", "retrybackoff.nojiter", `rule retrybackoff has no category "nojiter": did you mean nojitter?`},
		{"max-attempts: 9", "max-attempts: 0", "rules.max-attempts must be a number from 1"},
		{"key: 2", "key: -2", "writes[0]: key must be the number of an argument, from 0"},
	} {
		p.configure(c.old, c.new)
		if out, code := p.run("--default=none", "--enable=retrylint"); code != 3 || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit code %d, want 3 and %q:\n%s", c.new, code, c.want, out)
		}
	}
}
