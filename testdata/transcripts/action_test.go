// The action's steps are for bash.

//go:build unix

package transcripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// An action is what GitHub reads in action.yml.
type action struct {
	Name, Description, Author string
	Branding                  map[string]string
	Inputs                    map[string]struct{ Description, Default string }
	Runs                      struct {
		Using string
		Steps []struct {
			Name, ID, Uses, Shell, Run string
			With, Env                  map[string]string
			Directory                  string `yaml:"working-directory"`
		}
	}
}

var inputUsed = regexp.MustCompile(`inputs\.([a-z-]+)`)

// TestAction holds what the action uses to what it has, and runs its steps for the shell one after the other, as a version that a
// proxy serves; in short mode the last one only, with the command that is there.
func TestAction(t *testing.T) {
	var a action
	decode(t, "action.yml", &a)
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range inputUsed.FindAllStringSubmatch(string(text), -1) {
		used[m[1]] = true
		if _, ok := a.Inputs[m[1]]; !ok {
			t.Errorf("there is no input %s", m[1])
		}
	}
	for name, input := range a.Inputs {
		if !used[name] || input.Description == "" {
			t.Errorf("the input %s isn't used or not described", name)
		}
	}
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("%+v is no composite action", a.Runs)
	}
	for _, s := range a.Runs.Steps {
		if (s.Uses == "") == (s.Run == "") || s.Run != "" && s.Shell != "bash" {
			t.Errorf("the step %+v can't be run", s)
		}
	}
	dir := t.TempDir()
	write(t, dir, fleetFiles)
	env, last := []string{"BIN=" + bin, "GOPROXY=off", "GOWORK=off"}, len(a.Runs.Steps)-1
	if !testing.Short() {
		env = install(t, &a, dir)
	}
	env = append(env, "PACKAGES="+a.Inputs["packages"].Default)
	for args, want := range map[string]int{"": 1, "-only retrybound -tests": 0, "-nonsense": 2} {
		if got := runStep(t, dir, a.Runs.Steps[last].Run, append(env, "ARGS="+args)); got != want {
			t.Errorf("with the flags %q the step ends with %d, want %d", args, got, want)
		}
	}
}

// install runs all steps but the last one, and returns the environment that this one has then.
func install(t *testing.T, a *action, dir string) []string {
	t.Helper()
	temp := t.TempDir()
	env := []string{
		"GITHUB_OUTPUT=" + filepath.Join(temp, "output"), "VERSION=" + version, "GOBIN=" + filepath.Join(temp, "bin"), "BIN=" + filepath.Join(temp, "bin"),
		"GOPROXY=" + proxies(t), "GONOSUMDB=*", "GOMODCACHE=" + t.TempDir(), "GOFLAGS=-modcacherw", "GOWORK=off",
	}
	for _, s := range a.Runs.Steps[:len(a.Runs.Steps)-1] {
		if got := runStep(t, dir, s.Run, env); got != 0 {
			t.Fatalf("the step %q ends with %d", s.Name, got)
		}
	}
	output, err := os.ReadFile(filepath.Join(temp, "output"))
	if err != nil || !regexp.MustCompile(`(?s)^build=/.*\nmodules=/.*\nversion=go1\..*\n$`).Match(output) {
		t.Errorf("the caches are %q, %v", output, err)
	}
	return env
}

// runStep runs a script as GitHub runs it in bash; a step without one is another action.
func runStep(t *testing.T, dir, script string, env []string) int {
	t.Helper()
	if script == "" {
		return 0
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if _, ok := err.(*exec.ExitError); err != nil && !ok {
		t.Fatalf("%v\n%s", err, out)
	}
	if cmd.ProcessState.ExitCode() != 0 {
		t.Logf("%s", out)
	}
	return cmd.ProcessState.ExitCode()
}
