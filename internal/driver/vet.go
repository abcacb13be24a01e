package driver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/retrylint/retrylint/internal/config"
)

// outcome is what go vet has said so far.
type outcome struct {
	units   map[string]Unit // by ID
	deps    map[string]Unit // results of units that were analysed as dependencies
	stderr  transcript
	notes   []string
	untried map[string]string // packages whose tests don't compile, with the reason
}

func shown(file string) string { return config.Shown(file) }

// vet analyses what can be loaded. Packages that gave no result because of their tests get a second chance without them:
// tests that don't compile, for want of generated mocks as a rule, must not hide the code.
func (r *run) vet() error {
	r.out.units, r.out.deps, r.out.untried = make(map[string]Unit), make(map[string]Unit), make(map[string]string)
	good, all := r.loadable()
	if len(good) == 0 {
		return nil
	}
	if all {
		good = r.patterns
	}
	for _, part := range parts(good) {
		if err := r.vetPackages(part); err != nil {
			return err
		}
	}
	if err := r.withoutCache(); err != nil {
		return err
	}
	return r.withoutTests()
}

// parts divides arguments into portions that every operating system takes.
func parts(args []string) [][]string {
	const limit = 24 << 10 // Windows takes 32 KiB in all
	var list [][]string
	size := limit
	for _, a := range args {
		if size += len(a) + 1; size > limit {
			list, size = append(list, nil), len(a)+1
		}
		list[len(list)-1] = append(list[len(list)-1], a)
	}
	return list
}

// vetPackages runs go vet once. That it fails says no more than that some package did; which, its output tells.
func (r *run) vetPackages(packages []string, flags ...string) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("retrylint can't find its own executable, which go vet has to run: %w", err)
	}
	args := append([]string{"-json", "-vettool=" + self}, flags...)
	cmd := r.command("vet", append(append(args, fixed...), packages...)...)
	r.out.stderr.log = r.Log
	cmd.Stderr = &r.out.stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("go vet can't be started: %w", err)
	}
	err = r.collect(stdout)
	if err != nil {
		_ = cmd.Process.Kill()
	}
	_ = cmd.Wait()
	r.out.stderr.end()
	return err
}

// collect reads the stream of JSON objects, one for a unit, as they come: a large module's don't fit in memory twice.
func (r *run) collect(in io.Reader) error {
	for d := json.NewDecoder(in); ; {
		var tree map[string]map[string]json.RawMessage
		err := d.Decode(&tree)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the output of go vet can't be read: %w", err)
		}
		for id, results := range tree {
			r.unit(id, results)
		}
	}
}

func (r *run) unit(id string, results map[string]json.RawMessage) {
	id, dep := strings.CutSuffix(id, asDependency)
	p := r.packageOf(id)
	if p == nil {
		return // a package of the workspace in a variant that only tests import
	}
	u := Unit{ID: id, Named: !p.DepOnly, ModuleDir: p.moduleDir(), Diagnostics: make(map[string][]Diagnostic)}
	for analyzer, raw := range results {
		var list []Diagnostic
		if err := json.Unmarshal(raw, &list); err != nil {
			r.out.stderr.fail(id, analyzer+" failed: "+failure(raw))
			continue
		}
		u.Diagnostics[analyzer] = list
	}
	if dep {
		r.out.deps[id] = u
	} else {
		r.out.units[id] = u
	}
}

// all returns the units. A package that has tests, and is imported, was analysed with them and without: the former counts,
// so that the result doesn't depend on whether somebody who was named as well imports it.
func (o *outcome) all() []Unit {
	var list []Unit
	for _, u := range o.units {
		list = append(list, u)
	}
	for id, u := range o.deps {
		if _, got := o.units[id]; !got {
			list = append(list, u)
		}
	}
	return list
}

// got reports whether there is a result for a package. Of one with tests, the result without them doesn't count, unless
// they were hidden.
func (r *run) got(p *Package) bool {
	_, full := r.out.units[p.ImportPath]
	_, dep := r.out.deps[p.ImportPath]
	return full || dep && (len(p.TestGoFiles) == 0 || r.out.untried[p.ImportPath] != "")
}

// failure is the text of {"error": text}.
func failure(raw json.RawMessage) string {
	var e struct{ Error string }
	if json.Unmarshal(raw, &e) != nil || e.Error == "" {
		return string(raw)
	}
	return firstLine(e.Error)
}

// packageOf returns the package that a unit belongs to; the unit of external tests is named after it.
func (r *run) packageOf(id string) *Package {
	if p := r.packages[id]; p != nil {
		return p
	}
	return r.packages[strings.TrimSuffix(id, "_test")]
}

// withoutCache analyses again what nothing was said about, neither result nor error: that is a package of another module
// whose analysis as a dependency of something is in the cache (see speakUp).
func (r *run) withoutCache() error {
	var again []string
	for _, p := range r.silent() {
		if r.why(p) == "" {
			again = append(again, p.ImportPath)
		}
	}
	for _, part := range parts(again) {
		if err := r.vetPackages(part, "-a"); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) withoutTests() error {
	var again []string
	hidden := make(map[string]string)
	for _, p := range r.silent() {
		if p.tests() {
			again = append(again, p.ImportPath)
			r.out.untried[p.ImportPath] = r.reason(p)
			for _, file := range append(p.TestGoFiles, p.XTestGoFiles...) {
				hidden[filepath.Join(p.Dir, file)] = ""
			}
		}
	}
	if len(again) == 0 {
		return nil
	}
	overlay, err := writeOverlay(hidden)
	if err != nil {
		return err
	}
	defer os.Remove(overlay)
	for _, part := range parts(again) {
		if err := r.vetPackages(part, "-overlay="+overlay); err != nil {
			return err
		}
	}
	return nil
}

// writeOverlay makes a file that tells the go command to do as if some files weren't there.
func writeOverlay(hidden map[string]string) (string, error) {
	f, err := os.CreateTemp("", "retrylint-overlay-*.json")
	if err != nil {
		return "", err
	}
	err = json.NewEncoder(f).Encode(map[string]any{"Replace": hidden})
	if closing := f.Close(); err == nil {
		err = closing
	}
	return f.Name(), err
}

// silent are the packages that go vet was to analyse and that gave no result.
func (r *run) silent() []*Package {
	good, _ := r.loadable()
	var list []*Package
	for _, path := range good {
		if p := r.packages[path]; p.code() && !r.got(p) {
			list = append(list, p)
		}
	}
	return list
}
