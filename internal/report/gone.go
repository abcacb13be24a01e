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
	modules  map[string]string // directories of modules, by path
}

// ScopeOf returns the scope of a run.
func ScopeOf(r *driver.Result) *Scope {
	s := &Scope{complete: r.Complete, named: make(map[string]bool), modules: make(map[string]string)}
	known := make(map[string]bool)
	for _, u := range r.Units {
		if !u.Named {
			continue
		}
		pkg, _, _ := strings.Cut(u.ID, " ")
		s.named[pkg] = true
		if !known[u.ModuleDir] {
			known[u.ModuleDir] = true
			text, _ := os.ReadFile(filepath.Join(u.ModuleDir, "go.mod")) // outside of modules there is none
			s.modules[modfile.ModulePath(text)] = u.ModuleDir
		}
	}
	return s
}

// Gone reports whether the finding of an entry would have been found if it still existed. A chain may hang on any package of
// the program, so only a complete run decides about it; and so it does about packages that don't exist any more.
func (s *Scope) Gone(e *baseline.Entry) bool {
	if !s.complete && len(e.Chain) > 0 {
		return false
	}
	if s.named[e.Package] || s.named[strings.TrimSuffix(e.Package, "_test")] {
		return true
	}
	return s.complete && s.holds(e.Package)
}

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
