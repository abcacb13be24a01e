package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/modfile"
)

// Variable is the environment variable that hands the configuration to the units of a run: the absolute paths of the
// files, separated like those of PATH; empty for none.
//
// It is an environment variable and not a flag of the analyzers for two reasons. A unit runs in the directory of its
// package, which for a dependency is the module cache, so it can't find the files of the workspace by itself. And flags
// are part of every unit's cache key: an absolute path in it would keep two checkouts, or two machines, from sharing
// results. The content is in the key anyway, through -V=full.
const Variable = "RETRYLINT_CONFIG"

// Files returns the configuration files that hold in a directory: the one at the root of the workspace (the directory of
// go.work) and those at the roots of its modules; without go.work the one at the root of the module.
func Files(dir string) ([]string, error) {
	module, work := ModuleRoot(dir), WorkFile(dir)
	if work == "" {
		return existing(module), nil
	}
	modules, err := Used(work)
	if err != nil {
		return nil, err
	}
	if module != "" && !slices.Contains(modules, module) {
		return existing(module), nil // the go command refuses it here, and takes it with GOWORK=off
	}
	root := filepath.Dir(work)
	others := slices.DeleteFunc(modules, func(m string) bool { return m == root })
	return existing(append([]string{root}, others...)...), nil
}

// existing are the configuration files in some of the directories.
func existing(dirs ...string) []string {
	var files []string
	for _, dir := range dirs {
		file := filepath.Join(dir, FileName)
		if _, err := os.Stat(file); dir != "" && err == nil {
			files = append(files, file)
		}
	}
	return files
}

// ModuleRoot is the root of the module around a directory, or "". Like WorkFile it looks for the file itself instead of
// asking the go command: it is called in each unit.
func ModuleRoot(dir string) string { return above(dir, "go.mod") }

// Used returns the module directories that a go.work file uses, in its order.
func Used(work string) ([]string, error) {
	text, err := os.ReadFile(work)
	if err != nil {
		return nil, fmt.Errorf("cannot read the workspace: %w", err)
	}
	parsed, err := modfile.ParseWork(work, text, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot read the workspace: %w", err)
	}
	var dirs []string
	for _, use := range parsed.Use {
		path := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(work), path)
		}
		dirs = append(dirs, filepath.Clean(path))
	}
	return dirs, nil
}

// WorkFile is the go.work file that holds in the directory, or "".
func WorkFile(dir string) string {
	switch set := os.Getenv("GOWORK"); set {
	case "":
		if root := above(dir, "go.work"); root != "" {
			return filepath.Join(root, "go.work")
		}
		return ""
	case "off":
		return ""
	default:
		return set
	}
}

// above returns the nearest directory, upward from dir, that holds a file of this name, or "".
func above(dir, name string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && !info.IsDir() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// LoadAll reads the files and puts them together.
func LoadAll(files []string) (*Config, error) {
	var list []*Config
	for _, file := range files {
		c, err := Load(file)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return Join(list...), nil
}

// Ambient reads the configuration of the process: what Variable names if it is set, else what holds in the current
// directory. The latter is for people who call go vet -vettool themselves; it does not reach dependencies outside of the
// workspace, unless they set Variable, and code in the module cache never obeys a file of its own.
func Ambient() (*Config, error) {
	if list, set := os.LookupEnv(Variable); set {
		return LoadAll(filepath.SplitList(list))
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if inModuleCache(dir) {
		return new(Config), nil
	}
	files, err := Files(dir)
	if err != nil {
		return nil, err
	}
	return LoadAll(files)
}

// inModuleCache goes by the version in the path: module@v1.2.3.
func inModuleCache(dir string) bool { return strings.Contains(filepath.ToSlash(dir), "@v") }

var (
	current  *Config
	readOnce sync.Once
)

// Current is the configuration that analyzers of this process go by. A file that can't be read ends the process: the
// command and -V=full have checked it before any unit ran, so it was changed in between, and a result computed without
// it would be kept under the identity of the one with it.
func Current() *Config {
	readOnce.Do(func() {
		c, err := Ambient()
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		current = c
	})
	return current
}

// Use makes c the current configuration until the returned function is called: for tests, and for drivers that bring
// their own way to configure.
func Use(c *Config) (restore func()) {
	before := Current()
	current = c
	return func() { current = before }
}
