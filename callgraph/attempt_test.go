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
