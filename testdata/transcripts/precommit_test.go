package transcripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPreCommit has pre-commit itself install the hook from a repository with this tree, and run it.
func TestPreCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the hook from nothing, in .ci/nightly")
	}
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit isn't installed; .ci/nightly installs it")
	}
	modules, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	hooks, dir := t.TempDir(), t.TempDir()
	clone(t, hooks)
	write(t, dir, fleetFiles)
	commit(t, hooks)
	commit(t, dir)
	env := append(os.Environ(), "PRE_COMMIT_HOME="+t.TempDir(), "GOMODCACHE="+strings.TrimSpace(string(modules)), "GOFLAGS=-modcacherw", "GOWORK=off")
	hook := func() (string, int) {
		cmd := exec.Command("pre-commit", "try-repo", hooks, "retrylint", "--all-files")
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		return string(out), cmd.ProcessState.ExitCode()
	}
	if out, code := hook(); code != 1 || !strings.Contains(out, "up to 12 attempts: ") {
		t.Errorf("with a finding: exit code %d\n%s", code, out)
	}
	write(t, dir, map[string]string{"m.go": "package m\n"})
	if out, code := hook(); code != 0 || !strings.Contains(out, "Passed") {
		t.Errorf("without findings: exit code %d\n%s", code, out)
	}
}

// clone copies what a clone of this tree has.
func clone(t *testing.T, to string) {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("this tree is no git repository: %v", err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		if os.IsNotExist(err) {
			continue // deleted, and not committed yet
		}
		if err != nil {
			t.Fatal(err)
		}
		write(t, to, map[string]string{name: string(text)})
	}
}

func commit(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "all"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
}
