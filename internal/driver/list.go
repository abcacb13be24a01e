package driver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Package is what go list tells of one.
type Package struct {
	ImportPath string
	Dir        string
	DepOnly    bool
	Standard   bool
	Match      []string
	Module     *struct {
		Dir  string
		Main bool
	}
	GoFiles        []string
	CgoFiles       []string
	TestGoFiles    []string
	XTestGoFiles   []string
	IgnoredGoFiles []string
	EmbedPatterns  []string
	Imports        []string
	Error          *struct{ Pos, Err string }
}

// The go command looks for what is embedded only if it is asked for EmbedFiles.
const fields = "ImportPath,Dir,DepOnly,Standard,Match,Module,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles,IgnoredGoFiles,EmbedPatterns,EmbedFiles,Imports,Error"

// list asks the go command what the patterns mean. Loading must not go wrong in go vet: there, one missing import ends
// the run for all.
func (r *run) list() error {
	cmd := r.command("list", append([]string{"-e", "-deps", "-json=" + fields, "--"}, r.patterns()...)...)
	said := transcript{log: r.Log}
	cmd.Stderr = &said
	out, err := cmd.Output()
	said.end()
	if err != nil {
		return fmt.Errorf("the packages can't be listed: %s", r.fromHere(cmp.Or(strings.Join(said.general, "\n"), err.Error())))
	}
	r.out.notes = append(r.out.notes, slices.DeleteFunc(said.warnings(), r.unasked)...)
	packages, err := decodePackages(bytes.NewReader(out))
	if err != nil {
		return fmt.Errorf("the output of go list can't be read: %w", err)
	}
	r.packages = make(map[string]*Package)
	for _, p := range packages {
		r.packages[p.ImportPath] = p
	}
	return r.count()
}

// unasked reports whether a warning is about a pattern that was added to those given.
func (r *run) unasked(warning string) bool {
	return slices.ContainsFunc(r.linked, func(p string) bool {
		return strings.HasPrefix(warning, strconv.Quote(p)) && !slices.Contains(r.asked, p)
	})
}

func decodePackages(in io.Reader) ([]*Package, error) {
	var list []*Package
	for d := json.NewDecoder(in); ; {
		p := new(Package)
		err := d.Decode(p)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
}

// count takes stock of the named packages; one that doesn't exist at all is a mistake in the command line.
func (r *run) count() error {
	for _, p := range r.inOrder() {
		if !r.asks(p) {
			continue
		}
		if p.missing() {
			return usage("no packages match %s: %s", p.asked(), r.located(p))
		}
		r.named++
		r.ignored += len(p.IgnoredGoFiles)
	}
	return nil
}

// asks reports whether a package is one of those that were asked for.
func (r *run) asks(p *Package) bool {
	return !p.DepOnly && slices.ContainsFunc(p.Match, func(m string) bool { return slices.Contains(r.asked, m) })
}

// inOrder returns the packages by import path.
func (r *run) inOrder() []*Package {
	list := make([]*Package, 0, len(r.packages))
	for _, p := range r.packages {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return list
}

// missing reports whether the package was named in full and there is no such thing.
func (p *Package) missing() bool {
	return p.Error != nil && !p.exists() && !strings.Contains(p.asked(), "...")
}

// exists reports whether the package has any Go files.
func (p *Package) exists() bool { return p.code() || p.tests() || len(p.IgnoredGoFiles) > 0 }

func (p *Package) asked() string {
	if len(p.Match) > 0 {
		return p.Match[0]
	}
	return p.ImportPath
}

// code reports whether there is something to analyse beside tests.
func (p *Package) code() bool { return len(p.GoFiles)+len(p.CgoFiles) > 0 }

func (p *Package) tests() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// moduleDir is the root that paths are shown from: of a vendored package, that of the module that holds the copy.
func (p *Package) moduleDir() string {
	if at := strings.LastIndex(filepath.ToSlash(p.Dir), "/vendor/"); at >= 0 && p.Module != nil && !p.Module.Main {
		return p.Dir[:at]
	}
	if p.Module != nil && p.Module.Dir != "" {
		return p.Module.Dir
	}
	return p.Dir
}

// loadable splits the named packages into those that go vet can be given and those that it would stumble over, either by
// their own fault or by one of their imports'.
func (r *run) loadable() (good []string, all bool) {
	broken := r.affected(r.faulty)
	all = true
	for _, p := range r.inOrder() {
		if p.DepOnly {
			continue
		}
		if broken[p.ImportPath] != "" {
			all = false
			continue
		}
		good = append(good, p.ImportPath)
	}
	return good, all
}

// faulty reports whether a package can't be loaded by its own fault. An import that does not exist is its importer's fault.
func (r *run) faulty(p *Package) bool { return r.fault(p) != "" }

// fault is what go list says against a package, or "".
func (r *run) fault(p *Package) string {
	if p.Error != nil {
		return r.located(p)
	}
	for _, path := range p.Imports {
		if q := r.packages[path]; q != nil && q.Error != nil && !q.exists() {
			return r.located(q)
		}
	}
	return ""
}

// located puts the place before an error of go list.
func (r *run) located(p *Package) string {
	what := strings.Join(strings.Fields(p.Error.Err), " ")
	if p.Dir != "" {
		what = strings.ReplaceAll(what, p.Dir, shown(p.Dir))
	}
	if p.Error.Pos == "" {
		return what
	}
	return r.fromHere(p.Error.Pos) + ": " + what
}

// affected returns the packages that are faulty or import one that is, directly or not, each with the faulty package that
// is to blame: itself, or the first one on the way, by name.
func (r *run) affected(faulty func(*Package) bool) map[string]string {
	blame, seen := make(map[string]string), make(map[string]bool)
	var visit func(path string) string
	visit = func(path string) string {
		p := r.packages[path]
		if p == nil || seen[path] {
			return blame[path]
		}
		seen[path] = true
		if faulty(p) {
			blame[path] = path
			return path
		}
		for _, imported := range slices.Sorted(slices.Values(p.Imports)) {
			if b := visit(imported); b != "" && blame[path] == "" {
				blame[path] = b
			}
		}
		return blame[path]
	}
	for _, p := range r.inOrder() {
		visit(p.ImportPath)
	}
	return blame
}

// fromHere rewrites a message that begins with a path seen from the job's directory.
func (r *run) fromHere(message string) string {
	file, rest, ok := strings.Cut(message, ":")
	if !ok || !strings.HasSuffix(file, ".go") {
		return message
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.dir, file)
	}
	return shown(file) + ":" + rest
}
