// Package revision puts a revision of a git repository beside the work tree that somebody works in, for the time that it takes
// to look at it.
package revision

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// ErrRequest marks errors in what was asked for.
var ErrRequest = errors.New("request")

type requestError struct{ text string }

func (e requestError) Error() string        { return e.text }
func (e requestError) Is(target error) bool { return target == ErrRequest }

// A Tree is a git work tree of a revision, in a temporary directory.
type Tree struct {
	top    string // of the user's work tree
	dir    string // where the user is in it
	commit string

	mu     sync.Mutex
	holder string // the temporary directory around the tree, once there is one
	root   string
}

// Find looks a revision up in the repository around a directory. Nothing is made yet.
func Find(dir, rev string) (*Tree, error) {
	top, err := git(dir, "rev-parse", "--show-toplevel")
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("git was not found, which knows the revision")
	}
	if err != nil {
		return nil, requestError{"no git work tree is around this directory: " + err.Error()}
	}
	commit, err := git(dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, requestError{fmt.Sprintf("git knows no revision %q here; a shallow clone has to be deepened first", rev)}
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil { // git names directories without links
		return nil, err
	}
	return &Tree{top: filepath.FromSlash(top), dir: dir, commit: commit}, nil
}

// Make makes the work tree.
func (t *Tree) Make() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	holder, err := os.MkdirTemp("", "retrylint-*")
	if err != nil {
		return err
	}
	t.holder, t.root = holder, filepath.Join(holder, "retrylint-revision")
	// No hooks: what they do after a checkout is meant for people.
	_, err = git(t.top, "-c", "core.hooksPath="+os.DevNull, "worktree", "add", "--quiet", "--detach", t.root, t.commit)
	if err != nil {
		return fmt.Errorf("git can't make a work tree of the revision: %w", err)
	}
	return nil
}

// Remove removes what Make has made, or has begun to make. Another goroutine may call it, too.
func (t *Tree) Remove() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holder == "" {
		return
	}
	_, failed := git(t.top, "worktree", "remove", "--force", "--force", t.root)
	_ = os.RemoveAll(t.holder)
	if failed != nil { // what git knows of it is left
		_, _ = git(t.top, "worktree", "remove", "--force", "--force", t.root)
	}
	t.holder = ""
}

// Dir is the user's directory in the tree. It may not exist there.
func (t *Tree) Dir() string { return t.Of(t.dir) }

// Of is the place in the tree of a place in the user's work tree; others are themselves.
func (t *Tree) Of(path string) string {
	rel, err := filepath.Rel(t.top, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return path
	}
	return filepath.Join(t.root, rel)
}

func git(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, environment()
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// environment is without what git tells hooks: it speaks of the work tree that the hook runs in, and of its index.
func environment() []string {
	var env []string
	for _, e := range os.Environ() {
		switch name, _, _ := strings.Cut(e, "="); name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY":
		default:
			env = append(env, e)
		}
	}
	return env
}
