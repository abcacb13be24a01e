// Package inventory hands what was recognised in a package to the retrylint command: every retry site and look-alike, finding
// or not. It reports one diagnostic a package whose message is a JSON document, since the go command replays the output of an
// analyzer from its cache, but not files that it writes.
package inventory

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/retryclassify"
	"github.com/retrylint/retrylint/analyzers/rule"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/count"
)

// Analyzer reports the inventory, if its flag emit is set.
var Analyzer = &analysis.Analyzer{
	Name:     "retrysites",
	Doc:      "hand the inventory of retry sites to the retrylint command\n\nUnless its flag emit is set, it reports packages that could not be analysed and nothing else.",
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
	// Chains tell what the chains that are reported are made of.
	Chains []Chain `json:"chains,omitempty"`
	// Handled tells what sites make of failures, for the whole program to compare.
	Handled []Handled `json:"handled,omitempty"`
	// Accepted are the directives that accept sites of chains.
	Accepted []callgraph.Directive `json:"accepted,omitempty"`
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
	By string `json:"by"`
	// Callee is the package of the helper or library that is called, empty for loops.
	Callee  string `json:"callee,omitempty"`
	Wait    string `json:"wait"`
	Context string `json:"context"`
	// Budgets are what admits or refuses further attempts beside their number.
	Budgets []callgraph.Budget `json:"budgets,omitempty"`
	// Unlike are failures that the site repeats, and after which most others that call the same give up.
	Unlike  []Unlike `json:"unlike,omitempty"`
	Package string   `json:"package"`
	Test    bool     `json:"test,omitempty"`
	// Breaches say what the site has against what the configuration decides about retries. The command adds them.
	Breaches []string `json:"breaches,omitempty"`
}

// An Unlike is a failure that a site repeats unlike others: GivesUp of the Of sites that call the same, and of which is known what
// they make of it, give up.
type Unlike struct {
	Calls   string `json:"calls"`
	Error   string `json:"error"`
	GivesUp int    `json:"givesUp"`
	Of      int    `json:"of"`
}

// String tells of u in words: db.ErrGone, on which 4 of the 5 sites that call (*db.Client).Get give up.
func (u Unlike) String() string {
	return fmt.Sprintf("%s, on which %d of the %d sites that call %s give up", short(u.Error), u.GivesUp, u.Of, short(u.Calls))
}

// short leaves out the directories of a package's path.
func short(name string) string {
	slash := strings.LastIndexByte(name, '/')
	if slash < 0 {
		return name
	}
	return name[:len(name)-len(strings.TrimLeft(name, "(*"))] + name[slash+1:]
}

// A Chain is what a chain is made of, without any place; Posn is where it is reported.
type Chain struct {
	Posn   string   `json:"posn"`
	Layers []string `json:"layers"`
}

// A Handled is what a site makes of failures of what it calls.
type Handled struct {
	callgraph.Handling
	File string `json:"file"` // of the site, as are line and kind
	Line int    `json:"line"`
	Kind string `json:"kind"`
	// Posn is where a finding is reported; Often and Named are what is doubtful about the site.
	Posn  string `json:"posn"`
	Often string `json:"often,omitempty"`
	Named string `json:"named,omitempty"`
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
	if len(pass.Files) == 0 {
		return nil, nil
	}
	result := pass.ResultOf[callgraph.Analyzer].(*callgraph.Result)
	if reason := result.Known().Panic; !emit && reason != "" {
		rule.Panicked(pass, reason)
	}
	if !emit {
		return nil, nil
	}
	summary := Summary{Chains: chainsOf(pass, result), Accepted: result.Known().Accepted}
	places := result.Known().Repetitions
	result.InTurn(func() {
		summary.Sites, summary.Handled = sitesOf(result, places), handledBy(pass, result, places)
	})
	var raw *callgraph.Raw
	if raw, summary.Panic = result.Raw(); raw != nil {
		encoded, err := raw.Encode()
		if err != nil {
			return nil, err
		}
		summary.Raw = encoded
	}
	text, err := json.Marshal(summary)
	if err != nil {
		return nil, err
	}
	pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Category: Category, Message: string(text)})
	return nil, nil
}

func sitesOf(result *callgraph.Result, places []callgraph.Repetition) []Site {
	list := []Site{}
	for i := range places {
		s := &places[i]
		list = append(list, Site{
			File: s.Hop.File, Line: s.Hop.Line, Function: s.Hop.Function, Kind: kindOf(s.Hop.Kind), Role: string(s.Role),
			Attempts: attemptsOf(s.Count), Origin: s.Origin(result.Module), By: s.By(), Wait: s.Wait, Context: s.Context, Package: s.Hop.Package, Callee: s.Callee(),
			Budgets: result.Budgets(s),
			Test:    strings.HasSuffix(filepath.Base(s.Hop.File), "_test.go"),
		})
	}
	slices.SortStableFunc(list, func(a, b Site) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Attempts.Text, b.Attempts.Text))
	})
	return list
}

// handledBy tells what the retry sites of the package make of failures; those of tests show nothing of the project.
func handledBy(pass *analysis.Pass, result *callgraph.Result, places []callgraph.Repetition) []Handled {
	var list []Handled
	for i := range places {
		s := &places[i]
		if strings.HasSuffix(s.Hop.File, "_test.go") {
			continue
		}
		for _, h := range result.Handlings(s) {
			doubt := retryclassify.DoubtAbout(s)
			list = append(list, Handled{
				Handling: h, File: s.Hop.File, Line: s.Hop.Line, Kind: kindOf(s.Hop.Kind),
				Posn: pass.Fset.Position(doubt.Pos).String(), Often: doubt.Often, Named: doubt.Named,
			})
		}
	}
	return list
}

func chainsOf(pass *analysis.Pass, result *callgraph.Result) []Chain {
	var list []Chain
	for _, ch := range result.Known().Chains {
		list = append(list, Chain{Posn: pass.Fset.Position(ch.Pos).String(), Layers: ch.Layers()})
	}
	return list
}

// kindOf hides how rare failures of a connection are told from other clients.
func kindOf(kind string) string {
	if kind == "connection" {
		return "client"
	}
	return kind
}

// Give sets the attempts of a site whose number other packages decide.
func (s *Site) Give(n count.Count) {
	s.Attempts = attemptsOf(n)
	s.Origin = callgraph.Attempts(n) + " by " + s.By + " (as it is set where it is made)"
}

// Decided reports whether the package itself knows the number.
func (s *Site) Decided() bool {
	return s.Attempts.Kind == "number" || s.Attempts.Kind == "unlimited" || s.Attempts.Default != 0 || s.Attempts.Bounded == "elapsed"
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
