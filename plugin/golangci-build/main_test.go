package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// asCommand makes this test binary golangci-lint, which takes long enough to link once.
const asCommand = "GOLANGCI_BUILD_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// lint runs golangci-lint in the module of testdata, with a cache of its own.
func lint(t *testing.T, cache, config string, packages ...string) (output string, code int) {
	t.Helper()
	config, err := filepath.Abs(config)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"run", "--config=" + config, "--default=none", "--enable=retrylint", "--show-stats=false", "--path-mode=abs"}, packages...)
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = filepath.Join("testdata", "quote")
	cmd.Env = append(os.Environ(), asCommand+"=1", "GOLANGCI_LINT_CACHE="+cache, "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if _, isExit := err.(*exec.ExitError); err != nil && !isExit {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// example is the configuration that users are shown.
const example = "../../.golangci.example.yml"

func TestChainAcrossPackages(t *testing.T) {
	cache := t.TempDir()
	var first string
	for _, run := range []string{"cold", "from the cache"} {
		out, code := lint(t, cache, example, "./...")
		if code != 1 || strings.Count(out, "up to 12 attempts: ") != 1 || !strings.Contains(out, filepath.Join("price", "price.go")+":9:") {
			t.Errorf("%s: exit code %d, want one issue, for Quote:\n%s", run, code, out)
		}
		if strings.Contains(out, "related information") {
			t.Errorf("%s: related positions became issues:\n%s", run, out)
		}
		if first == "" {
			first = out
		} else if out != first {
			t.Errorf("%s: another output:\n%s\nthan before:\n%s", run, out, first)
		}
	}
}

// TestDependencyIsNotNamed runs on the outer package alone: what is below it has to come as facts.
func TestDependencyIsNotNamed(t *testing.T) {
	if out, code := lint(t, t.TempDir(), example, "./price"); code != 1 || strings.Count(out, "up to 12 attempts: ") != 1 {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}

func TestMistakeInSettings(t *testing.T) {
	text, err := os.ReadFile(example)
	if err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(t.TempDir(), "golangci.yml")
	wrong := strings.Replace(string(text), "helpers:", "helper:", 1)
	if err := os.WriteFile(config, []byte(wrong), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, code := lint(t, t.TempDir(), config, "./..."); code != 3 || !strings.Contains(out, `unknown field "helper"`) {
		t.Errorf("exit code %d, want 3 and the key:\n%s", code, out)
	}
}
