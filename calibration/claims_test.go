package calibration

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/retrylint/retrylint/internal/catalog"
)

// A row is what the catalogue says of one policy.
type row struct {
	t       *testing.T
	library *catalog.Library
	policy  *catalog.Policy
	version string
}

// look finds the row of a policy.
func look(t *testing.T, importPath, policy string) row {
	t.Helper()
	r := lookLibrary(t, importPath)
	if r.policy = r.library.Policy(policy, r.version); r.policy == nil {
		t.Fatalf("the catalogue knows no policy %s of %s", policy, importPath)
	}
	return r
}

// lookLibrary finds what the catalogue says of a library, without a policy. It insists on the version that the catalogue
// was checked with: of another one, a measurement would prove nothing.
func lookLibrary(t *testing.T, importPath string) row {
	t.Helper()
	library := catalog.For(importPath)
	if library == nil {
		t.Fatalf("the catalogue doesn't know %s", importPath)
	}
	version := required(t, library.Module)
	if version != library.Checked {
		t.Errorf("%s: go.mod requires %s, the catalogue was checked with %s", library.Module, version, library.Checked)
	}
	return row{t: t, library: library, version: version}
}

// required is the version of a module in go.mod.
func required(t *testing.T, module string) string {
	t.Helper()
	content, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", content, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, require := range file.Require {
		if require.Mod.Path == module {
			return require.Mod.Version
		}
	}
	t.Fatalf("go.mod doesn't require %s", module)
	return ""
}

// byDefault is what the row says of a value that nothing was set in.
func (r row) byDefault() claim { return r.claim(r.policy.Default) }

// with is what the row says of a value whose setting, a field mostly, has the value n.
func (r row) with(setting string, n int) claim {
	r.t.Helper()
	found := r.policy.Setting(setting, r.version)
	if found == nil {
		r.t.Fatalf("%s has no setting %s", r.policy.Type, setting)
	}
	return r.claim(r.attempts(found, n))
}

// otherUnits are those of settings that decide about delays and contexts, and not about the number of attempts.
var otherUnits = []string{"context", "silent", "jitter", "delay", "delays", "growing", "ceiling"}

// after is what the row says of a value that was made or changed by a function with n as its argument.
func (r row) after(function string, n int) claim {
	r.t.Helper()
	set := r.set(function)
	for _, name := range slices.Sorted(maps.Keys(set)) {
		setting := r.policy.Setting(name, r.version)
		if setting != nil && slices.Contains(otherUnits, setting.Unit) {
			continue
		}
		if value, ok := valueOf(set[name], n); ok {
			return r.with(name, value)
		}
	}
	r.t.Fatalf("%s sets nothing that the catalogue knows", function)
	return claim{}
}

// set is what the catalogue says that a function sets.
func (r row) set(function string) map[string]catalog.Source {
	r.t.Helper()
	found := r.library.Function(function, r.version)
	switch {
	case found == nil:
		r.t.Fatalf("the catalogue doesn't know %s", function)
	case found.Option != nil:
		return found.Option.Set
	case found.Returns != nil:
		return found.Returns.Set
	}
	return found.Sets
}

// valueOf is what a setting becomes if the source is the function's argument, which is n, or a constant.
func valueOf(source catalog.Source, n int) (int, bool) {
	switch {
	case strings.HasPrefix(string(source), "arg"):
		return n, true
	case source == "true":
		return 1, true
	}
	value, err := strconv.Atoi(string(source))
	return value, err == nil
}

// attempts counts as the setting's unit says.
func (r row) attempts(setting *catalog.Setting, n int) catalog.Attempts {
	if stated := special(setting, n); stated == "default" {
		return r.policy.Default
	} else if stated != "" {
		return stated
	}
	switch setting.Unit {
	case "off":
		return "1"
	case "elapsed":
		return "elapsed"
	case "retries":
		n++
	case "cap":
		return number(n)
	}
	if setting.Max > 0 {
		n = min(n, setting.Max)
	}
	return number(n)
}

// special is what the setting says of 0 and of negative numbers.
func special(setting *catalog.Setting, n int) catalog.Attempts {
	switch {
	case n == 0:
		return setting.Zero
	case n < 0:
		return setting.Negative
	}
	return ""
}

// within is what the row says of a value that is bounded by another time than its default.
func (r row) within(function string, limit time.Duration) claim {
	r.t.Helper()
	units := map[string]string{}
	for _, setting := range r.policy.Settings {
		units[setting.Name] = setting.Unit
	}
	for setting := range r.set(function) {
		if units[setting] == "elapsed" {
			return claim{"elapsed", limit}
		}
	}
	r.t.Fatalf("%s sets %v, none of them a time", function, slices.Sorted(maps.Keys(r.set(function))))
	return claim{}
}

func (r row) claim(attempts catalog.Attempts) claim {
	if attempts != "elapsed" {
		return claim{attempts: attempts}
	}
	limit, err := time.ParseDuration(r.policy.Elapsed)
	if err != nil {
		r.t.Fatalf("%s: %v", r.policy.Type, err)
	}
	return claim{attempts, limit}
}
