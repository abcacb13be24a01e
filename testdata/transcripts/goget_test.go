package transcripts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	version = "v0.0.1"
	// mostLines are the lines that go get -tool may add to a go.mod: the tool, retrylint, and what it needs.
	mostLines   = 12
	mostModules = 6
)

// TestGoGetTool makes a version of this tree, and adds it as a tool to somebody's module.
func TestGoGetTool(t *testing.T) {
	from, dir, modules := proxies(t), t.TempDir(), t.TempDir()
	write(t, dir, fleetFiles)
	run := func(code int, args ...string) string {
		t.Helper()
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY="+from, "GONOSUMDB=*", "GOMODCACHE="+modules, "GOFLAGS=-modcacherw", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		if cmd.ProcessState.ExitCode() != code {
			t.Fatalf("go %s ended with %d, want %d:\n%s", strings.Join(args, " "), cmd.ProcessState.ExitCode(), code, out)
		}
		return string(out)
	}
	run(0, "get", "-tool", main+"@"+version)
	if found := run(1, "tool", "retrylint", "./..."); !strings.Contains(found, "up to 12 attempts: ") {
		t.Errorf("the tool finds\n%s", found)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	added := strings.Count(string(text), "\n") - strings.Count(fleetFiles["go.mod"], "\n")
	required := strings.Count(string(text), "// indirect")
	t.Logf("%d lines more in go.mod, which requires %d modules:\n%s", added, required, text)
	if added > mostLines || required > mostModules {
		t.Errorf("%d lines more and %d modules, want at most %d and %d:\n%s", added, required, mostLines, mostModules, text)
	}
}

// proxies are module proxies of files: one with this tree as a version, and what has been downloaded.
func proxies(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	downloaded := filepath.Join(strings.TrimSpace(string(out)), "cache", "download")
	return fmt.Sprintf("file://%s,file://%s", filepath.ToSlash(publish(t)), filepath.ToSlash(downloaded))
}

// publish makes a module proxy of files that has this tree as a version.
func publish(t *testing.T) string {
	t.Helper()
	proxy := t.TempDir()
	const path = "github.com/retrylint/retrylint"
	dir := filepath.Join(proxy, filepath.FromSlash(path), "@v")
	goMod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, map[string]string{
		"list":            version + "\n",
		version + ".info": `{"Version":"` + version + `"}`,
		version + ".mod":  string(goMod),
	})
	f, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := zip.CreateFromDir(f, module.Version{Path: path, Version: version}, filepath.Join("..", "..")); err != nil {
		t.Fatalf("this tree can't be published: %v", err)
	}
	return proxy
}
