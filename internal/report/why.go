package report

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/typo"
)

// ErrNoFunction is returned by Why if the query names no function of the run.
var ErrNoFunction = errors.New("no such function")

// Why explains the functions that a query names: their sites, where their calls lead and why no further, who calls them, and
// the chains that begin in them.
func Why(out io.Writer, r *driver.Result, query string) error {
	p, err := link(r)
	if err != nil {
		return err
	}
	ids := p.graph.Find(query)
	if len(ids) == 0 {
		return unknownFunction(query, p.graph.Names())
	}
	sites, err := Sites(r, new(true))
	if err != nil {
		return err
	}
	for i, id := range ids {
		if i > 0 {
			fmt.Fprintln(out)
		}
		explain(out, p.graph.Explain(id), sites)
	}
	return nil
}

func unknownFunction(query string, names []string) error {
	if near := typo.Closest(query, names); near != "" {
		return fmt.Errorf("%w: %s; did you mean %q?", ErrNoFunction, query, near)
	}
	return fmt.Errorf("%w that calls anything: %s; write (*T).Method, pkg.Func or file.go:line", ErrNoFunction, query)
}

func explain(out io.Writer, e callgraph.Explanation, sites []Site) {
	fmt.Fprintf(out, "%s (%s:%d)\n", e.ID, e.File, e.Line)
	section(out, "sites", siteLines(e, sites), "none")
	section(out, "calls", callLines(e.Calls), "none that can lead to a retry")
	section(out, "called by", callerLines(e.Callers), callersUnknown(e))
	section(out, "chains", chainLines(e), noChain(e))
}

func section(out io.Writer, title string, lines []string, none string) {
	fmt.Fprintf(out, "%s:\n", title)
	if len(lines) == 0 {
		lines = []string{none}
	}
	for _, line := range lines {
		fmt.Fprintf(out, "\t%s\n", line)
	}
}

func siteLines(e callgraph.Explanation, sites []Site) []string {
	var lines []string
	for _, s := range sites {
		if s.File == e.File && e.Line <= s.Line && s.Line <= e.End {
			lines = append(lines, fmt.Sprintf("%d: %s, role %s, %s", s.Line, s.Kind, s.Role, s.attempts()))
		}
	}
	return lines
}

func callLines(calls []callgraph.CallExplanation) []string {
	var lines []string
	for _, c := range calls {
		line := fmt.Sprintf("%d: %s", c.Line, c.Callee)
		if len(c.Around) > 0 {
			line += ", inside of " + strings.Join(c.Around, " × ")
		}
		lines = append(lines, line)
		for _, l := range c.Leads {
			lines = append(lines, "\t"+l)
		}
	}
	return lines
}

func callerLines(callers []callgraph.CallerExplanation) []string {
	var lines []string
	for _, c := range callers {
		line := c.Place + ": " + c.Function
		if c.Dynamic {
			line += ", through an interface"
		}
		if len(c.Around) > 0 {
			line += ", inside of " + strings.Join(c.Around, " × ")
		}
		lines = append(lines, line)
	}
	return lines
}

func callersUnknown(e callgraph.Explanation) string {
	if e.Inner {
		return "nobody that is looked at, by its name; it is executed as a value inside of a site"
	}
	return "nobody that is looked at, by its name"
}

func chainLines(e callgraph.Explanation) []string {
	var lines []string
	for _, c := range e.Chains {
		lines = append(lines, fmt.Sprintf("%d: %s", c.Links[0].Line, c.Message(e.Module)))
	}
	return lines
}

func noChain(e callgraph.Explanation) string {
	if e.Inner {
		return "none that begin here: it is only reached through other sites, where chains are reported"
	}
	return "none that begin here"
}
