package revision

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestTree(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, which has the revisions")
	}
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(dir, "a", "b")
	if err := errors.Join(os.MkdirAll(inner, 0o777), os.WriteFile(filepath.Join(inner, "f"), []byte("committed"), 0o666)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "m"}} {
		if out, err := git(dir, args...); err != nil {
			t.Fatal(out, err)
		}
	}
	tree, err := Find(inner, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	tree.Remove() // of nothing
	if err := tree.Make(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(tree.Dir(), "f")); err != nil || string(text) != "committed" {
		t.Errorf("%q, %v", text, err)
	}
	if got := tree.Of(filepath.Dir(dir)); got != filepath.Dir(dir) {
		t.Errorf("what is outside of the repository is taken for %s", got)
	}
	if err := os.WriteFile(filepath.Join(tree.Dir(), "g"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	root := tree.root
	tree.Remove()
	tree.Remove()
	if _, err := os.Stat(filepath.Dir(root)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory is left: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".git", "worktrees", "*")); len(left) > 0 {
		t.Errorf("git still knows of %v", left)
	}
	if _, err := Find(inner, "nothing"); !errors.Is(err, ErrRequest) {
		t.Errorf("a revision that doesn't exist: %v", err)
	}
}
