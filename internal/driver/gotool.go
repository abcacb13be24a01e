package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/internal/config"
)

// oldest is the first release whose go vet prints its findings as this driver reads them.
const oldest = "go1.26"

// An Environment is what the go command says about itself.
type Environment struct{ GOVERSION, GOMODCACHE, GOROOT string }

// goEnvironment makes sure that there is a go command that can do the work.
func goEnvironment() (env Environment, err error) {
	out, err := exec.Command("go", "env", "-json", "GOVERSION", "GOMODCACHE", "GOROOT").Output()
	if errors.Is(err, exec.ErrNotFound) {
		return env, errors.New("the go command was not found: retrylint drives it; install Go and put it on the PATH")
	}
	if err != nil {
		return env, fmt.Errorf("the go command does not work: %s", firstLine(complaint(err)))
	}
	if err := json.Unmarshal(out, &env); err != nil {
		return env, fmt.Errorf("the output of go env can't be read: %w", err)
	}
	if v := env.GOVERSION; version.IsValid(v) && version.Compare(v, oldest) < 0 {
		return env, fmt.Errorf("%s is too old: retrylint needs %s or later; install it, or set GOTOOLCHAIN=auto", v, oldest)
	}
	return env, nil
}

// command prepares a go command in the job's directory.
func (r *run) command(verb string, args ...string) *exec.Cmd {
	cmd := exec.Command("go", append(r.flags(verb), args...)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), config.Variable+"="+strings.Join(r.configs, string(os.PathListSeparator)))
	if r.lone {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	if r.Verbose {
		fmt.Fprintf(r.Log, "retrylint: in %s: %s\n", config.Shown(r.dir), strings.Join(cmd.Args[:min(len(cmd.Args), 12)], " "))
	}
	return cmd
}

func (r *run) flags(verb string) []string {
	flags := []string{verb}
	if r.Tags != "" {
		flags = append(flags, "-tags="+r.Tags)
	}
	if r.Parallel > 0 {
		flags = append(flags, "-p="+strconv.Itoa(r.Parallel))
	}
	return flags
}

// complaint is what a command printed before it failed, or how it failed if it printed nothing.
func complaint(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(bytes.TrimSpace(exit.Stderr)) > 0 {
		return string(bytes.TrimSpace(exit.Stderr))
	}
	return err.Error()
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func quoted(patterns []string) string {
	if len(patterns) == 0 {
		return "./..."
	}
	return strings.Join(patterns, " ")
}
