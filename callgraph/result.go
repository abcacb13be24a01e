package callgraph

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
)

// A Result is what the rules get. They don't run for packages that are only imported, and may run at the same time: what they read
// is made when the first of them asks, and what they ask beyond is answered from the same data, in InTurn.
type Result struct {
	Module string // path of the module under analysis

	mu       sync.Mutex
	pkg      *Package
	versions []string
	known    *Known
	timings  []Timing
}

// Known is what is known of a package.
type Known struct {
	Chains []Chain
	// Accepted are the directives that accept sites of chains.
	Accepted    []Directive
	Repetitions []Repetition
	// Transactions are the calls that run a transaction again when it conflicts.
	Transactions []Transaction
	// Panic is set if the package could not be analysed; the others go on.
	Panic string
}

// InTurn runs f while nobody else asks: the answers are computed on shared data when they are asked for. All methods of a Result
// and of its places that compute something are for use in f; Known and Raw aren't.
func (r *Result) InTurn(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
}

// Known returns what is known of the package.
func (r *Result) Known() Known {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.find()
	return *r.known
}

// Analysed reports whether the package was looked into: the catalogue speaks for some, and nobody for the standard library.
func (r *Result) Analysed() bool { return r.pkg != nil }

func (r *Result) find() {
	if r.known != nil {
		return
	}
	known := &Known{}
	r.known = known
	defer recoverFor(r.pkg.Types.Path(), &known.Panic)
	chains, accepted := r.pkg.Chains()
	known.Chains, known.Accepted, known.Repetitions = chains, Directives(accepted), r.pkg.Repetitions()
	known.Transactions = r.pkg.transactions(known.Repetitions)
}

// Raw returns what a linker needs, nil for packages of other modules and for external tests, which construct for tests only.
// panicked says why it could not be made, if it couldn't.
func (r *Result) Raw() (raw *Raw, panicked string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.find(); r.known.Panic != "" || r.pkg == nil || r.pkg.Dependency || strings.HasSuffix(r.pkg.Types.Path(), "_test") {
		return nil, r.known.Panic
	}
	defer recoverFor(r.pkg.Types.Path(), &panicked)
	raw = r.pkg.Raw()
	raw.Versions = r.versions
	return raw, ""
}

// recoverFor is deferred where a panic must end the analysis of one package only, and says why in panicked.
func recoverFor(importPath string, panicked *string) {
	r := recover()
	if r == nil {
		return
	}
	*panicked = fmt.Sprint(r)
	if os.Getenv("RETRYLINT_DEBUG") != "" {
		buf := make([]byte, 1<<16)
		fmt.Fprintf(os.Stderr, "%s: %v\n%s\n", importPath, r, buf[:runtime.Stack(buf, false)])
	}
}
