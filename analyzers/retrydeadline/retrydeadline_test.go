package retrydeadline_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/retrydeadline"
)

func TestFindings(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), retrydeadline.Analyzer, "sleep", "done", "cancel", "nocontext", "detached", "overrun")
}

func TestFixes(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), retrydeadline.Analyzer, "fix")
}

// TestFixesCompile type-checks what the fixes make of the code.
func TestFixesCompile(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(analysistest.TestData())); err != nil {
		t.Fatal(err)
	}
	fixed, err := os.ReadFile(filepath.Join(dir, "src/fix/fix.go.golden"))
	if err != nil {
		t.Fatal(err)
	}
	fixed = regexp.MustCompile("// want `.*`").ReplaceAll(fixed, nil)
	if err := os.WriteFile(filepath.Join(dir, "src/fix/fix.go"), fixed, 0o644); err != nil {
		t.Fatal(err)
	}
	compiles := &analysis.Analyzer{Name: "compiles", Doc: "type-checks", Run: func(*analysis.Pass) (any, error) { return nil, nil }}
	analysistest.Run(t, dir, compiles, "fix")
}
