package directive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

const source = `package p

//retrylint:ignore nestedretry two attempts at most
func a() {}

func b() {
	a() //retrylint:ignore nestedretry.amplification the gateway is idle // and more
	a()
}

//retrylint:ignore nestedretry
//retrylint:ignore
//retrylint:ignore nestedrety typo
//retrylint:ingore nestedretry typo
// retrylint:ignore nestedretry this is prose
func c() {}

//retrylint:ignore retryignore.unused first
//retrylint:ignore nestedretry second
// with an explanation
func d() {}
`

func TestRead(t *testing.T) {
	x, file := read(t)
	for _, c := range []struct {
		line           int
		rule, category string
		want           bool
	}{
		{3, "nestedretry", "amplification", false},
		{4, "nestedretry", "amplification", true},
		{4, "retryignore", "unused", false},
		{7, "nestedretry", "amplification", true},
		{7, "nestedretry", "layers", false},
		{8, "nestedretry", "amplification", false},
		{16, "nestedretry", "amplification", false},
		{21, "nestedretry", "amplification", true},
		{21, "retryignore", "unused", true},
	} {
		if got := x.Suppressed(file.LineStart(c.line), c.rule, c.category); got != c.want {
			t.Errorf("line %d, %s.%s: suppressed is %v", c.line, c.rule, c.category, got)
		}
	}
	if got := x.Directives[1].Reason; got != "the gateway is idle" {
		t.Errorf("reason %q", got)
	}
}

func TestProblems(t *testing.T) {
	x, _ := read(t)
	want := []string{
		"noreason: the directive suppresses nothing until it gives a reason: write why the finding is acceptable after nestedretry",
		"unknown: the directive names no rule: write //retrylint:ignore rule[.category] reason",
		`unknown: the directive suppresses nothing: unknown rule "nestedrety": did you mean nestedretry?`,
		"unknown: unknown directive retrylint:ingore: did you mean ignore?",
	}
	for i, p := range x.Problems {
		if got := p.Category + ": " + p.Message; i >= len(want) || got != want[i] {
			t.Errorf("unexpected %s", got)
		}
	}
	if len(x.Problems) != len(want) {
		t.Errorf("%d problems, want %d", len(x.Problems), len(want))
	}
}

// TestScopes checks the lines from 1 to the last of small files, one character each: x where a finding is suppressed.
func TestScopes(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"before the package clause", "//retrylint:ignore nestedretry old\n\npackage p\n\nvar a int\n", "xxxxx"},
		{"in the package's comment", "// Package p is old.\n//\n//retrylint:ignore nestedretry old\npackage p\nvar a int\n", "xxxxx"},
		{"beside the package clause", "package p //retrylint:ignore nestedretry old\n\nvar a int\n", "xxx"},
		{"below the package clause", "package p\n\n//retrylint:ignore nestedretry old\n\nvar a int\n", "...x."},
		{"function", "package p\n// F is old.\n//retrylint:ignore nestedretry old\nfunc F() {\n\tg()\n}\nvar a int\n", "...xxx."},
		{"not attached", "package p\n//retrylint:ignore nestedretry old\n\nfunc F() {\n}\n", "..x.."},
		{"beside a function's head", "package p\nfunc F() { //retrylint:ignore nestedretry old\n\tg()\n}\n", ".x.."},
		{"variable", "package p\n//retrylint:ignore nestedretry old\nvar a = func() {\n\tg()\n}\nvar b int\n", "..xxx."},
		{"group", "package p\n//retrylint:ignore nestedretry old\nvar (\n\ta int\n\tb int\n)\nvar c int\n", "..xxxx."},
		{"one of a group", "package p\nvar (\n\t//retrylint:ignore nestedretry old\n\ta = []int{\n\t1}\n\tb int\n)\n", "...xx.."},
		{"type", "package p\n//retrylint:ignore nestedretry old\ntype T struct {\n\ta int\n}\ntype U int\n", "..xxx."},
		{"constant", "package p\n//retrylint:ignore nestedretry old\nconst a = 1 +\n\t2\nconst b = 1\n", "..xx."},
		{"variable in a function", "package p\nfunc F() {\n\t//retrylint:ignore nestedretry old\n\tvar a = f(\n\t\t1)\n\tg()\n}\n", "...xx.."},
		{"statement", "package p\nfunc F() {\n\t//retrylint:ignore nestedretry old\n\ta := f(\n\t\t1)\n\tg()\n}\n", "...x..."},
	} {
		x, file := parse(t, c.source)
		got := ""
		for line := range len(c.want) {
			if x.Suppressed(file.LineStart(line+1), "nestedretry", "amplification") {
				got += "x"
			} else {
				got += "."
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestDeferred(t *testing.T) {
	x, file := read(t)
	Deferred = true
	defer func() { Deferred = false }()
	if x.Suppressed(file.LineStart(4), "nestedretry", "amplification") {
		t.Error("suppressed although the driver does it")
	}
	if len(x.Governing(file.LineStart(4), "nestedretry", "amplification")) != 1 {
		t.Error("it doesn't govern in deferred mode")
	}
}

func read(t *testing.T) (*Index, *token.File) { return parse(t, source) }

func parse(t *testing.T, source string) (*Index, *token.File) {
	name := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(name, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return Read(fset, []*ast.File{f}), fset.File(f.Pos())
}
