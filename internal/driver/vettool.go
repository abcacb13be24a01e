package driver

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/retrylint/retrylint/analyzers"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/config"
)

// fixed are the flags that the command gives to every unit. They are in the cache key of each, the standard library's
// too, so they are always the same: what a user selects is filtered out of the results.
var fixed = []string{"-retryignore.defer", "-retrysites.emit"}

// IsVetCall reports whether the go command is calling us as its vet tool: to ask for the flags or the identity, or to
// analyse one unit.
func IsVetCall(args []string) bool {
	if len(args) == 0 {
		return false
	}
	return args[0] == "-flags" || args[0] == "-V=full" || strings.HasSuffix(args[len(args)-1], ".cfg")
}

// VetTool serves the go command and does not return.
func VetTool(args []string) {
	all := analyzers.All()
	switch args[0] {
	case "-flags":
		exit(printFlags(os.Stdout, all))
	case "-V=full":
		exit(printIdentity(os.Stdout))
	}
	if err := speakUp(os.Args); err != nil {
		exit(err)
	}
	unitchecker.Main(all...)
}

// asDependency marks the ID of a unit that was analysed for others to import.
const asDependency = " [dependency]"

// speakUp makes units of the workspace that are analysed as dependencies print their results like those that were named.
//
// The go command asks a dependency for its facts only (VetxOnly), but keeps the result under the same key as that of a full
// analysis: whoever names the package in a later run gets the silence of the first from the cache, and no findings. Seen
// with go1.26.8 for packages without tests; those with tests are vetted as another variant. So in runs of the retrylint
// command such a unit tells everything, under an ID that says what it was. Packages of other modules stay silent, lest
// each run replays the results of all that is imported.
func speakUp(args []string) error {
	if !slices.Contains(args, fixed[0]) {
		return nil
	}
	last := len(args) - 1
	text, err := os.ReadFile(args[last])
	if err != nil {
		return err
	}
	unit := make(map[string]any)
	if err := json.Unmarshal(text, &unit); err != nil {
		return fmt.Errorf("%s is not a unit of go vet: %w", args[last], err)
	}
	if !dependencyOfWorkspace(unit) {
		return nil
	}
	unit["VetxOnly"] = false
	unit["ID"] = fmt.Sprint(unit["ID"], asDependency)
	if text, err = json.Marshal(unit); err != nil {
		return err
	}
	args[last] = strings.TrimSuffix(args[last], ".cfg") + "-full.cfg"
	return os.WriteFile(args[last], text, 0o666)
}

// dependencyOfWorkspace reports whether a unit that others import belongs to a module that lies where its user works: one of the
// workspace, or one that is replaced by a directory.
func dependencyOfWorkspace(unit map[string]any) bool {
	module, _ := unit["ModulePath"].(string)
	version, _ := unit["ModuleVersion"].(string)
	standard, _ := unit["Standard"].(map[string]any)
	path, _ := unit["ImportPath"].(string)
	_, std := standard[path]
	return unit["VetxOnly"] == true && module != "" && !std && !callgraph.Fetched(version, texts(unit["GoFiles"]))
}

func texts(list any) []string {
	var all []string
	values, _ := list.([]any)
	for _, v := range values {
		text, _ := v.(string)
		all = append(all, text)
	}
	return all
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(0)
}

// printFlags lists the flags that go vet may hand over. Unlike unitchecker's own list it has no -tags and -v: the go
// command would pass them on, and so make the tags part of the cache key of packages that they have no effect on.
func printFlags(out io.Writer, all []*analysis.Analyzer) error {
	type entry struct {
		Name  string
		Bool  bool
		Usage string
	}
	list := []entry{
		{"json", true, "emit JSON output"},
		{"diff", true, "with -fix, don't update the files, but print a unified diff"},
	}
	for _, a := range all {
		list = append(list, entry{a.Name, true, "enable " + a.Name + " analysis"})
		a.Flags.VisitAll(func(f *flag.Flag) {
			b, ok := f.Value.(interface{ IsBoolFlag() bool })
			list = append(list, entry{a.Name + "." + f.Name, ok && b.IsBoolFlag(), f.Usage})
		})
	}
	return json.NewEncoder(out).Encode(list)
}

// printIdentity prints what the go command keys cached results with. A unit's result depends on this executable and on
// what the configuration says about recognition, which the go command knows nothing of; so both are in the hash.
// This runs once a build, in the directory where the user is, or with config.Variable set by the retrylint command.
func printIdentity(out io.Writer) error {
	cfg, err := config.Ambient()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	hash := sha256.New()
	if err := hashFile(hash, self); err != nil {
		return err
	}
	hash.Write(cfg.Recognition())
	_, err = fmt.Fprintf(out, "retrylint version devel buildID=%x\n", hash.Sum(nil))
	return err
}

func hashFile(hash io.Writer, name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(hash, f)
	return err
}
