package report

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/retrylint/retrylint/internal/baseline"
	"github.com/retrylint/retrylint/internal/driver"
)

func TestGone(t *testing.T) {
	dir := t.TempDir()
	for file, path := range map[string]string{"go.mod": "example.com/m", "tools/go.mod": "example.com/m/tools"} {
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("module "+path+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	units := []driver.Unit{
		{ID: "example.com/m/a [example.com/m/a.test]", Named: true, ModuleDir: dir},
		{ID: "example.com/m/b", ModuleDir: dir}, // part of the workspace
	}
	units = append(units, driver.Unit{ID: "example.com/m/panicked", Named: true, ModuleDir: dir}, driver.Unit{ID: "example.com/m/untested", Named: true, ModuleDir: dir})
	untested := []string{"example.com/m/untested"}
	left := []driver.LeftOut{{Package: "example.com/m/panicked"}, {Package: "example.com/m/broken"}}
	part := ScopeOf(&driver.Result{Units: units, Untested: untested, LeftOut: left})
	all := ScopeOf(&driver.Result{Units: units, Untested: untested, Complete: true})
	if e := (&baseline.Entry{Fingerprint: baseline.Fingerprint{Rule: "retryignore.unused", Package: "example.com/m/a"}}); part.Gone(e) || !all.Gone(e) {
		t.Error("a run over a part decides about directives that are unused")
	}
	chain := []string{"3 by a", "3 by b"}
	for _, c := range []struct {
		pkg           string
		chain         []string
		inPart, inAll bool
	}{
		{"example.com/m/a", nil, true, true},
		{"example.com/m/a_test", nil, true, true},
		{"example.com/m/a", chain, false, true},
		{"example.com/m/b", nil, false, false},
		{"example.com/m/panicked", nil, false, true},
		{"example.com/m/broken", nil, false, true},
		{"example.com/m/untested", nil, false, false},
		{"example.com/m/deleted", nil, false, true},
		{"example.com/m", nil, false, true},
		{"example.com/m/tools/x", nil, false, false},
		{"example.com/more", nil, false, false},
		{"example.com/other", nil, false, false},
	} {
		e := &baseline.Entry{Fingerprint: baseline.Fingerprint{Package: c.pkg, Chain: c.chain}}
		if part.Gone(e) != c.inPart || all.Gone(e) != c.inAll {
			t.Errorf("%s with chain %v: gone in part: %v, in all: %v", c.pkg, c.chain, part.Gone(e), all.Gone(e))
		}
	}
}
