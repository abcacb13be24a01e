package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/retrylint/retrylint/internal/baseline"
	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/driver"
	"github.com/retrylint/retrylint/internal/report"
	"github.com/retrylint/retrylint/internal/revision"
)

// A comparison is what the findings of a run are compared with: a baseline, the findings of a revision, both, or nothing.
type comparison struct {
	accepted *baseline.Baseline
	file     string // of accepted, as messages call it
	before   *revision.Tree
}

// comparison reads what the flags name, so that mistakes end the command before anything is analysed.
func (o *options) comparison() (c comparison, err error) {
	if o.baseline != "" {
		c.file = config.Shown(o.baseline)
		if c.accepted, err = readBaseline(o.baseline); err != nil {
			return c, err
		}
	}
	if o.newFrom == "" {
		return c, nil
	}
	dir, err := os.Getwd()
	if err != nil {
		return c, err
	}
	if c.before, err = revision.Find(dir, o.newFrom); err != nil {
		return c, fmt.Errorf("-new-from: %w", err)
	}
	return c, nil
}

var errBaseline = errors.New("the baseline can't be used")

type baselineError struct{ error }

func (e baselineError) Is(target error) bool { return target == errBaseline }

func readBaseline(file string) (*baseline.Baseline, error) {
	shown := config.Shown(file)
	b, err := baseline.Read(file, shown)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("there is no baseline %s: retrylint baseline write makes one", shown)
	}
	if err != nil {
		return nil, baselineError{err}
	}
	return b, nil
}

// remaining selects the findings that are neither in the baseline nor in the revision. What is to be said about the baseline becomes
// a note.
func (c *comparison) remaining(result *driver.Result, all []report.Finding, o *options) ([]report.Finding, error) {
	if c.accepted == nil && c.before == nil {
		return o.selection.Select(result, all), nil
	}
	found := report.Fingerprints(all)
	list := o.selection.Select(result, all)
	if c.accepted != nil {
		m := c.accepted.Match(found)
		list = c.unaccepted(list, m, result)
		c.outdated(m, result)
	}
	if c.before == nil || len(list) == 0 {
		return list, nil
	}
	known, err := c.findingsBefore(o, result)
	if err != nil {
		return nil, err
	}
	m := baseline.Of(known).Match(found)
	list = slices.DeleteFunc(list, func(f report.Finding) bool { return m.Entry(f.Fingerprint) != nil })
	for _, f := range list {
		if e := m.Grown(f.Fingerprint); e != nil {
			result.Notes = append(result.Notes, fmt.Sprintf("%s: %s: %s", o.newFrom, grown(f.Fingerprint, m), e))
		}
	}
	return list, nil
}

// grown says that a chain which is reported as a new one was smaller before, and by how much.
func grown(f *baseline.Fingerprint, m *baseline.Match) string {
	if by := f.Growth(m.Grown(f)); by != "" {
		return "has grown, " + by
	}
	return "has grown"
}

// unaccepted leaves out what the baseline accepts. What it doesn't accept any more is noted.
func (c *comparison) unaccepted(list []report.Finding, m *baseline.Match, result *driver.Result) []report.Finding {
	today := time.Now()
	return slices.DeleteFunc(list, func(f report.Finding) bool {
		e := m.Entry(f.Fingerprint)
		switch {
		case e != nil && e.Expired(today):
			c.note(result, "expired on "+e.Expires, e)
			return false
		case e == nil && m.Grown(f.Fingerprint) != nil:
			c.note(result, grown(f.Fingerprint, m), m.Grown(f.Fingerprint))
		}
		return e != nil
	})
}

// outdated notes the entries that the code doesn't need any more, or not as they are.
func (c *comparison) outdated(m *baseline.Match, result *driver.Result) {
	scope := report.ScopeOf(result)
	for _, e := range m.Unused(c.accepted) {
		if scope.Gone(e) {
			c.note(result, "stale, not found any more", e)
		}
	}
	for _, e := range m.Smaller {
		if result.Complete {
			c.note(result, "smaller than it was", e)
		}
	}
}

func (c *comparison) note(result *driver.Result, what string, e *baseline.Entry) {
	result.Notes = append(result.Notes, fmt.Sprintf("%s: %s: %s", c.file, what, e))
}
