package main

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/retrylint/retrylint/internal/baseline"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/report"
	"github.com/retrylint/retrylint/internal/revision"
)

// findingsBefore looks at the revision as the run has looked at the work tree: the same packages with the same flags, and with
// the configuration of the revision. What can't be analysed there has no findings there, which is noted.
func (c *comparison) findingsBefore(o *options, result *driver.Result) ([]*baseline.Fingerprint, error) {
	stop := removeWhenInterrupted(c.before)
	defer stop()
	defer c.before.Remove()
	if err := c.before.Make(); err != nil {
		return nil, err
	}
	before, err := inTree(c.before, o.request)
	if errors.Is(err, driver.ErrUsage) {
		result.Notes = append(result.Notes, fmt.Sprintf("nothing is known of %s, so all findings count as new: %v", o.newFrom, err))
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("-new-from %s: %w", o.newFrom, err)
	}
	for _, l := range before.LeftOut {
		note := fmt.Sprintf("findings of %s count as new, since it can't be analysed at %s: %s", l.Package, o.newFrom, l.Reason)
		result.Notes = append(result.Notes, note)
	}
	all, err := report.Findings(before)
	if err != nil {
		return nil, err
	}
	return report.Fingerprints(all), nil
}

// removeWhenInterrupted removes the work tree before the process ends because somebody wants it to.
func removeWhenInterrupted(t *revision.Tree) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		if s, interrupted := <-signals; interrupted {
			t.Remove()
			fmt.Fprintf(os.Stderr, "retrylint: %v\n", s)
			os.Exit(incomplete)
		}
	}()
	return func() {
		signal.Stop(signals)
		close(signals)
	}
}

// inTree runs a request where the user's directory is in the tree.
func inTree(t *revision.Tree, r driver.Request) (*driver.Result, error) {
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	named := len(r.Patterns)
	if r.Patterns = existing(t, r.Patterns); len(r.Patterns) < named && len(r.Patterns) == 0 {
		return new(driver.Result), nil // all of it is new
	}
	if err := os.Chdir(t.Dir()); errors.Is(err, os.ErrNotExist) {
		return new(driver.Result), nil
	} else if err != nil {
		return nil, err
	}
	defer func() { _ = os.Chdir(back) }()
	if work := os.Getenv("GOWORK"); filepath.IsAbs(work) {
		_ = os.Setenv("GOWORK", t.Of(work))
		defer func() { _ = os.Setenv("GOWORK", work) }()
	}
	return driver.Run(r)
}

// existing renders patterns for the tree, without directories that it doesn't have.
func existing(t *revision.Tree, patterns []string) []string {
	var list []string
	for _, p := range patterns {
		if filepath.IsAbs(p) {
			p = absolute(t, p)
		}
		if dir, _, _ := strings.Cut(p, "..."); strings.HasPrefix(p, ".") || filepath.IsAbs(p) {
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(t.Dir(), dir)
			}
			if _, err := os.Stat(dir); err != nil {
				continue
			}
		}
		list = append(list, p)
	}
	return list
}

// absolute follows symbolic links, since git names directories without them.
func absolute(t *revision.Tree, pattern string) string {
	dir, rest, dots := strings.Cut(pattern, "...")
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if dir = t.Of(dir); dots {
		return dir + "/..." + rest
	}
	return dir
}
