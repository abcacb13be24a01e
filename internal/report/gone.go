package report

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/retrylint/retrylint/internal/baseline"
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/driver"
)

// A Scope says about which packages a run decides.
type Scope struct {
	complete bool
	named    map[string]bool
	others   map[string]bool   // packages of the workspace that weren't asked for
	partly   map[string]bool   // packages that were not analysed in all parts, or not at all
	modules  map[string]string // directories of modules, by path
}

// ScopeOf returns the scope of a run.
func ScopeOf(r *driver.Result) *Scope {
	s := &Scope{complete: r.Complete, named: make(map[string]bool), others: make(map[string]bool), partly: make(map[string]bool), modules: make(map[string]string)}
	for _, pkg := range r.Untested {
		s.partly[pkg] = true
	}
	for _, l := range r.LeftOut {
		s.partly[plain(l.Package)] = true
	}
	known := make(map[string]bool)
	for _, u := range r.Units {
		if !u.Named {
			s.others[plain(u.ID)] = true
			continue
		}
		s.named[plain(u.ID)] = true
		if !known[u.ModuleDir] {
			known[u.ModuleDir] = true
			text, _ := os.ReadFile(filepath.Join(u.ModuleDir, "go.mod")) // outside of modules there is none
			s.modules[modfile.ModulePath(text)] = u.ModuleDir
		}
	}
	return s
}

// plain is the import path in the name of a variant of a package.
func plain(id string) string {
	pkg, _, _ := strings.Cut(id, " ")
	return pkg
}

// Gone reports whether the finding of an entry would have been found if it still existed. A complete run also decides about
// packages that don't exist any more.
func (s *Scope) Gone(e *baseline.Entry) bool {
	pkg := strings.TrimSuffix(e.Package, "_test")
	switch {
	case s.partly[pkg] || s.partly[e.Package]:
		return false
	case s.named[pkg] || s.named[e.Package]:
		return s.complete || !needsProgram(e)
	}
	return s.complete && s.holds(e.Package) && !s.others[e.Package]
}

// needsProgram reports whether a finding may hang on any package of the program.
func needsProgram(e *baseline.Entry) bool { return len(e.Chain) > 0 || e.Rule == "retryignore.unused" }

// holds reports whether a package, if it existed, would be one of the modules.
func (s *Scope) holds(pkg string) bool {
	for path, dir := range s.modules {
		if below, ok := strings.CutPrefix(pkg+"/", path+"/"); ok && path != "" {
			where := filepath.Join(dir, filepath.FromSlash(below))
			if config.ModuleRoot(where) == dir {
				return true
			}
		}
	}
	return false
}
