// Edges compares the calls that the linker follows with a call graph of golang.org/x/tools, by variable type analysis over the
// code of the workspace and of everything that it imports.
//
//	go run ./edges -tool RETRYLINT [-seed N] [-n N] DIR
//
// runs over the module in DIR. Looked at are the calls whose target the code doesn't name, in a retry region: those that sites
// surround, and those of every function that one of the two graphs reaches from there. Targets count if they are functions of
// the workspace that have something to tell (what calls nothing, and holds nothing, can't repeat anything), and aren't
// generated. Printed are how many edges both have, and a seeded sample of those that only one has.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	xcallgraph "golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/callgraph"
)

// An edge is a call of a function by another one.
type edge struct {
	caller, callee string
	line           int
}

func (e edge) String() string { return fmt.Sprintf("%s:%d -> %s", e.caller, e.line, e.callee) }

func main() {
	tool := flag.String("tool", "", "the retrylint binary")
	seed := flag.Uint64("seed", 1, "seed of the sample")
	n := flag.Int("n", 17, "size of the sample")
	flag.Parse()
	if err := compare(*tool, flag.Arg(0), *seed, *n); err != nil {
		fmt.Fprintln(os.Stderr, "edges:", err)
		os.Exit(1)
	}
}

func compare(tool, dir string, seed uint64, n int) error {
	tool, err := filepath.Abs(tool)
	if err != nil {
		return err
	}
	raws, err := summaries(tool, dir)
	if err != nil {
		return err
	}
	bodies, roots := map[string]bool{}, map[string]bool{}
	for _, r := range raws {
		for _, b := range r.Bodies {
			bodies[b.ID] = true
		}
	}
	ours := map[edge]bool{}
	next := map[string][]string{}
	for _, t := range callgraph.NewProgram(raws).Edges() {
		if t.Around > 0 {
			roots[t.Callee] = true
		}
		next[t.Caller] = append(next[t.Caller], t.Callee)
		ours[edge{t.Caller, t.Callee, t.Line}] = true
	}
	g, err := variableTypeAnalysis(dir, bodies)
	if err != nil {
		return err
	}
	for e := range g.edges {
		next[e.caller] = append(next[e.caller], e.callee)
	}
	region := reached(roots, next)
	report(ours, g, func(e edge) bool { return region[e.caller] }, rand.New(rand.NewPCG(seed, 0)), n)
	return nil
}

// A graph holds the calls of which the code doesn't name the target, beside those of which it does, and generated functions.
type graph struct {
	edges, static map[edge]bool
	dynamic       map[edge]bool // without callees
	generated     map[string]bool
}

// summaries collects what the packages in dir tell a linker.
func summaries(tool, dir string) ([]*callgraph.Raw, error) {
	cmd := exec.Command("go", "vet", "-json", "-vettool="+tool, "-retryignore.defer", "-retrysites.emit", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", cmd, err)
	}
	var raws []*callgraph.Raw
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var tree map[string]map[string]json.RawMessage
		if err := d.Decode(&tree); errors.Is(err, io.EOF) {
			return raws, nil
		} else if err != nil {
			return nil, err
		}
		for _, results := range tree {
			var list []struct{ Message string }
			if json.Unmarshal(results["retrysites"], &list) != nil {
				continue // an analyzer that failed
			}
			for _, d := range list {
				var s inventory.Summary
				if err := json.Unmarshal([]byte(d.Message), &s); err != nil || s.Raw == "" {
					continue // a package of another module
				}
				raw, err := callgraph.Decode(s.Raw)
				if err != nil {
					return nil, err
				}
				raws = append(raws, raw)
			}
		}
	}
}

// variableTypeAnalysis builds the call graph of the functions of the workspace that have bodies.
func variableTypeAnalysis(dir string, bodies map[string]bool) (*graph, error) {
	list, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, "./...")
	if err != nil {
		return nil, err
	}
	generated := map[string]bool{}
	for _, p := range list {
		for _, f := range p.Syntax {
			if ast.IsGenerated(f) {
				generated[p.Fset.Position(f.Pos()).Filename] = true
			}
		}
	}
	prog, _ := ssautil.AllPackages(list, ssa.InstantiateGenerics)
	prog.Build()
	all := ssautil.AllFunctions(prog)
	g := &graph{edges: map[edge]bool{}, static: map[edge]bool{}, dynamic: map[edge]bool{}, generated: map[string]bool{}}
	for fn, node := range vta.CallGraph(all, vta.CallGraph(all, cha.CallGraph(prog))).Nodes {
		if fn == nil || !bodies[named(fn)] || fn.Synthetic != "" && fn.Origin() == nil {
			continue
		}
		g.generated[named(fn)] = generated[prog.Fset.Position(fn.Pos()).Filename]
		for _, out := range node.Out {
			if out.Site != nil {
				g.add(fn, out, prog.Fset.Position(out.Site.Pos()).Line, bodies)
			}
		}
	}
	return g, nil
}

func (g *graph) add(caller *ssa.Function, out *xcallgraph.Edge, line int, bodies map[string]bool) {
	into := g.edges
	if out.Site.Common().StaticCallee() != nil {
		into = g.static
	} else {
		g.dynamic[edge{caller: named(caller), line: line}] = true
	}
	for _, callee := range behind(out.Callee, 0) {
		if bodies[named(callee)] {
			into[edge{named(caller), named(callee), line}] = true
		}
	}
}

// behind returns the functions that a wrapper made by the compiler calls, or the function itself.
func behind(n *xcallgraph.Node, depth int) []*ssa.Function {
	if n.Func.Synthetic == "" || n.Func.Origin() != nil || depth > 3 {
		return []*ssa.Function{n.Func}
	}
	var list []*ssa.Function
	for _, out := range n.Out {
		list = append(list, behind(out.Callee, depth+1)...)
	}
	return list
}

// named identifies a function as summaries do.
func named(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	return fn.String()
}

// reached returns what can be reached from roots.
func reached(roots map[string]bool, next map[string][]string) map[string]bool {
	seen := map[string]bool{}
	var visit func(string)
	visit = func(id string) {
		if seen[id] {
			return
		}
		seen[id] = true
		for _, to := range next[id] {
			visit(to)
		}
	}
	for id := range roots {
		visit(id)
	}
	return seen
}

// report compares the edges of dynamic calls in the region.
func report(ours map[edge]bool, g *graph, inside func(edge) bool, random *rand.Rand, n int) {
	both := 0
	var onlyOurs, onlyTheirs []edge
	for e := range ours {
		switch {
		case !inside(e) || g.static[e] || g.generated[e.callee] || !g.dynamic[edge{caller: e.caller, line: e.line}]:
		case g.edges[e]:
			both++
		default:
			onlyOurs = append(onlyOurs, e)
		}
	}
	for e := range g.edges {
		if inside(e) && !ours[e] && !g.generated[e.callee] {
			onlyTheirs = append(onlyTheirs, e)
		}
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, "both %d, only ours %d, only theirs %d\n", both, len(onlyOurs), len(onlyTheirs))
	for _, e := range sample(random, append(marked("ours  ", onlyOurs), marked("theirs", onlyTheirs)...), n) {
		fmt.Fprintln(out, e)
	}
}

func marked(who string, list []edge) []string {
	var lines []string
	for _, e := range list {
		lines = append(lines, who+" "+strings.TrimSpace(e.String()))
	}
	return lines
}

func sample(random *rand.Rand, lines []string, n int) []string {
	sort.Strings(lines)
	random.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	picked := slices.Clone(lines[:min(n, len(lines))])
	sort.Strings(picked)
	return picked
}
