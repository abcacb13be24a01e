package driver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/retrylint/retrylint/analyzers/rule"
)

// leftOut accounts for the packages that were asked for and not analysed, and for those that were only without their tests. Of
// the rest of the workspace, which is needed for chains only, it notes how much is lacking.
func (r *run) leftOut() []LeftOut {
	needed := r.needed()
	var list []LeftOut
	for _, l := range append(r.notLoaded(), r.silentOnes()...) {
		r.note(&list, l, r.asks(r.packages[l.Package]))
	}
	for _, l := range append(r.failed(), r.panicked()...) {
		p := r.packageOf(l.Package)
		r.note(&list, l, p == nil || needed[p.ImportPath])
	}
	if r.unlinked > 0 {
		r.out.notes = append(r.out.notes, fmt.Sprintf(
			"chains may be longer than shown: %s elsewhere in the workspace can't be analysed; retrylint ./... names them", packages(r.unlinked)))
	}
	return append(list, r.testsLeftOut()...)
}

// note lists what matters for what was asked for, and counts the rest.
func (r *run) note(list *[]LeftOut, l LeftOut, matters bool) {
	if matters {
		*list = append(*list, l)
		return
	}
	r.unlinked++
}

// needed are the packages that were asked for and all that they import.
func (r *run) needed() map[string]bool {
	needed := make(map[string]bool)
	var visit func(path string)
	visit = func(path string) {
		if p := r.packages[path]; p != nil && !needed[path] {
			needed[path] = true
			for _, imported := range p.Imports {
				visit(imported)
			}
		}
	}
	for _, p := range r.packages {
		if r.asks(p) {
			visit(p.ImportPath)
		}
	}
	return needed
}

func packages(n int) string {
	if n == 1 {
		return "1 package"
	}
	return fmt.Sprintf("%d packages", n)
}

// notLoaded lists the packages of the workspace that the go command can't load.
func (r *run) notLoaded() (list []LeftOut) {
	broken := r.affected(r.faulty)
	for _, p := range r.inOrder() {
		if blame := broken[p.ImportPath]; blame != "" && !p.DepOnly {
			list = append(list, LeftOut{p.ImportPath, r.cannotLoad(p, r.packages[blame])})
		}
	}
	return list
}

func (r *run) silentOnes() (list []LeftOut) {
	for _, p := range r.silent() {
		list = append(list, LeftOut{p.ImportPath, r.reason(p)})
	}
	return list
}

func (r *run) failed() (list []LeftOut) {
	for _, id := range slices.Sorted(maps.Keys(r.out.stderr.failed)) {
		list = append(list, LeftOut{id, r.out.stderr.failed[id]})
	}
	return list
}

// panicked lists the packages whose analysis gave up: their inventory says so, and they export no facts, so that the
// packages that import them still have their findings. A rule that gives up says so itself.
func (r *run) panicked() []LeftOut {
	var list []LeftOut
	for _, u := range r.out.all() {
		for _, d := range u.Diagnostics["retrysites"] {
			var summary struct{ Panic string }
			if json.Unmarshal([]byte(d.Message), &summary) == nil && summary.Panic != "" {
				list = append(list, LeftOut{u.ID, "the analysis panicked, please report it: " + summary.Panic})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(u.Diagnostics)) {
			for _, d := range u.Diagnostics[name] {
				if d.Category == rule.Internal {
					list = append(list, LeftOut{u.ID, "a rule panicked, please report it: " + d.Message})
				}
			}
		}
	}
	return list
}

// testsLeftOut lists tests that could not be analysed if they were asked for; otherwise that is worth a note only.
func (r *run) testsLeftOut() []LeftOut {
	var list []LeftOut
	for _, path := range slices.Sorted(maps.Keys(r.out.untried)) {
		if p := r.packages[path]; !r.got(p) || !r.asks(p) {
			continue // the package itself is listed, or nobody wants its tests
		}
		if reason := r.out.untried[path]; r.wantsTests(r.packages[path]) {
			list = append(list, LeftOut{path + " (tests)", reason})
		} else {
			r.out.notes = append(r.out.notes, fmt.Sprintf("%s was analysed without its tests: %s", path, reason))
		}
	}
	return list
}

// cannotLoad tells why go list says that a package can't be loaded.
func (r *run) cannotLoad(p, faulty *Package) string {
	if p == faulty {
		return r.fault(faulty)
	}
	return "imports " + faulty.ImportPath + ", which was left out: " + r.fault(faulty)
}

// reason tells why go vet gave no result for a package.
func (r *run) reason(p *Package) string {
	return cmp.Or(r.why(p), "go vet gave no result for it and no reason")
}

// why is what go vet printed about a package, or about the nearest import that it printed something about, or what it
// printed without saying about which package; "" if it printed nothing.
func (r *run) why(p *Package) string {
	said := func(q *Package) bool { return r.out.stderr.about[q.ImportPath] != "" }
	switch blame := r.affected(said)[p.ImportPath]; blame {
	case p.ImportPath:
		return r.explain(r.out.stderr.about[blame])
	case "":
		return r.unattributed(p)
	default:
		return "imports " + blame + ", which was left out: " + r.explain(r.out.stderr.about[blame])
	}
}

func (r *run) explain(line string) string {
	line = strings.TrimPrefix(line, "vet: ")
	if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
		return "the analysis crashed, please report it: " + line
	}
	return r.fromHere(line)
}

// unattributed looks for a line about a file of the package, such as a missing import of a test, and takes the first
// line of all if there is none.
func (r *run) unattributed(p *Package) string {
	for _, line := range r.out.stderr.general {
		file, _, _ := strings.Cut(line, ":")
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.dir, file)
		}
		if filepath.Dir(file) == p.Dir && strings.HasSuffix(file, ".go") {
			return r.explain(line)
		}
	}
	if len(r.out.stderr.general) > 0 {
		return r.explain(r.out.stderr.general[0])
	}
	return ""
}

// A transcript takes what go vet prints on stderr apart: sections that begin with "# package" tell what is wrong with a
// package, downloads are shown as they happen, the rest is kept in case nothing else explains a failure.
type transcript struct {
	log     io.Writer
	about   map[string]string // first line of a section by package
	general []string
	failed  map[string]string // analyzers that reported an error, by unit

	mu      sync.Mutex
	partial []byte
	section string
}

// Write takes the output as it comes, in pieces.
func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.partial = append(t.partial, p...)
	for {
		at := bytes.IndexByte(t.partial, '\n')
		if at < 0 {
			return len(p), nil
		}
		t.line(string(t.partial[:at]))
		t.partial = t.partial[at+1:]
	}
}

// end takes a last line without its end, and closes the section.
func (t *transcript) end() {
	t.line(string(t.partial))
	t.partial, t.section = nil, ""
}

func (t *transcript) line(line string) {
	line = strings.TrimRight(line, "\r")
	switch {
	case strings.TrimSpace(line) == "", strings.HasPrefix(line, "# ["):
		// nothing, or the second heading of a test variant
	case strings.HasPrefix(line, "go: downloading "):
		fmt.Fprintln(t.log, line)
	case strings.HasPrefix(line, "# "):
		t.section, _, _ = strings.Cut(line[2:], " ")
	case t.section == "" && line[0] == '\t' && len(t.general) > 0:
		t.general[len(t.general)-1] += " " + strings.TrimSpace(line)
	case t.section == "", strings.Contains(line, "no package vetx file for"):
		// The second is a unit whose import's unit died: that one's section says why.
		t.general = append(t.general, line)
	default:
		t.tell(t.section, line)
	}
}

// tell keeps the first line about a package.
func (t *transcript) tell(path, line string) {
	if t.about == nil {
		t.about = make(map[string]string)
	}
	if t.about[path] == "" {
		t.about[path] = line
	}
}

// add takes over what another run said.
func (t *transcript) add(u *transcript) {
	t.general = append(t.general, u.general...)
	for path, line := range u.about {
		t.tell(path, line)
	}
	for id, message := range u.failed {
		t.fail(id, message)
	}
}

// warnings are what the go command said although it went on: patterns that match nothing, for one.
func (t *transcript) warnings() []string {
	var list []string
	for _, line := range t.general {
		if w, ok := strings.CutPrefix(line, "go: warning: "); ok {
			list = append(list, w)
		}
	}
	return list
}

// fail notes that an analyzer reported an error instead of a result.
func (t *transcript) fail(id, message string) {
	if t.failed == nil {
		t.failed = make(map[string]string)
	}
	t.failed[id] = message
}
