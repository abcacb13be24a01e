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
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/driver"
)

// A Selection says which findings are wanted, by flags: where they say nothing, the configuration does. It is applied after
// the run, so that no choice costs a new analysis.
type Selection struct {
	config.Filter
	// Tests keeps findings in tests and in packages that support tests; nil leaves it to the configuration.
	Tests *bool
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
		if s.wants(r.Config, &f) && !r.Config.Excluded(f.At.File) && !f.vendored() && !generated.has(f.At.File) {
			selected = append(selected, f)
		}
	}
	return selected
}

func (s *Selection) wants(c *config.Config, f *Finding) bool {
	filters := append([]config.Filter{s.Filter}, c.Filters(f.At.File)...)
	return config.Wanted(filters, f.Rule, f.Category) && (!f.inTests() || testsWanted(s.Tests, c, f.At.File)) &&
		(f.Rule != nested || Exceeds(f.Diagnostic.Message, config.MaxAttempts(filters)))
}

// testsWanted is what a flag says about tests, else what the configuration says for a file.
func testsWanted(flag *bool, c *config.Config, file string) bool {
	if flag != nil {
		return *flag
	}
	return c.Tests(file)
}

// Exceeds reports whether the message of a chain tells of more attempts than are tolerated. A product without a number always
// does; limit 0 tolerates none.
func Exceeds(message string, limit int) bool {
	n, known := product(message)
	return limit == 0 || !known || n > limit
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
