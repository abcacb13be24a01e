// Package retryignore checks the directives that suppress findings of retrylint.
package retryignore

import (
	"encoding/json"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/analyzers/page"
	"github.com/retrylint/retrylint/internal/directive"
)

// Doc is the rule's page.
const Doc = `report directives that suppress nothing

A finding that is understood and accepted is suppressed where it stands:

	resp, err := client.Do(req) //retrylint:ignore nestedretry the gateway answers 503 before it does any work

	//retrylint:ignore nestedretry.amplification two attempts at most, agreed with the payments team
	err := retry.Do(charge)

The directive names a rule, or one category of it, and gives a reason. Where it stands says what it is about:

  - at the end of a line: that line
  - on a line of its own: the line below its comment
  - in the comment of a function, type, constant or variable: the whole declaration
  - before the package clause, or behind it: the whole file

A directive for nestedretry is also about the retry sites that it governs. They are no layers of any chain, whoever calls
them, from this package or another one: where a chain goes through outer, middle and inner, and the directive stands at
inner, outer × middle is reported, and where it goes through outer and inner, nothing is.

The analyzer reports directives without a reason (noreason) and with a rule, category or verb that does not exist
(unknown). The retrylint command also reports directives that no finding needs any more (unused); it does so only when
it has seen the whole module or workspace, for a finding may need code that a smaller run leaves out.`

// Analyzer reports malformed directives; deferred, it also hands all others to the driver.
var Analyzer = &analysis.Analyzer{
	Name: "retryignore",
	Doc:  Doc,
	URL:  page.URL("retryignore"),
	Run:  run,
}

func init() {
	Analyzer.Flags.BoolVar(&directive.Deferred, "defer", false,
		"suppress nothing and report directives as data: for the retrylint command, which suppresses after the run")
}

// Data is the category of the diagnostics that hand a directive to the driver. Their message is a Message in JSON.
const Data = "directive"

// A Message is what the driver needs to know of a directive beside its position.
type Message struct {
	Form   string `json:"form"` // line, declaration or file
	From   int    `json:"from"` // the first and the last line that it governs
	To     int    `json:"to"`
	Target string `json:"target"`
	Reason string `json:"reason"`
}

func run(pass *analysis.Pass) (any, error) {
	index := directive.Of(pass)
	for _, p := range index.Problems {
		report(pass, p.Pos, p.End, p.Category, p.Message)
	}
	if directive.Deferred {
		for _, d := range index.Directives {
			report(pass, d.Pos, d.Pos, Data, encode(d))
		}
	}
	return nil, nil
}

func report(pass *analysis.Pass, pos, end token.Pos, category, message string) {
	pass.Report(analysis.Diagnostic{Pos: pos, End: end, Category: "retryignore." + category, Message: message})
}

func encode(d directive.Directive) string {
	text, err := json.Marshal(Message{d.Scope.Form, d.Scope.From, d.Scope.To, d.Target.String(), d.Reason})
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(text)
}
