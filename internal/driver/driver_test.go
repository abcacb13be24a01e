package driver

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestDecodePackages(t *testing.T) {
	list, err := decodePackages(strings.NewReader(`{"ImportPath":"a","GoFiles":["a.go"]}
{"ImportPath":"b","DepOnly":true,"Error":{"Pos":"b.go:1:1","Err":"bad"}}`))
	if err != nil || len(list) != 2 || !list[0].code() || !list[1].DepOnly || list[1].Error.Err != "bad" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := decodePackages(strings.NewReader(`{"ImportPath":`)); err == nil {
		t.Error("no error for a list that ends early")
	}
}

func TestAffectedBlamesTheNearest(t *testing.T) {
	r := run{packages: map[string]*Package{
		"top":  {ImportPath: "top", Imports: []string{"good", "mid"}},
		"mid":  {ImportPath: "mid", Imports: []string{"bad"}},
		"bad":  {ImportPath: "bad", Imports: []string{"mid"}},
		"good": {ImportPath: "good", Imports: []string{"C", "unsafe"}},
	}}
	got := r.affected(func(p *Package) bool { return p.ImportPath == "bad" })
	if want := map[string]string{"top": "bad", "mid": "bad", "bad": "bad"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTranscript(t *testing.T) {
	var log bytes.Buffer
	tr := transcript{log: &log}
	text := "go: downloading example.com/x v1.0.0\n# a\n# [a]\nvet: ./a.go:1:2: undefined: x\n./a.go:2:2: more\n# b\npanic: no\n# c\ncould not import b (no package vetx file for \"b\")\n"
	for piece := range strings.SplitAfterSeq(text, "a") {
		_, _ = tr.Write([]byte(piece))
	}
	tr.end()
	_, _ = tr.Write([]byte("x/x_test.go:1:1: no required module;\n\tgo get y"))
	tr.end()
	if log.String() != "go: downloading example.com/x v1.0.0\n" {
		t.Errorf("log %q", log.String())
	}
	if want := map[string]string{"a": "vet: ./a.go:1:2: undefined: x", "b": "panic: no"}; !reflect.DeepEqual(tr.about, want) {
		t.Errorf("about %v", tr.about)
	}
	if got := tr.general[len(tr.general)-1]; got != "x/x_test.go:1:1: no required module; go get y" {
		t.Errorf("general %q", got)
	}
}

func TestParts(t *testing.T) {
	long := strings.Repeat("x", 10<<10)
	if got := len(parts([]string{long, long, long, "y"})); got != 2 {
		t.Errorf("%d parts", got)
	}
	if got := parts(nil); got != nil {
		t.Errorf("%v", got)
	}
}

func TestIsVetCall(t *testing.T) {
	for args, want := range map[string]bool{"-flags": true, "-V=full": true, "-json /tmp/vet.cfg": true, "": false, "./...": false, "-json ./...": false} {
		if got := IsVetCall(strings.Fields(args)); got != want {
			t.Errorf("IsVetCall(%q) = %v", args, got)
		}
	}
}

func TestSplit(t *testing.T) {
	for in, want := range map[string][2]string{"./...": {".", "/..."}, ".": {".", ""}, "./a/b...": {"./a", "/b..."}, "/...": {"/", "/..."}} {
		if dir, rest := split(in); dir != want[0] || rest != want[1] {
			t.Errorf("split(%q) = %q, %q", in, dir, rest)
		}
	}
}
