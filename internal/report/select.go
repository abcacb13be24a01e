package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/rules"
)

// A Selection says which findings are wanted. It is applied after the run, so that no choice costs a new analysis.
type Selection struct {
	Only, Enable, Disable []rules.Name
	// MaxAttempts hides chains whose product is known and not above it; 0 hides none.
	MaxAttempts int
	// Tests keeps findings in tests and in packages that support tests.
	Tests bool
}

// Findings returns what a run collected, without what directives suppress.
func Findings(r *driver.Result) ([]Finding, error) {
	linked, err := link(r)
	if err != nil {
		return nil, err
	}
	return linked.findings(r), nil
}

// Select selects from the findings of a run.
func (s *Selection) Select(r *driver.Result, list []Finding) []Finding {
	var selected []Finding
	generated := make(generatedFiles)
	for _, f := range list {
		if s.wants(&f) && !r.Config.Excluded(f.At.File) && !f.vendored() && !generated.has(f.At.File) {
			selected = append(selected, f)
		}
	}
	return selected
}

func (s *Selection) wants(f *Finding) bool {
	return s.enabled(f.Rule, f.Category) && (s.Tests || !f.inTests()) && s.exceeds(f)
}

// enabled goes from the most to the least specific word: what names the category wins over what names the rule.
func (s *Selection) enabled(rule, category string) bool {
	exact, whole := rules.Name{Rule: rule, Category: category}, rules.Name{Rule: rule}
	switch {
	case slices.Contains(s.Disable, exact):
		return false
	case slices.Contains(s.Enable, exact), slices.Contains(s.Only, exact):
		return true
	case slices.Contains(s.Disable, whole):
		return false
	case slices.Contains(s.Enable, whole):
		return true
	}
	return (len(s.Only) == 0 || slices.Contains(s.Only, whole)) && !optIn(rule, category)
}

func optIn(rule, category string) bool {
	r := rules.Find(rule)
	if r == nil {
		return false
	}
	c := r.Category(category)
	return c != nil && c.OptIn
}

// exceeds reports whether a chain has more attempts than are tolerated. A product without a number always has.
func (s *Selection) exceeds(f *Finding) bool {
	if s.MaxAttempts == 0 || f.Rule != "nestedretry" {
		return true
	}
	n, known := product(f.Diagnostic.Message)
	return !known || n > s.MaxAttempts
}

var stated = regexp.MustCompile(`^up to ([0-9][0-9,]*) attempts\b`)

// product reads the number that the message of a chain begins with. Unlimited ones and symbols without a default have none.
func product(message string) (n int, known bool) {
	m := stated.FindStringSubmatch(message)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	return n, err == nil // one that doesn't fit exceeds everything
}

// inTests reports whether the finding is in a test file or in a package that supports tests.
func (f *Finding) inTests() bool { return inTests(f.inModule()) }

func (f *Finding) vendored() bool { return slices.Contains(elements(f.inModule()), "vendor") }

// inModule is the file's path from the root of its module.
func (f *Finding) inModule() string {
	rel, err := filepath.Rel(f.moduleDir, f.At.File)
	if err != nil {
		return f.At.File
	}
	return filepath.ToSlash(rel)
}

func inTests(file string) bool {
	return strings.HasSuffix(file, "_test.go") || callgraph.TestSupport(file)
}

// elements are the directories of a slash-separated path.
func elements(file string) []string {
	list := strings.Split(file, "/")
	return list[:len(list)-1]
}

// generatedFiles remembers which files say that they are generated.
type generatedFiles map[string]bool

func (g generatedFiles) has(file string) bool {
	if known, seen := g[file]; seen {
		return known
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	g[file] = err == nil && ast.IsGenerated(f)
	return g[file]
}
