package calibration

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUsage runs retrylint over everyday uses of the libraries, and compares the numbers that it shows with the comments there.
func TestUsage(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "retrylint")
	build := exec.Command("go", "build", "-o", tool, "./cmd/retrylint")
	build.Dir = ".." // its dependencies are those of its own module
	output(t, build)
	found := map[string][]string{}
	for line := range bytes.Lines(output(t, exec.Command(tool, "sites", "-json", "./usage"))) {
		var site struct {
			File     string
			Line     int
			Role     string
			Attempts struct {
				Kind string
				N    int
			}
		}
		if err := json.Unmarshal(line, &site); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		attempts := site.Attempts.Kind
		if attempts == "number" {
			attempts = fmt.Sprint(site.Attempts.N)
		}
		at := fmt.Sprintf("%s:%d", filepath.Base(site.File), site.Line)
		found[at] = append(found[at], attempts)
	}
	wanted := usages(t)
	for at, attempts := range wanted {
		if !slices.Contains(found[at], attempts) {
			t.Errorf("usage/%s: %s attempts, want %s", at, found[at], attempts)
		}
	}
}

// usages reads the comments of package usage, by place.
func usages(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("usage/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files in usage", err)
	}
	wanted := map[string]string{}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		line := 0
		for lines := bufio.NewScanner(file); lines.Scan(); {
			line++
			if code, attempts, ok := strings.Cut(lines.Text(), "// attempts: "); ok && strings.TrimSpace(code) != "" {
				wanted[fmt.Sprintf("%s:%d", filepath.Base(name), line)] = attempts
			}
		}
	}
	return wanted
}

func output(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, stderr.String())
	}
	return out
}
