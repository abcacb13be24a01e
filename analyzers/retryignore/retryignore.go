// Package retryignore checks the directives that suppress findings of retrylint.
package retryignore

import (
	"encoding/json"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/retrylint/retrylint/internal/directive"
)

// Doc is the rule's page.
const Doc = `report directives that suppress nothing

A finding that is understood and accepted is suppressed where it stands:

	resp, err := client.Do(req) //retrylint:ignore nestedretry the gateway answers 503 before it does any work

	//retrylint:ignore nestedretry.amplification two attempts at most, agreed with the payments team
	err := retry.Do(charge)

The directive names a rule, or one category of it, and gives a reason. At the end of a line it is about that line; on a
line of its own it is about the line below its comment. It acts on nothing else of the file.

The analyzer reports directives without a reason (noreason) and with a rule, category or verb that does not exist
(unknown). The retrylint command also reports directives that no finding needs any more (unused); it does so only when
it has seen the whole module or workspace, for a finding may need code that a smaller run leaves out.`

// Analyzer reports malformed directives; deferred, it also hands all others to the driver.
var Analyzer = &analysis.Analyzer{
	Name: "retryignore",
	Doc:  Doc,
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
	Line   int    `json:"line"` // the line it governs
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
	text, err := json.Marshal(Message{d.Line, d.Target.String(), d.Reason})
	if err != nil {
		panic(err) // strings and a number
	}
	return string(text)
}
