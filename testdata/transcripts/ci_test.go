package transcripts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// formats are the ways to print findings, and formatsOfSites those to print the inventory.
var (
	formats        = [][]string{nil, {"-json"}, {"baseline", "check"}, {"baseline", "check", "-json"}}
	formatsOfSites = [][]string{{"sites"}, {"sites", "-json"}}
)

// TestExitCodes ends in each way, in each format.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, fleetFiles)
	write(t, dir, map[string]string{
		"broken/broken.go":        "package broken\n\nvar _ = undefined\n",
		".retrylint-baseline.yml": "version: 1\nfindings: []\n",
	})
	for _, c := range []struct {
		name    string
		args    []string
		code    int
		ofSites int
	}{
		{"clean", []string{"./wire"}, 0, 0},
		{"findings", []string{".", "./wire"}, 1, 0},
		{"wrong flag", []string{"-nonsense"}, 2, 2},
		{"no packages", []string{"./nowhere"}, 2, 2},
		{"not analysed", []string{"./broken"}, 3, 3},
		{"findings, and not analysed", []string{"./..."}, 3, 3},
	} {
		for _, format := range formats {
			if got := exitCode(t, dir, slices.Concat(format, c.args)); got != c.code {
				t.Errorf("%s %v: exit code %d, want %d", c.name, format, got, c.code)
			}
		}
		for _, format := range formatsOfSites {
			if got := exitCode(t, dir, slices.Concat(format, c.args)); got != c.ofSites {
				t.Errorf("%s %v: exit code %d, want %d", c.name, format, got, c.ofSites)
			}
		}
	}
	write(t, dir, map[string]string{".retrylint.yml": "version: 2\n"})
	for _, format := range slices.Concat(formats, formatsOfSites) {
		if got := exitCode(t, dir, format); got != 2 {
			t.Errorf("wrong configuration %v: exit code %d, want 2", format, got)
		}
	}
}

func exitCode(t *testing.T, dir string, args []string) int {
	t.Helper()
	cmd := exec.Command(filepath.Join(bin, "retrylint"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOPROXY=off")
	if err := cmd.Run(); err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			return exit.ExitCode()
		}
		t.Fatal(err)
	}
	return 0
}

// decode reads a YAML file of the repository's root, and refuses keys that into doesn't know.
func decode(t *testing.T, name string, into any) {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := yaml.NewDecoder(f)
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// isCommand reports whether a name is that of a main package, and so of what go install leaves.
func isCommand(name string) bool {
	_, err := os.Stat(filepath.Join("..", "..", "cmd", name, "main.go"))
	return err == nil
}

func TestPreCommitHooks(t *testing.T) {
	var hooks []struct {
		ID, Name, Description, Entry, Language string
		Types                                  []string
		PassFilenames                          bool `yaml:"pass_filenames"`
		RequireSerial                          bool `yaml:"require_serial"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	for _, h := range hooks {
		if h.ID == "" || h.Name == "" || h.Language != "golang" || !isCommand(strings.Fields(h.Entry)[0]) {
			t.Errorf("the hook %+v can't be installed", h)
		}
		if h.PassFilenames || !h.RequireSerial {
			t.Errorf("the hook %s would be given files", h.ID)
		}
	}
	if len(hooks) == 0 {
		t.Error("there is no hook")
	}
}

func TestGoreleaser(t *testing.T) {
	var c struct {
		Version     int
		ProjectName string `yaml:"project_name"`
		Builds      []struct {
			Main, Binary        string
			Env, Flags, Ldflags []string
			Goos, Goarch        []string
			ModTimestamp        string `yaml:"mod_timestamp"`
		}
		Archives  []map[string]any
		Checksum  map[string]string
		Changelog map[string]string
	}
	decode(t, ".goreleaser.yaml", &c)
	if len(c.Builds) != 1 {
		t.Fatalf("%d builds", len(c.Builds))
	}
	b := c.Builds[0]
	if !isCommand(filepath.Base(b.Main)) || !slices.Contains(b.Env, "CGO_ENABLED=0") || !slices.Contains(b.Flags, "-trimpath") {
		t.Errorf("%+v doesn't make the same binaries everywhere", b)
	}
	if len(b.Goos) == 0 || len(b.Goarch) == 0 || b.Binary == "" {
		t.Errorf("%+v leaves platforms to goreleaser", b)
	}
}

var fromImage = regexp.MustCompile(`(?m)^FROM (\S+)`)

// TestDockerfile needs no Docker: what it is about is that the image has Go, and that the build context has what is built.
func TestDockerfile(t *testing.T) {
	text, err := os.ReadFile("../../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	images := fromImage.FindAllStringSubmatch(string(text), -1)
	if len(images) != 2 || images[0][1] != "golang:${GO}" || images[1][1] != images[0][1] {
		t.Errorf("the images are %q: the command needs that of Go", images)
	}
	goMod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	release := regexp.MustCompile(`(?m)^ARG GO=(\S+)$`).FindStringSubmatch(string(text))
	if release == nil || !strings.Contains(string(goMod), "\ngo "+release[1]) {
		t.Errorf("the image's release %q isn't that of go.mod", release)
	}
	ignored, err := os.ReadFile("../../.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"cmd", "analyzers", "callgraph", "internal"} {
		if slices.Contains(strings.Fields(string(ignored)), dir) {
			t.Errorf("%s is kept from the build", dir)
		}
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

var fleetFiles = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"m.go": `package m

import (
	"time"

	"example.com/m/wire"
)

func Ask(w wire.Wire) (err error) {
	for try := range 3 {
		if try > 0 {
			time.Sleep(time.Second)
		}
		if err = wire.Ask(w); err == nil {
			return nil
		}
	}
	return err
}
`,
	"wire/wire.go": `package wire

type Wire interface{ Send() error }

func Ask(w Wire) (err error) {
	for range 4 {
		if err = w.Send(); err == nil {
			return nil
		}
	}
	return err
}
`,
}
