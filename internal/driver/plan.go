package driver

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/retrylint/retrylint/internal/config"
)

// A job is one pair of go list and go vet runs: the packages of one workspace, or of one module outside of any.
type job struct {
	dir     string   // where the go command runs
	asked   []string // patterns of what is reported
	linked  []string // patterns of what a chain may come from: all modules of the workspace
	configs []string // configuration files of the workspace
	lone    bool     // the module is not used by the go.work file above it
}

// patterns are what the go command is given. It takes Go files on their own only.
func (j *job) patterns() []string {
	list := slices.Clone(j.asked)
	if slices.ContainsFunc(list, func(p string) bool { return strings.HasSuffix(p, ".go") }) {
		return list
	}
	for _, p := range j.linked {
		if !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// plan distributes the patterns over workspaces. The go command takes one workspace at a time, and ./... only where a
// module is: patterns that reach over several modules become one for each of them.
func plan(cwd string, patterns []string) ([]job, error) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	p := planner{cwd: cwd}
	for _, pattern := range patterns {
		if err := p.add(pattern); err != nil {
			return nil, err
		}
	}
	return p.jobs()
}

type planner struct {
	cwd   string
	found []target
}

// A target is a pattern in the module where it applies.
type target struct {
	module string // its root; empty outside of any
	dir    string // the directory in the pattern, the current one for other patterns
	rest   string // what follows it: /... or nothing
	asIs   string // the pattern itself if it is no directory
}

func (p *planner) add(pattern string) error {
	if !isDirectory(pattern) {
		p.found = append(p.found, target{module: config.ModuleRoot(p.cwd), dir: p.cwd, asIs: pattern})
		return nil
	}
	dir, rest := split(pattern)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(p.cwd, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return usage("no packages match %s: there is no such directory", pattern)
	}
	modules := p.modules(dir, rest != "")
	if len(modules) == 0 {
		return p.noModule(pattern)
	}
	for _, m := range modules {
		p.found = append(p.found, target{module: m, dir: deeper(dir, m), rest: rest})
	}
	return nil
}

func (p *planner) noModule(pattern string) error {
	return usage("%s is not in a Go module, and there is none below it: run retrylint where a go.mod file is, or say -C dir", pattern)
}

// isDirectory reports whether the go command takes the pattern for a directory. Go files are left to it.
func isDirectory(pattern string) bool {
	relative := pattern == "." || pattern == ".." || strings.HasPrefix(pattern, "./") || strings.HasPrefix(pattern, "../")
	return (relative || filepath.IsAbs(pattern)) && !strings.HasSuffix(pattern, ".go")
}

// split divides a pattern before the first element with dots in it: ./a/... is ./a and /....
func split(pattern string) (dir, rest string) {
	at := strings.Index(pattern, "...")
	if at < 0 {
		return pattern, ""
	}
	slash := strings.LastIndex(pattern[:at], "/")
	return cmp.Or(pattern[:slash], "/"), pattern[slash:]
}

// modules are the roots of the module around a directory and, if the pattern goes deeper, of those below that belong to
// it: used by the same go.work file, or all of them where no module is around.
func (p *planner) modules(dir string, deep bool) []string {
	around := config.ModuleRoot(dir)
	if !deep {
		return nonEmpty(around)
	}
	if work := config.WorkFile(dir); work != "" && (around == "" || uses(work, around)) {
		return append(nonEmpty(around), slices.DeleteFunc(used(work), func(m string) bool { return m == around || !below(m, dir) })...)
	}
	if around != "" {
		return []string{around}
	}
	return search(dir)
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

// used is for decisions only: a go.work file that can't be read makes the go command say so later.
func used(work string) []string {
	dirs, err := config.Used(work)
	if err != nil {
		return nil
	}
	return dirs
}

func uses(work, module string) bool { return slices.Contains(used(work), module) }

// search finds the modules below a directory where the go command would look for packages.
func search(dir string) []string {
	var found []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what can't be read holds no module for us
		}
		if d.IsDir() && path != dir && skipped(d.Name()) {
			return filepath.SkipDir
		}
		if !d.IsDir() && d.Name() == "go.mod" {
			found = append(found, filepath.Dir(path))
		}
		return nil
	})
	slices.Sort(found)
	return found
}

func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || slices.Contains([]string{"testdata", "vendor", "node_modules"}, name)
}

// jobs groups the targets by workspace, in order of appearance.
func (p *planner) jobs() ([]job, error) {
	var list []job
	var keys []string
	for _, t := range p.found {
		root, lone := t.workspace()
		at := slices.Index(keys, root)
		if at < 0 {
			j, err := p.job(root, lone, t.dir)
			if err != nil {
				return nil, err
			}
			at = len(list)
			list, keys = append(list, j), append(keys, root)
		}
		list[at].asked = append(list[at].asked, t.within(list[at].dir))
	}
	return list, nil
}

// workspace is the root under which the target is analysed: the directory of go.work, or the module if there is none, or
// none that uses it. Nothing outside of any module: there, the go command knows the standard library.
func (t target) workspace() (root string, lone bool) {
	work := config.WorkFile(t.dir)
	if work == "" {
		return t.module, false
	}
	if t.module != "" && !uses(work, t.module) {
		return t.module, true
	}
	return filepath.Dir(work), false
}

// Root is the root of the workspace or module that a directory belongs to, the directory itself if there is none.
func Root(dir string) string {
	root, _ := target{module: config.ModuleRoot(dir), dir: dir}.workspace()
	return cmp.Or(root, dir)
}

// job prepares the job of a workspace. It runs in the current directory where that is inside, so that the go command's
// messages have the paths that its user expects.
func (p *planner) job(root string, lone bool, inside string) (job, error) {
	j := job{dir: root, lone: lone}
	if root == "" || below(p.cwd, root) {
		j.dir = p.cwd
	}
	configs, err := config.Files(inside)
	if err != nil {
		return job{}, usage("%v", err)
	}
	j.configs = configs
	for _, m := range j.modules(root) {
		j.linked = append(j.linked, target{dir: m, rest: "/..."}.within(j.dir))
	}
	return j, nil
}

// modules are those of the workspace at root.
func (j *job) modules(root string) []string {
	if work := config.WorkFile(root); root != "" && work != "" && !j.lone {
		return used(work)
	}
	return nonEmpty(root)
}

// within renders the target for a go command that runs in dir.
func (t target) within(dir string) string {
	if t.asIs != "" {
		return t.asIs
	}
	rel, err := filepath.Rel(dir, t.dir)
	if err != nil {
		return t.dir + t.rest // another volume: absolute paths are patterns, too
	}
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "..") && rel != "." {
		rel = "./" + rel
	}
	return rel + t.rest
}

// below reports whether dir is root or inside of it.
func below(dir, root string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// deeper is whichever of two nested directories lies inside of the other.
func deeper(a, b string) string {
	if below(a, b) {
		return a
	}
	return b
}
