package transcripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme holds what the documentation shows of the shop to what is printed.
func TestReadme(t *testing.T) {
	var printed strings.Builder
	for _, args := range [][]string{{"./..."}, {"sites"}} {
		cmd := exec.Command(filepath.Join(bin, "retrylint"), args...)
		cmd.Dir = filepath.Join("..", "shop")
		cmd.Env = append(os.Environ(), "GOWORK=off")
		out, err := cmd.Output()
		if _, ok := err.(*exec.ExitError); err != nil && !ok {
			t.Fatal(err)
		}
		printed.Write(out)
	}
	for page, want := range map[string]int{"README.md": 1, "docs/usage.md": 2} {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		blocks := outputs(string(text))
		if len(blocks) != want {
			t.Errorf("%s shows %d outputs, want %d", page, len(blocks), want)
		}
		for _, b := range blocks {
			if !strings.Contains(printed.String(), b) {
				t.Errorf("%s shows\n%s\nwhat is printed is\n%s", page, b, printed.String())
			}
		}
	}
}

// outputs are the fenced blocks of a page that name no language.
func outputs(page string) []string {
	var list []string
	fence, block := "", ""
	for line := range strings.Lines(page) {
		switch {
		case !strings.HasPrefix(line, "```"):
			block += line
			continue
		case fence == "```\n":
			list = append(list, block)
		}
		if fence == "" {
			fence = line
		} else {
			fence = ""
		}
		block = ""
	}
	return list
}

const mostOfReadme = 110 // lines: a screen and a half

func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > mostOfReadme {
		t.Errorf("README.md has %d lines, want at most %d", n, mostOfReadme)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)

// TestLinks follows the links of the documentation within the repository.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target := filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
