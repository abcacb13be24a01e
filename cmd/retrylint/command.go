package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/report"
	"github.com/retrylint/retrylint/internal/revision"
	"github.com/retrylint/retrylint/internal/rules"
	"github.com/retrylint/retrylint/internal/typo"
)

// Exit codes, the same in every output format.
const (
	clean      = 0
	found      = 1
	misused    = 2 // command line, configuration or baseline
	incomplete = 3 // something could not be analysed; wins over found
)

type command struct{ stdout, stderr io.Writer }

var subcommands = []string{"sites", "why", "explain", "config", "baseline", "version", "help"}

func (c command) run(args []string) int {
	if len(args) == 0 {
		return c.lint(args)
	}
	switch args[0] {
	case "sites":
		return c.sites(args[1:])
	case "why":
		return c.why(args[1:])
	case "explain":
		return c.explain(args[1:])
	case "config":
		return c.config(args[1:])
	case "baseline":
		return c.baseline(args[1:])
	case "version":
		return c.version()
	case "help", "-h", "-help", "--help":
		fmt.Fprint(c.stdout, help)
		return clean
	}
	return c.lint(args)
}

// fail prints an error and returns the exit code that belongs to it.
func (c command) fail(err error) int {
	fmt.Fprintf(c.stderr, "retrylint: %v\n", err)
	if isMisuse(err) {
		return misused
	}
	return incomplete
}

func isMisuse(err error) bool {
	return errors.Is(err, driver.ErrUsage) || errors.Is(err, revision.ErrRequest) || errors.Is(err, errBaseline)
}

func (c command) misuse(format string, args ...any) int {
	fmt.Fprintf(c.stderr, "retrylint: "+format+"\n", args...)
	fmt.Fprintln(c.stderr, "Run retrylint help for usage.")
	return misused
}

// options are the flags of the commands that analyse.
type options struct {
	dir       string
	json      bool
	request   driver.Request
	selection report.Selection
	baseline  string // file with the findings that are accepted for now
	newFrom   string // revision whose findings are known
}

// parse reads flags and packages. It returns false, and the exit code, if there is nothing to run.
func (c command) parse(args []string, o *options, define func(*flag.FlagSet)) (int, bool) {
	set := flag.NewFlagSet("retrylint", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&o.dir, "C", "", "")
	set.BoolVar(&o.json, "json", false, "")
	set.StringVar(&o.request.Tags, "tags", "", "")
	set.IntVar(&o.request.Parallel, "p", 0, "")
	set.BoolFunc("tests", "", func(v string) error { return boolean(v, &o.request.Tests) })
	set.BoolVar(&o.request.Verbose, "v", false, "")
	define(set)
	if err := set.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(c.stdout, help)
		return clean, false
	} else if err != nil {
		return c.misuse("%v%s", err, flagHint(err, set)), false
	}
	o.request.Patterns, o.request.Log = set.Args(), c.stderr
	if isTerminal(c.stderr) {
		o.request.Progress = driver.Patience
	}
	return c.check(o)
}

// isTerminal reports whether somebody is looking.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// flagHint suggests the flag that was meant.
func flagHint(err error, set *flag.FlagSet) string {
	_, name, unknown := strings.Cut(err.Error(), "not defined: -")
	if !unknown {
		return ""
	}
	var names []string
	set.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	if near := typo.Closest(name, names); near != "" {
		return ": did you mean -" + near + "?"
	}
	return ""
}

func (c command) check(o *options) (int, bool) {
	for _, p := range o.request.Patterns {
		if strings.HasPrefix(p, "-") {
			return c.misuse("flags stand before packages: %s comes too late", p), false
		}
	}
	if o.request.Parallel < 0 {
		return c.misuse("-p must be a number of processes, not %d", o.request.Parallel), false
	}
	if o.dir == "" {
		return clean, true
	}
	if err := os.Chdir(o.dir); err != nil {
		return c.misuse("-C: %v", err), false
	}
	return clean, true
}

func (c command) lint(args []string) int {
	var o options
	code, ok := c.parse(args, &o, o.findings)
	if !ok {
		return code
	}
	if code, stop := c.subcommandTypo(o.request.Patterns); stop {
		return code
	}
	return c.report(&o)
}

// findings defines the flags of commands that report findings.
func (o *options) findings(set *flag.FlagSet) {
	o.selecting(set)
	set.StringVar(&o.baseline, "baseline", "", "")
	set.StringVar(&o.newFrom, "new-from", "", "")
}

// selecting defines the flags that select findings.
func (o *options) selecting(set *flag.FlagSet) {
	s := &o.selection
	set.Func("max-attempts", "", func(v string) error { return positive(v, &s.MaxAttempts) })
	set.Func("only", "", func(v string) error { return names(v, &s.Only) })
	set.Func("enable", "", func(v string) error { return names(v, &s.Enable) })
	set.Func("disable", "", func(v string) error { return names(v, &s.Disable) })
}

// report prints the findings that nothing accepts.
func (c command) report(o *options) int {
	o.selection.Tests = o.request.Tests
	compared, err := o.comparison()
	if err != nil {
		return c.failed(err, o.json)
	}
	result, err := driver.Run(o.request)
	if err != nil {
		return c.failed(err, o.json)
	}
	all, err := report.Findings(result)
	if err != nil {
		return c.failed(err, o.json)
	}
	list, err := compared.remaining(result, all, o)
	if err != nil {
		return c.failed(err, o.json)
	}
	if err := c.print(list, result.Env, o.json); err != nil {
		return c.fail(err)
	}
	return c.end(result, len(list) > 0)
}

// failed keeps the promise that -json prints JSON whatever happens, as long as the command line made sense.
func (c command) failed(err error, asJSON bool) int {
	if asJSON && !isMisuse(err) {
		_ = report.JSON(c.stdout, nil)
	}
	return c.fail(err)
}

// subcommandTypo catches retrylint explian before it becomes a package that does not exist.
func (c command) subcommandTypo(patterns []string) (int, bool) {
	if len(patterns) == 0 || strings.ContainsAny(patterns[0], "./") {
		return clean, false
	}
	near := typo.Closest(patterns[0], subcommands)
	if near == "" || slices.Contains(subcommands, patterns[0]) {
		return clean, false
	}
	return c.misuse("unknown command %q: did you mean %s?", patterns[0], near), true
}

func positive(v string, to *int) error {
	if _, err := fmt.Sscanf(v, "%d", to); err != nil || *to < 1 || fmt.Sprint(*to) != v {
		return errors.New("must be a number from 1")
	}
	return nil
}

func boolean(v string, to **bool) error {
	b, err := strconv.ParseBool(v)
	*to = &b
	return err
}

func names(v string, to *[]rules.Name) error {
	for s := range strings.SplitSeq(v, ",") {
		name, err := rules.Parse(strings.TrimSpace(s))
		if err != nil {
			return err
		}
		*to = append(*to, name)
	}
	return nil
}

func (c command) print(list []report.Finding, env driver.Environment, asJSON bool) error {
	if asJSON {
		return report.JSON(c.stdout, list)
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	return report.Text(c.stdout, list, report.PathsFrom(dir, env))
}

// end prints what a reader of the findings has to know about what is missing, and decides the exit code.
func (c command) end(result *driver.Result, any bool) int {
	for _, note := range result.Notes {
		fmt.Fprintf(c.stderr, "note: %s\n", note)
	}
	for _, l := range result.LeftOut {
		fmt.Fprintf(c.stderr, "retrylint: left out %s: %s\n", l.Package, l.Reason)
	}
	switch {
	case len(result.LeftOut) > 0:
		return incomplete
	case any:
		return found
	}
	return clean
}

func (c command) sites(args []string) int {
	var o options
	code, ok := c.parse(args, &o, func(*flag.FlagSet) {})
	if !ok {
		return code
	}
	result, err := driver.Run(o.request)
	if err != nil {
		return c.fail(err)
	}
	list, err := report.Sites(result, o.request.Tests)
	if err != nil {
		return c.fail(err)
	}
	show := report.SitesText
	if o.json {
		show = report.SitesJSON
	}
	if err := show(c.stdout, list); err != nil {
		return c.fail(err)
	}
	return c.end(result, false)
}

// why explains a function: it comes before the packages.
func (c command) why(args []string) int {
	var o options
	code, ok := c.parse(args, &o, func(*flag.FlagSet) {})
	if !ok {
		return code
	}
	if len(o.request.Patterns) == 0 {
		return c.misuse("why takes a function, as (*T).Method, pkg.Func or file.go:line, and then packages")
	}
	query := o.request.Patterns[0]
	o.request.Patterns = o.request.Patterns[1:]
	result, err := driver.Run(o.request)
	if err != nil {
		return c.fail(err)
	}
	if err := report.Why(c.stdout, result, query); errors.Is(err, report.ErrNoFunction) {
		return c.misuse("%v", err)
	} else if err != nil {
		return c.fail(err)
	}
	return c.end(result, false)
}

func (c command) explain(args []string) int {
	if len(args) != 1 {
		return c.misuse("explain takes one rule, or rule.category; the rules are:\n%s", ruleList())
	}
	name, err := rules.Parse(args[0])
	if err != nil {
		return c.misuse("%v; the rules are:\n%s", err, ruleList())
	}
	fmt.Fprint(c.stdout, explanation(name))
	return clean
}

func (c command) version() int {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		fmt.Fprintln(c.stdout, "retrylint (built without module information)")
		return clean
	}
	fmt.Fprintf(c.stdout, "retrylint %s built with %s\n", info.Main.Version, info.GoVersion)
	return clean
}
