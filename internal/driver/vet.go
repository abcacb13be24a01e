package driver

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

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

// vet analyses what can be loaded. first is the analysis of the first of what was asked for, which was begun before it was known
// whether all can be loaded, and rest are the others. Packages that gave no result because of their tests get a second chance without them: tests that don't
// compile, for want of generated mocks as a rule, must not hide the code.
func (r *run) vet(first *vetting, rest [][]string) error {
	r.out.units, r.out.deps, r.out.untried = make(map[string]Unit), make(map[string]Unit), make(map[string]string)
	r.embed()
	good, all := r.loadable()
	overlay, remove, err := r.overlay(nil)
	if err != nil {
		first.stop()
		return err
	}
	defer remove()
	if all && len(good) > 0 && len(overlay) == 0 {
		if err := r.take(first); err != nil {
			return err
		}
	} else {
		first.stop()
		rest = parts(good)
	}
	if err := r.vetParts(rest, overlay...); err != nil {
		return err
	}
	if len(good) == 0 {
		return nil
	}
	if err := r.withoutCache(overlay); err != nil {
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

// vetParts runs go vet for each portion of packages.
func (r *run) vetParts(portions [][]string, flags ...string) error {
	for _, part := range portions {
		v, err := r.begin(part, flags...)
		if err != nil {
			return err
		}
		if err := r.take(v); err != nil {
			return err
		}
	}
	return nil
}

// A vetting is one run of go vet. That it fails says no more than that some package did; which, its output tells.
type vetting struct {
	cmd    *exec.Cmd
	stderr transcript
	units  chan map[string]map[string]json.RawMessage // each has one unit
	err    error                                      // once units is closed
}

// begin starts go vet.
func (r *run) begin(packages []string, flags ...string) (*vetting, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("retrylint can't find its own executable, which go vet has to run: %w", err)
	}
	args := append([]string{"-json", "-vettool=" + self}, flags...)
	v := &vetting{cmd: r.command("vet", append(append(args, fixed...), packages...)...), stderr: transcript{log: r.Log}}
	v.cmd.Stderr = &v.stderr
	stdout, err := v.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := v.cmd.Start(); err != nil {
		return nil, fmt.Errorf("go vet can't be started: %w", err)
	}
	v.units = make(chan map[string]map[string]json.RawMessage)
	go v.read(stdout)
	return v, nil
}

// read hands on the stream of JSON objects, one for a unit, as they come: a large module's don't fit in memory twice.
func (v *vetting) read(stdout io.Reader) {
	defer close(v.units)
	for d := json.NewDecoder(stdout); ; {
		var tree map[string]map[string]json.RawMessage
		err := d.Decode(&tree)
		if err == io.EOF {
			break
		}
		if err != nil {
			v.err = fmt.Errorf("the output of go vet can't be read: %w", err)
			_ = v.cmd.Process.Kill()
			break
		}
		v.units <- tree
	}
	_ = v.cmd.Wait()
	v.stderr.end()
}

// stop ends a run whose results aren't wanted. Asked to, the go command removes its temporary files; where it can't be
// asked, it is killed.
func (v *vetting) stop() {
	if v.cmd.Process.Signal(os.Interrupt) != nil {
		_ = v.cmd.Process.Kill()
	}
	for range v.units {
	}
}

// take takes in the results of a run until it ends.
func (r *run) take(v *vetting) error {
	var every <-chan time.Time
	if r.Progress > 0 {
		ticker := time.NewTicker(r.Progress)
		defer ticker.Stop()
		every = ticker.C
	}
	for {
		tree, ok := r.next(v, every)
		if !ok {
			break
		}
		for id, results := range tree {
			r.unit(id, results)
		}
	}
	r.out.stderr.add(&v.stderr)
	return v.err
}

func (r *run) unit(id string, results map[string]json.RawMessage) {
	id, dep := strings.CutSuffix(id, asDependency)
	p := r.packageOf(id)
	if p == nil {
		return // a package of the workspace in a variant that only tests import
	}
	u := Unit{ID: id, Named: r.asks(p), ModuleDir: p.moduleDir(), Diagnostics: make(map[string][]Diagnostic)}
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
func (r *run) withoutCache(overlay []string) error {
	var again []string
	for _, p := range r.silent() {
		if r.why(p) == "" {
			again = append(again, p.ImportPath)
		}
	}
	return r.vetParts(parts(again), append([]string{"-a"}, overlay...)...)
}

func (r *run) withoutTests() error {
	var again []string
	var hidden []string
	for _, p := range r.silent() {
		if p.tests() {
			again = append(again, p.ImportPath)
			r.out.untried[p.ImportPath] = r.reason(p)
			for _, file := range append(p.TestGoFiles, p.XTestGoFiles...) {
				hidden = append(hidden, filepath.Join(p.Dir, file))
			}
		}
	}
	if len(again) == 0 {
		return nil
	}
	overlay, remove, err := r.overlay(hidden)
	if err != nil {
		return err
	}
	defer remove()
	return r.vetParts(parts(again), overlay...)
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
