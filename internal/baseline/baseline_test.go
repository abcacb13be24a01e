package baseline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func chain(function string, layers ...string) *Fingerprint {
	return &Fingerprint{Rule: "nestedretry.amplification", Package: "example.com/m/a", Function: function, Chain: layers}
}

func numbered(list ...*Fingerprint) []*Fingerprint {
	Number(list)
	return list
}

// news lists the findings that are new, by function and ordinal.
func news(m *Match, found []*Fingerprint) string {
	var list []string
	for _, f := range found {
		if m.Entry(f) == nil {
			list = append(list, f.Function)
		}
	}
	return strings.Join(list, " ")
}

func TestMatch(t *testing.T) {
	const loop, inner = "3 by the loop in example.com/m/a.F", "3 by retry.Do in example.com/m/b.G"
	before := Of(numbered(chain("F", loop, inner), chain("H", loop, inner), chain("H", loop, inner), chain("S", "unlimited by the loop in a.S", "cfg.Max (default 3) by x in b.G")))
	for _, c := range []struct {
		name               string
		found              []*Fingerprint
		news, grown, stale string
	}{
		{"the same in another order", numbered(chain("H", loop, inner), chain("H", loop, inner), chain("F", loop, inner)), "", "", "S"},
		{"a callee grows", numbered(chain("F", loop, "10 by retry.Do in example.com/m/b.G")), "F", "F: was 9 attempts, is 30", "H H S"},
		{"a callee becomes unlimited", numbered(chain("F", loop, "unlimited by retry.Do in example.com/m/b.G")), "F", "F: was 9 attempts, is unlimited", "H H S"},
		{"a callee becomes configurable", numbered(chain("F", loop, "cfg.Max by retry.Do in example.com/m/b.G")), "F", "", "F H H S"},
		{"a default grows", numbered(chain("S", "unlimited by the loop in a.S", "cfg.Max (default 10) by x in b.G")), "S", "S: ", "F H H"},
		{"a layer more", numbered(chain("F", loop, inner, inner)), "F", "F: was 9 attempts, is 27", "H H S"},
		{"another callee", numbered(chain("F", loop, "3 by retry.Do in example.com/m/b.Other")), "F", "", "F H H S"},
		{"a callee shrinks", numbered(chain("F", loop, "2 by retry.Do in example.com/m/b.G")), "", "", "H H S"},
		{"something ends", numbered(chain("S", "5 by the loop in a.S", "cfg.Max (default 3) by x in b.G")), "", "", "F H H"},
		{"one shrinks and one grows", numbered(chain("F", "2 by the loop in example.com/m/a.F", "4 by retry.Do in example.com/m/b.G")), "F", "", "F H H S"},
		{"renamed", numbered(chain("F2", loop, inner)), "F2", "", "F H H S"},
		{"one more of the same", numbered(chain("H", loop, inner), chain("H", loop, inner), chain("H", loop, inner)), "H", "", "F S"},
		{"one less of the same", numbered(chain("H", loop, inner)), "", "", "F H S"},
		{"one shrinks beside one that stays", numbered(chain("F", "2 by the loop in example.com/m/a.F", inner), chain("F", loop, inner)), "F", "", "H H S"},
	} {
		m := before.Match(c.found)
		if got := news(m, c.found); got != c.news {
			t.Errorf("%s: new in %q, want %q", c.name, got, c.news)
		}
		var grown []string
		for _, f := range c.found {
			if e := m.Grown(f); e != nil {
				grown = append(grown, f.Function+": "+f.Growth(e))
			}
		}
		if got := strings.Join(grown, " "); got != c.grown {
			t.Errorf("%s: grown %q, want %q", c.name, got, c.grown)
		}
		var stale []string
		for _, e := range m.Unused(before) {
			stale = append(stale, e.Function)
		}
		if got := strings.Join(stale, " "); got != c.stale {
			t.Errorf("%s: stale in %q, want %q", c.name, got, c.stale)
		}
	}
}

func TestUpdated(t *testing.T) {
	old := Of(numbered(chain("Same"), chain("Unselected"), chain("Gone"), chain("Elsewhere"), chain("Smaller", "3 by a", "3 by b"), chain("Grown", "3 by a", "3 by b")))
	for i := range old.Entries {
		old.Entries[i].Owner = "the owner of " + old.Entries[i].Function
	}
	found := numbered(chain("Unselected"), chain("Smaller", "3 by a", "2 by b"), chain("Grown", "3 by a", "10 by b"), chain("Same"), chain("New"))
	updated := old.Updated(found[1:], old.Match(found), func(e *Entry) bool { return e.Function != "Elsewhere" })
	var got []string
	for _, e := range updated.Entries {
		got = append(got, e.Function+" "+e.Owner)
	}
	want := "Elsewhere the owner of Elsewhere,Grown the owner of Grown,New ,Same the owner of Same,Smaller the owner of Smaller,Unselected the owner of Unselected"
	if strings.Join(got, ",") != want {
		t.Errorf("got %s\nwant %s", strings.Join(got, ","), want)
	}
	if layers := updated.Entries[4].Chain; layers[1] != "2 by b" {
		t.Errorf("the chain that became smaller is written as %v", layers)
	}
}

func TestExpired(t *testing.T) {
	today := time.Date(2026, 12, 31, 23, 59, 0, 0, time.UTC)
	for day, want := range map[string]bool{"": false, "2026-12-31": false, "2027-01-01": false, "2026-12-30": true} {
		if e := (Entry{Expires: day}); e.Expired(today) != want {
			t.Errorf("expires %q: %v", day, !want)
		}
	}
}

const text = header + `version: 1
findings:
- rule: nestedretry.amplification
  package: example.com/m/a
  function: (*Client).Get
  chain:
  - 3 by the loop in example.com/m/a.(*Client).Get
  - cfg.Max (default 10) by retry.Do in gopkg.in/b.v2.G
  owner: payments
  reason: 'moves to the gateway: see the plan'
  expires: 2026-12-31
- rule: retrybound.unbounded
  package: example.com/m/a
  function: var poll
  ordinal: 2
- rule: retryignore.noreason
  package: example.com/m/b
`

func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := Read(file, FileName)
	if err != nil {
		t.Fatal(err)
	}
	if e := b.Entries[0]; e.Owner != "payments" || e.Expires != "2026-12-31" || len(e.Chain) != 2 || e.Ordinal != 1 || b.Entries[1].Ordinal != 2 {
		t.Errorf("read %+v", b.Entries)
	}
	if err := b.Write(file); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(file)
	if err != nil || string(written) != text {
		t.Errorf("wrote\n%s%v", written, err)
	}
	if left, _ := filepath.Glob(file + "?*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNothing(t *testing.T) {
	text, err := new(Baseline).Encode()
	if err != nil || string(text) != header+"version: 1\nfindings: []\n" {
		t.Errorf("%s%v", text, err)
	}
}

func TestMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "b.yml")
	for text, want := range map[string]string{
		"":                           "b.yml is empty",
		"- a\n":                      "b.yml:1: here must be a mapping with the keys version, findings",
		"findings: []\n":             "b.yml:1: the key version is missing",
		"version: 2\nfindings: []\n": "b.yml:1: version must be 1",
		"version: 1\nfindings: 3\n":  "b.yml:2: findings must be a list",
		"version: 1\nfindings:\n- rule: a.b\n  package: m\n  owned: x\n":            `b.yml:5: unknown key "owned": did you mean owner?`,
		"version: 1\nfindings:\n- rule: a.b\n  package: m\n  expires: 31.12.2026\n": `b.yml:5: expires must be a day as in 2026-12-31, found "31.12.2026"`,
		"version: 1\nfindings:\n- rule: a.b\n  package: m\n  ordinal: 0\n":          `b.yml:5: ordinal must be a number from 1`,
		"version: 1\nfindings:\n- rule: a.b\n":                                      "b.yml:3: a finding needs the key package",
		"<<<<<<< ours\n":                                                            "b.yml:1: here must be a mapping",
		"version: 1\n\tfindings: 3\n":                                               "b.yml: this is not YAML: line 2",
	} {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file, "b.yml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

const code = `// Package p is code.
package p

import "fmt"

// F is a function.
func F() {
	func() { fmt.Println() }()
}

func (c *Client[K]) Get() {}

var (
	a = 1
	b, c = func() {
	}, 2
)

type (
	Client[K any] struct{}
	// Other is a type.
	Other struct{
		Next *Other
	}
)

// d is a constant.
const d = 1
`

func TestFunction(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.go")
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	sources := make(Sources)
	for line, want := range map[int]string{
		0: "", 1: "", 4: "", 6: "F", 7: "F", 8: "F", 9: "F", 11: "(*Client[K]).Get", 13: "var a", 14: "var a", 15: "var b", 16: "var b",
		20: "type Client", 23: "type Other", 27: "const d", 28: "const d", 99: "",
	} {
		if got := sources.Function(file, line, 2); got != want {
			t.Errorf("line %d: %q, want %q", line, got, want)
		}
	}
	if got := sources.Function(filepath.Join(t.TempDir(), "none.go"), 1, 1); got != "" {
		t.Errorf("in no file: %q", got)
	}
}
