package baseline

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// FileName is what the file is called unless somebody says otherwise. It stands beside the configuration.
const FileName = ".retrylint-baseline.yml"

// A Baseline is what the file holds.
type Baseline struct{ Entries []Entry }

// An Entry is a finding that is accepted, with what people have written about it.
type Entry struct {
	Fingerprint
	Owner  string
	Reason string
	// Expires is the last day on which the finding is accepted, as in 2026-12-31; empty for any day.
	Expires string
}

// Expired reports whether the entry accepts nothing any more.
func (e *Entry) Expired(today time.Time) bool {
	return e.Expires != "" && e.Expires < today.Format(time.DateOnly)
}

// String shows an entry on one line.
func (e *Entry) String() string {
	text := e.Fingerprint.String()
	if e.Owner != "" {
		text += fmt.Sprintf(" (owner: %s)", e.Owner)
	}
	return text
}

// Of makes entries of findings.
func Of(found []*Fingerprint) *Baseline {
	b := new(Baseline)
	for _, f := range found {
		b.Entries = append(b.Entries, Entry{Fingerprint: *f})
	}
	return b
}

// Updated returns the baseline of findings that were selected in a run, and of those entries that the run doesn't decide about.
// What people have written about a finding stays with it.
func (b *Baseline) Updated(selected []*Fingerprint, m *Match, gone func(*Entry) bool) *Baseline {
	updated := new(Baseline)
	written := make(map[*Entry]bool)
	for _, f := range selected {
		e := Entry{Fingerprint: *f}
		if old := cmp.Or(m.Entry(f), m.Grown(f)); old != nil {
			written[old] = true
			e.Owner, e.Reason, e.Expires = old.Owner, old.Reason, old.Expires
		}
		updated.Entries = append(updated.Entries, e)
	}
	for i := range b.Entries {
		if e := &b.Entries[i]; !written[e] && (m.used[e] || !gone(e)) {
			updated.Entries = append(updated.Entries, *e)
		}
	}
	slices.SortFunc(updated.Entries, func(a, b Entry) int { return a.compare(&b.Fingerprint) })
	return updated
}
