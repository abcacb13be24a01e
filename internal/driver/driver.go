// Package driver runs the analyzers over the packages that somebody named, by means of the go command: go list says what
// there is and what can't be loaded, go vet -vettool=<this executable> analyses the rest, in a process a package, with its
// own cache. The driver starts them, collects what they say, and accounts for every package: what gave no result is
// listed with the reason.
//
// The same executable is the vet tool; see VetTool.
package driver

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/retrylint/retrylint/internal/config"
)

// A Request says what to analyse, in the current directory.
type Request struct {
	Patterns []string // as given; none means ./...
	Tags     string   // build tags, as of the go command
	Parallel int      // processes at a time; 0 leaves it to the go command
	Tests    *bool    // packages whose tests don't compile count as left out; nil leaves it to the configuration
	Verbose  bool     // print the commands
	Log      io.Writer
	// Progress is how often a run tells how far it is, 0 for never.
	Progress time.Duration
}

// Patience is how long somebody in front of a terminal is kept waiting without a word.
const Patience = 10 * time.Second

// A Result is what the run brought, in an order that doesn't depend on it.
type Result struct {
	Units   []Unit
	LeftOut []LeftOut
	// Untested are packages whose tests don't compile and were left out.
	Untested []string
	Notes    []string
	Config   *config.Config
	Env      Environment
	// Complete says that every package of each workspace or module could be analysed.
	Complete bool
}

// A Unit is a package, or the external tests of one, as go vet analysed it.
type Unit struct {
	ID          string
	Named       bool                    // asked for, not just part of the workspace or imported
	ModuleDir   string                  // root of its module; its own directory if it has none
	Diagnostics map[string][]Diagnostic // by analyzer
}

// A Diagnostic has the JSON form of go/analysis.
type Diagnostic struct {
	Category       string    `json:"category,omitempty"`
	Posn           string    `json:"posn"`
	End            string    `json:"end"`
	Message        string    `json:"message"`
	SuggestedFixes []Fix     `json:"suggested_fixes,omitempty"`
	Related        []Related `json:"related,omitempty"`
}

// A Fix is an edit that remedies a diagnostic.
type Fix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// An Edit replaces the bytes from Start to End.
type Edit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

// A Related is a second position with something to say about a diagnostic.
type Related struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

// A LeftOut is a package that was asked for and not analysed.
type LeftOut struct{ Package, Reason string }

// ErrUsage marks errors in what was asked for or configured, in contrast to code that can't be analysed.
var ErrUsage = errors.New("usage")

// usage makes an error that is ErrUsage and prints as its message alone.
func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

type usageError struct{ text string }

func (e usageError) Error() string        { return e.text }
func (e usageError) Is(target error) bool { return target == ErrUsage }

// Run analyses what the request names.
func Run(req Request) (*Result, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	env, err := goEnvironment()
	if err != nil {
		return nil, err
	}
	req.Log = &shared{Writer: req.Log}
	jobs, err := plan(dir, req.Patterns)
	if err != nil {
		return nil, err
	}
	total := &Result{Env: env, Config: new(config.Config), Complete: true}
	named, ignored := 0, 0
	for _, j := range jobs {
		r := run{Request: req, job: j}
		if err := r.into(total); err != nil {
			return nil, err
		}
		named += r.named
		ignored += r.ignored
	}
	if named == 0 {
		return nil, usage("no packages match %s", quoted(req.Patterns))
	}
	total.finish(ignored)
	return total, nil
}

// shared is a log that several commands write to at the same time.
type shared struct {
	io.Writer
	mu sync.Mutex
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Writer.Write(p)
}

// finish sorts what came in the order in which processes ended.
func (r *Result) finish(ignored int) {
	slices.SortStableFunc(r.Units, func(a, b Unit) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(r.LeftOut, func(a, b LeftOut) int {
		return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.Reason, b.Reason))
	})
	r.LeftOut = slices.Compact(r.LeftOut)
	r.Complete = r.Complete && len(r.LeftOut) == 0
	slices.Sort(r.Notes)
	if ignored > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%s for other platforms or build tags not read", files(ignored)))
	}
}

func files(n int) string {
	if n == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", n)
}

// A run is one job on its way.
type run struct {
	Request
	job
	config   *config.Config
	packages map[string]*Package // named ones and their dependencies
	named    int
	ignored  int
	unlinked int // packages of the workspace that nobody asked for and that can't be analysed
	// placeholders are files that take the place of what packages embed and what isn't there.
	placeholders []string
	out          outcome
}

func (r *run) into(total *Result) error {
	if err := r.configure(); err != nil {
		return err
	}
	total.Config = config.Join(total.Config, r.config)
	portions := parts(r.patterns())
	all, err := r.begin(portions[0]) // most of the time all can be loaded
	if err != nil {
		return err
	}
	if err := r.list(); err != nil {
		all.stop()
		return err
	}
	if err := r.vet(all, portions[1:]); err != nil {
		return err
	}
	total.Units = append(total.Units, r.out.all()...)
	total.LeftOut = append(total.LeftOut, r.leftOut()...)
	total.Untested = append(total.Untested, slices.Sorted(maps.Keys(r.out.untried))...)
	total.Notes = append(total.Notes, r.out.notes...)
	total.Complete = total.Complete && r.unlinked == 0
	return nil
}

// configure reads the workspace's configuration, so that an error in it ends the run before anything is analysed.
func (r *run) configure() (err error) {
	if r.config, err = config.LoadAll(r.configs); err != nil {
		return usage("%v", err)
	}
	return nil
}

// wantsTests reports whether findings in the tests of a package are wanted.
func (r *run) wantsTests(p *Package) bool {
	if r.Tests != nil {
		return *r.Tests
	}
	return r.config.Tests(filepath.Join(p.Dir, "_test.go"))
}
