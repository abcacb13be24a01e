// The steps of an image are for a shell.

//go:build unix

package transcripts

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestDockerfileSteps does what the Dockerfile says without Docker: it takes the Go that is here for that of the image, a directory
// for its root, and a module for what is mounted.
func TestDockerfileSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds all from nothing, in .ci/nightly")
	}
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	i := &image{t: t, root: t.TempDir(), env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-modcacherw")}
	for line := range strings.Lines(string(text)) {
		if word, rest, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			i.step(word, rest)
		}
	}
	if i.dir != "/src" || len(i.entry) == 0 {
		t.Fatalf("the image runs %q in %s", i.entry, i.dir)
	}
	write(t, i.in("/src"), fleetFiles)
	out, code := i.run(append([]string{i.in("/usr/local/bin/" + i.entry[0])}, slices.Concat(i.entry[1:], i.args)...)...)
	if code != 1 || !strings.Contains(out, "up to 12 attempts: ") {
		t.Errorf("the image ends with %d:\n%s", code, out)
	}
	if built, _ := os.ReadDir(i.in("/cache/build")); len(built) == 0 {
		t.Error("the volume holds no results")
	}
}

// An image is one in the making.
type image struct {
	t           *testing.T
	root, dir   string
	env         []string
	entry, args []string
}

func (i *image) in(path string) string { return filepath.Join(i.root, path) }

func (i *image) step(word, rest string) {
	i.t.Helper()
	switch word {
	case "WORKDIR":
		i.dir = rest
		if err := os.MkdirAll(i.in(rest), 0o777); err != nil {
			i.t.Fatal(err)
		}
	case "COPY":
		i.copy(strings.Fields(rest))
	case "RUN":
		if strings.HasPrefix(rest, "git config --system") {
			return // not in the system of whoever runs the test
		}
		if out, code := i.run("sh", "-c", strings.ReplaceAll(rest, "/usr/local", i.in("/usr/local"))); code != 0 {
			i.t.Fatalf("RUN %s ended with %d:\n%s", rest, code, out)
		}
	case "ENV":
		for setting := range strings.FieldsSeq(rest) {
			key, value, _ := strings.Cut(setting, "=")
			if key == "GOMODCACHE" {
				continue // that of this machine, so that nothing has to be downloaded again
			}
			i.env = append(i.env, key+"="+strings.Replace(value, "/cache", i.in("/cache"), 1))
		}
	case "ENTRYPOINT":
		i.entry = i.words(rest)
	case "CMD":
		i.args = i.words(rest)
	}
}

// copy copies from the build context; what comes from the stage before is there, since all stages have one root here.
func (i *image) copy(words []string) {
	i.t.Helper()
	switch {
	case strings.HasPrefix(words[0], "--from="):
	case words[0] == ".":
		i.context()
	default:
		for _, name := range words[:len(words)-1] {
			text, err := os.ReadFile(filepath.Join("..", "..", name))
			if err != nil {
				i.t.Fatal(err)
			}
			write(i.t, i.in(i.dir), map[string]string{name: string(text)})
		}
	}
}

// context copies all that isn't ignored.
func (i *image) context() {
	i.t.Helper()
	clone(i.t, i.in(i.dir))
	ignored, err := os.ReadFile("../../.dockerignore")
	if err != nil {
		i.t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(ignored)) {
		if err := os.RemoveAll(filepath.Join(i.in(i.dir), name)); err != nil {
			i.t.Fatal(err)
		}
	}
}

func (i *image) run(args ...string) (string, int) {
	i.t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = i.in(i.dir), i.env
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		i.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

func (i *image) words(rest string) []string {
	var list []string
	if err := json.Unmarshal([]byte(rest), &list); err != nil {
		i.t.Fatalf("%s: %v", rest, err)
	}
	return list
}
