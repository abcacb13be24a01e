// Package transcripts runs the command as its users do and compares what it prints and how it ends. Each file in testdata
// is a script of the package testscript with the files that it needs; go test -update writes what was printed into it.
//
// It is a module of its own, so that the main one doesn't need what only tests need.
package transcripts

import (
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
)

// TestMain builds the command. It can't be this test binary in disguise: go vet runs it by the path of its file.
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
	build := exec.Command("go", "build", "-o", dir, "github.com/retrylint/retrylint/cmd/retrylint")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n%s", err, out)
		return 1
	}
	bin = dir
	return m.Run()
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
