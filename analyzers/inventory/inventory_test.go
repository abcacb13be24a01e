package inventory_test

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/retrylint/retrylint/analyzers/inventory"
)

// TestOrigins compares what is told of each place with the comment at the end of its line.
func TestOrigins(t *testing.T) {
	if err := inventory.Analyzer.Flags.Set("emit", "true"); err != nil {
		t.Fatal(err)
	}
	defer inventory.Analyzer.Flags.Set("emit", "false")
	testdata, err := filepath.Abs(filepath.Join("..", "nestedretry", "testdata")) // where the stand-ins for libraries are
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range analysistest.Run(quiet{t}, testdata, inventory.Analyzer, "origins") {
		want := comments(r.Action.Package.Fset, r.Action.Package.Syntax)
		for _, d := range r.Diagnostics {
			var s inventory.Summary
			if err := json.Unmarshal([]byte(d.Message), &s); err != nil {
				t.Fatal(err)
			}
			for _, site := range s.Sites {
				if want[site.Line] != site.Origin {
					t.Errorf("%s:%d: %q, want %q", site.File, site.Line, site.Origin, want[site.Line])
				}
				delete(want, site.Line)
			}
		}
		for line, origin := range want {
			t.Errorf("line %d: no place, want %q", line, origin)
		}
	}
}

// quiet passes over the diagnostic, whose message is compared here.
type quiet struct{ *testing.T }

func (quiet) Errorf(string, ...any) {}

// comments returns the comments within functions, by line.
func comments(fset *token.FileSet, files []*ast.File) map[int]string {
	list := map[int]string{}
	for _, file := range files {
		for _, group := range file.Comments {
			at := fset.Position(group.Pos())
			if at.Column > 1 {
				list[at.Line] = strings.TrimSpace(group.Text())
			}
		}
	}
	return list
}
