package callgraph_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"
	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/sites"
)

// TestAttempts compares the functions whose attempts execute a call with the comment beside it.
func TestAttempts(t *testing.T) {
	results := analysistest.Run(silent{}, analysistest.TestData(), callgraph.Analyzer, "attempts")
	got := map[string][]string{}
	for _, r := range results {
		for _, site := range r.Result.(*callgraph.Result).Known().Repetitions {
			if site.Role != sites.Retry {
				continue
			}
			for step := range site.Attempt() {
				if _, isCall := step.Instr.(ssa.CallInstruction); !isCall {
					continue
				}
				at := r.Pass.Fset.Position(step.Instr.Pos())
				key := fmt.Sprintf("attempts/%s:%d", filepath.Base(at.Filename), at.Line)
				if name := site.Hop.Function; !slices.Contains(got[key], name) {
					got[key] = append(got[key], name)
				}
			}
		}
	}
	for at, want := range comments(results, "again: ") {
		slices.Sort(got[at])
		if slices.Sort(want); !slices.Equal(got[at], want) {
			t.Errorf("%s: executed again in %q, want %q", at, got[at], want)
		}
		delete(got, at)
	}
	for at, names := range got {
		t.Errorf("%s: executed again in %q, want none", at, names)
	}
}

// TestInstalled compares the calls that install layers of the workspace's own with the comments beside them.
func TestInstalled(t *testing.T) {
	_, results := program(t, "installed")
	want := comments(results, "installs: ")
	for _, r := range results {
		for _, site := range r.Result.(*callgraph.Result).Known().Repetitions {
			at := r.Pass.Fset.Position(site.Pos)
			key := fmt.Sprintf("%s/%s:%d", filepath.Base(filepath.Dir(at.Filename)), filepath.Base(at.Filename), at.Line)
			if site.Hop.Kind != "client" {
				continue
			}
			if got := []string{site.Count.String()}; !slices.Equal(got, want[key]) {
				t.Errorf("%s: installs %q, want %q", key, got, want[key])
			}
			delete(want, key)
		}
	}
	for key, n := range want {
		t.Errorf("%s: installs nothing, want %q", key, n)
	}
}
