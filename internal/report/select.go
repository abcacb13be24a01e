package report

import (
	"fmt"
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

// Findings selects from what a run collected.
func Findings(r *driver.Result, s Selection) ([]Finding, error) {
	linked, err := link(r)
	if err != nil {
		return nil, err
	}
	list := suppress(r, linked.chains(findings(r.Units)))
	generated := make(generatedFiles)
	return slices.DeleteFunc(list, func(f Finding) bool {
		return !s.wants(r.Config, &f) || r.Config.Excluded(f.At.File) || f.vendored() || generated.has(f.At.File)
	}), nil
}

// suppress removes what directives name, and reports directives that name nothing. That is decided before anything is
// selected, so that no selection makes a directive useless; and in complete runs only, because a finding may need code of
// a package that wasn't looked at.
func suppress(r *driver.Result, list []Finding) []Finding {
	all := directives(r.Units)
	byLine := make(map[Position][]*directive)
	for _, d := range all {
		at := Position{File: d.at.File, Line: d.line}
		byLine[at] = append(byLine[at], d)
	}
	list = slices.DeleteFunc(list, func(f Finding) bool { return suppressed(byLine, f) })
	if !r.Complete {
		return list
	}
	for _, d := range all {
		if !d.used {
			list = append(list, d.unused())
		}
	}
	return sorted(list)
}

func suppressed(byLine map[Position][]*directive, f Finding) bool {
	hit := false
	for _, d := range byLine[Position{File: f.At.File, Line: f.At.Line}] {
		if d.target.Matches(f.Rule, f.Category) {
			d.used, hit = true, true
		}
	}
	return hit
}

func (d *directive) unused() Finding {
	posn := fmt.Sprintf("%s:%d:%d", d.at.File, d.at.Line, d.at.Col)
	return Finding{
		Package: d.pkg, Rule: "retryignore", Category: "unused", At: d.at, moduleDir: d.moduleDir,
		Diagnostic: driver.Diagnostic{
			Category: "retryignore.unused", Posn: posn, End: posn,
			Message: "the directive suppresses nothing: no finding of " + d.name + " is on the line it governs; remove it",
		},
	}
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
