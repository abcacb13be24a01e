package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/retrylint/retrylint/internal/driver"
)

// Text prints a finding a line, its chain below it.
func Text(out io.Writer, list []Finding, paths Paths) error {
	w := bufio.NewWriter(out)
	for _, f := range list {
		fmt.Fprintf(w, "%s: %s (%s)\n", paths.show(f.At), f.Diagnostic.Message, f.Name())
		for _, hop := range f.Diagnostic.Related {
			fmt.Fprintf(w, "\t%s\n", hopText(hop, paths))
		}
	}
	return w.Flush()
}

var saysWhere = regexp.MustCompile(`^\S+:\d+: `)

// hopText is a related place with its position. A message that begins with a place speaks of code that the package doesn't
// see: its own position is that of the finding.
func hopText(hop driver.Related, paths Paths) string {
	if saysWhere.MatchString(hop.Message) {
		return hop.Message
	}
	return paths.show(position(hop.Posn)) + ": " + hop.Message
}

// JSON prints the tree of go/analysis: package, analyzer, diagnostics.
func JSON(out io.Writer, list []Finding) error {
	tree := make(map[string]map[string][]driver.Diagnostic)
	for _, f := range list {
		if tree[f.Package] == nil {
			tree[f.Package] = make(map[string][]driver.Diagnostic)
		}
		tree[f.Package][f.Rule] = append(tree[f.Package][f.Rule], f.Diagnostic)
	}
	text, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s\n", text)
	return err
}

// Paths shortens absolute paths for readers: code below the current directory is shown from there, code of modules and of
// the standard library by module version and import path, the same on every machine.
type Paths struct{ Dir, ModuleCache, Std string }

// PathsFrom are those of a run, seen from the current directory.
func PathsFrom(dir string, env driver.Environment) Paths {
	return Paths{Dir: dir, ModuleCache: env.GOMODCACHE, Std: filepath.Join(env.GOROOT, "src")}
}

func (p Paths) show(at Position) string {
	if at.Col == 0 {
		return fmt.Sprintf("%s:%d", p.name(at.File), at.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.name(at.File), at.Line, at.Col)
}

func (p Paths) name(file string) string {
	if rel, inside := within(p.Dir, file); inside {
		return rel
	}
	if rel, inside := within(p.ModuleCache, file); inside {
		return rel
	}
	if rel, inside := within(p.Std, file); inside {
		return rel
	}
	rel, err := filepath.Rel(p.Dir, file)
	if err != nil || !filepath.IsAbs(file) {
		return file
	}
	return filepath.ToSlash(rel)
}

func within(dir, file string) (rel string, inside bool) {
	if dir == "" || !filepath.IsAbs(file) {
		return "", false
	}
	rel, err := filepath.Rel(dir, file)
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}
