package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/retrylint/retrylint/internal/baseline"
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/report"
)

// baseline writes the baseline, or reports what isn't in it.
func (c command) baseline(args []string) int {
	if len(args) == 0 || args[0] != "write" && args[0] != "check" {
		return c.misuse("baseline takes write or check, and then flags and packages")
	}
	var o options
	code, ok := c.parse(args[1:], &o, o.findings)
	if !ok {
		return code
	}
	if err := o.defaultBaseline(); err != nil {
		return c.fail(err)
	}
	if args[0] == "check" {
		return c.report(&o)
	}
	if o.newFrom != "" || o.json {
		return c.misuse("baseline write takes neither -new-from nor -json: it prints no findings")
	}
	return c.writeBaseline(&o)
}

// defaultBaseline takes the file at the root of the workspace or module unless one is named.
func (o *options) defaultBaseline() error {
	if o.baseline != "" {
		return nil
	}
	dir, err := os.Getwd()
	o.baseline = filepath.Join(driver.Root(dir), baseline.FileName)
	return err
}

func (c command) writeBaseline(o *options) int {
	o.selection.Tests = o.request.Tests
	old, err := readBaseline(o.baseline)
	if _, missing := os.Stat(o.baseline); errors.Is(missing, fs.ErrNotExist) {
		old, err = new(baseline.Baseline), nil
	}
	if err != nil {
		return c.fail(err)
	}
	result, err := driver.Run(o.request)
	if err != nil {
		return c.fail(err)
	}
	all, err := report.Findings(result)
	if err != nil {
		return c.fail(err)
	}
	if err := c.updateBaseline(o, result, all, old); err != nil {
		return c.fail(err)
	}
	return c.end(result, false)
}

func (c command) updateBaseline(o *options, result *driver.Result, all []report.Finding, old *baseline.Baseline) error {
	m := old.Match(report.Fingerprints(all))
	var selected []*baseline.Fingerprint
	added := 0
	for _, f := range o.selection.Select(result, all) {
		selected = append(selected, f.Fingerprint)
		if m.Entry(f.Fingerprint) == nil {
			added++
		}
	}
	updated := old.Updated(selected, m, report.ScopeOf(result).Gone)
	if err := updated.Write(o.baseline); err != nil {
		return fmt.Errorf("the baseline can't be written: %w", err)
	}
	gone := len(old.Entries) + added - len(updated.Entries)
	fmt.Fprintf(c.stderr, "%s: %d accepted, %d of them new; %d gone\n", config.Shown(o.baseline), len(updated.Entries), added, gone)
	return nil
}
