package analyzers_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/retrylint/retrylint/analyzers/page"
	"github.com/retrylint/retrylint/internal/rules"
)

// TestPages wants each rule to have its page, which tells of each category, and each diagnostic to lead there.
func TestPages(t *testing.T) {
	for _, a := range deps {
		if a.URL != page.URL(a.Name) {
			t.Errorf("the diagnostics of %s lead to %q, want %q", a.Name, a.URL, page.URL(a.Name))
		}
	}
	for _, r := range rules.All {
		text, err := os.ReadFile(filepath.Join("..", "docs", r.Name+".md"))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, c := range r.Categories {
			if !strings.Contains(string(text), c.Name) {
				t.Errorf("docs/%s.md doesn't tell of %s", r.Name, c.Name)
			}
		}
	}
}
