// Package transcripts runs the command as its users do and compares what it prints and how it ends. Each file in testdata
// is a script of the package testscript with the files that it needs; go test -update writes what was printed into it.
//
// It is a module of its own, so that the main one doesn't need what only tests need.
package transcripts

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var (
	update = flag.Bool("update", false, "write the output into the scripts")
	bin    string // directory with the command
	broken string // directory with one that panics where it meets a call of example.com/m/fragile.Do
)

// TestMain builds the commands. It can't be this test binary in disguise: go vet runs it by the path of its file.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "retrylint-transcripts-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	bin, broken = filepath.Join(dir, "bin"), filepath.Join(dir, "broken")
	if err := errors.Join(build(bin), breakCatalogue(dir, broken)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

const main = "github.com/retrylint/retrylint/cmd/retrylint"

func build(dir string, flags ...string) error {
	args := append(append([]string{"build"}, flags...), "-o", dir+string(filepath.Separator), main)
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

const fragile = `
name: fragile
functions:
- {names: [Do], site: {policy: none, operation: arg-1}}
`

// breakCatalogue builds the same command with one file more in its catalogue, which asks for an argument that no call has: a
// call of example.com/m/fragile.Do is a panic within the analysis, as a mistake of the tool would be. An overlay of the go
// command adds it, so that the command that people use needs no way to be broken.
func breakCatalogue(tmp, dir string) error {
	out, err := exec.Command("go", "list", "-f", "{{.Module.Dir}}", main).Output()
	if err != nil {
		return err
	}
	file, overlay := filepath.Join(tmp, "fragile.yaml"), filepath.Join(tmp, "overlay.json")
	added := filepath.Join(strings.TrimSpace(string(out)), "internal", "catalog", "data", "example.com", "m", "fragile.yaml")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{added: file}})
	if err != nil {
		return err
	}
	if err := errors.Join(os.WriteFile(file, []byte(fragile), 0o666), os.WriteFile(overlay, text, 0o666)); err != nil {
		return err
	}
	return build(dir, "-overlay="+overlay)
}

func Test(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: *update,
		Setup:         setup,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"retrylint": retrylint,
		},
	})
}

// setup gives scripts the command, the go command with its caches, and nothing else of the user's settings.
func setup(env *testscript.Env) error {
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		return err
	}
	dirs := strings.Split(strings.TrimSpace(string(out)), "\n")
	env.Setenv("GOCACHE", dirs[0])
	env.Setenv("GOMODCACHE", dirs[1])
	env.Setenv("PATH", strings.Join([]string{bin, filepath.Join(dirs[2], "bin"), os.Getenv("PATH")}, string(os.PathListSeparator)))
	env.Setenv("GOFLAGS", "-buildvcs=false")
	env.Setenv("GOPROXY", "off")
	env.Setenv("GOTOOLCHAIN", "local")
	env.Setenv("GOENV", "off")
	env.Setenv("BIN", bin)
	env.Setenv("BROKEN", broken)
	return nil
}

// retrylint runs the command and requires an exit code: retrylint 3 -json ./....
func retrylint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: retrylint CODE ARGS...")
	}
	err := ts.Exec("retrylint", args[1:]...)
	code := 0
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}
