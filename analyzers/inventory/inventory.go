// Package inventory hands what was recognised in a package to the retrylint command: every retry site and look-alike, finding
// or not. It reports one diagnostic a package whose message is a JSON document, since the go command replays the output of an
// analyzer from its cache, but not files that it writes.
package inventory

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/count"
)

// Analyzer reports the inventory, if its flag emit is set.
var Analyzer = &analysis.Analyzer{
	Name:     "retrysites",
	Doc:      "hand the inventory of retry sites to the retrylint command\n\nIt reports nothing unless its flag emit is set.",
	Requires: []*analysis.Analyzer{callgraph.Analyzer},
	Run:      run,
}

var emit bool

func init() {
	Analyzer.Flags.BoolVar(&emit, "emit", false, "report the inventory as one diagnostic in JSON: for the retrylint command")
}

// Category is that of the diagnostic that holds the inventory.
const Category = "summary"

// A Summary is what is told of a package.
type Summary struct {
	Sites []Site `json:"sites"`
	// Bindings are the fields that constructors fill with parameters; Givens what calls give as policies. The command joins
	// them over all packages.
	Bindings []Binding `json:"bindings,omitempty"`
	Givens   []Given   `json:"givens,omitempty"`
	// Raw is what the packages of a program are linked by, as callgraph.Decode reads it; "" for packages of other modules.
	Raw string `json:"raw,omitempty"`
	// Panic says why the package could not be analysed, if it couldn't.
	Panic string `json:"panic,omitempty"`
}

// A Site is a place that was recognised.
type Site struct {
	File     string   `json:"file"` // relative to the module's root
	Line     int      `json:"line"`
	Function string   `json:"function"`
	Kind     string   `json:"kind"`
	Role     string   `json:"role"`
	Attempts Attempts `json:"attempts"` // of this site; what is around it, or below, isn't part of it
	// Origin says in words how the attempts came about, and names the layers that a client has beside this one.
	Origin string `json:"origin,omitempty"`
	// By is what repeats: the loop, a helper, a library.
	By      string `json:"by"`
	Wait    string `json:"wait"`
	Context string `json:"context"`
	Package string `json:"package"`
	Test    bool   `json:"test,omitempty"`
	// DependsOn is the field that decides the attempts, where the package can't say what it holds.
	DependsOn string `json:"dependsOn,omitempty"`
	// Asked is how the site asks a policy of the project's own.
	Asked string `json:"asked,omitempty"`
}

// A Binding says that parameter Param of Function, the receiver first, becomes Field.
type Binding struct {
	Field    string `json:"field"`
	Function string `json:"function"`
	Param    int    `json:"param"`
}

// A Given says how many attempts the policy makes that a call gives Function as parameter Param, if it is asked in that way.
type Given struct {
	Function string   `json:"function"`
	Param    int      `json:"param"`
	Asked    string   `json:"asked,omitempty"`
	Attempts Attempts `json:"attempts"`
}

// Attempts is a number of total attempts.
type Attempts struct {
	Kind    string `json:"kind"` // number, symbol, unlimited or unknown
	N       int64  `json:"n,omitempty"`
	Text    string `json:"text,omitempty"`
	Default int64  `json:"default,omitempty"`
	Bounded string `json:"bounded,omitempty"`
}

func run(pass *analysis.Pass) (any, error) {
	if !emit || len(pass.Files) == 0 {
		return nil, nil
	}
	result := pass.ResultOf[callgraph.Analyzer].(*callgraph.Result)
	summary := Summary{Sites: sitesOf(result), Panic: result.Panic}
	for _, b := range result.Bindings {
		summary.Bindings = append(summary.Bindings, Binding(b))
	}
	for _, g := range result.Givens {
		summary.Givens = append(summary.Givens, Given{g.Function, g.Param, g.Asked, attemptsOf(g.Count)})
	}
	if result.Raw != nil {
		raw, err := result.Raw.Encode()
		if err != nil {
			return nil, err
		}
		summary.Raw = raw
	}
	text, err := json.Marshal(summary)
	if err != nil {
		return nil, err
	}
	pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Category: Category, Message: string(text)})
	return nil, nil
}

func sitesOf(result *callgraph.Result) []Site {
	list := []Site{}
	for _, s := range result.Stock {
		list = append(list, Site{
			File: s.Hop.File, Line: s.Hop.Line, Function: s.Hop.Function, Kind: kindOf(s.Hop.Kind), Role: string(s.Role),
			Attempts: attemptsOf(s.Count), Origin: s.Origin(result.Module), By: s.By(), Wait: s.Wait, Context: s.Context, Package: s.Hop.Package,
			Test: strings.HasSuffix(filepath.Base(s.Hop.File), "_test.go"), DependsOn: s.DependsOn, Asked: s.Asked,
		})
	}
	slices.SortStableFunc(list, func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Attempts.Text, b.Attempts.Text))
	})
	return list
}

// kindOf hides how rare failures of a connection are told from other clients.
func kindOf(kind string) string {
	if kind == "connection" {
		return "client"
	}
	return kind
}

// Give sets the attempts of a site whose policy is given to the constructor of what holds it.
func (s *Site) Give(a Attempts) {
	s.Attempts = a
	s.Origin = callgraph.Attempts(a.count()) + " by " + s.By + " (the policy that its constructor is given)"
}

func attemptsOf(c count.Count) Attempts {
	a := Attempts{Kind: "unknown", Bounded: c.Bounded}
	switch c.Kind {
	case count.Number:
		a.Kind, a.N = "number", c.N
	case count.Symbol:
		a.Kind, a.Text = "symbol", c.Text
		if c.HasDefault {
			a.Default = c.N
		}
	case count.Unlimited:
		a.Kind = "unlimited"
	}
	return a
}

// count is the inverse of attemptsOf, as far as texts need it.
func (a Attempts) count() count.Count {
	switch {
	case a.Kind == "number":
		return count.Of(a.N)
	case a.Kind == "unlimited":
		return count.Infinite(a.Bounded)
	case a.Kind == "symbol" && a.Default > 0:
		return count.WithDefault(a.Text, a.Default)
	case a.Kind == "symbol":
		return count.Named(a.Text)
	}
	return count.Count{}
}
