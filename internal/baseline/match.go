package baseline

// A Match says which entry each finding of a run has.
type Match struct {
	entries map[string]*Entry // by the key of the finding
	used    map[*Entry]bool
	// Smaller are the entries whose chain has become smaller.
	Smaller []*Entry
}

// Match compares the findings of a run with the entries, one to one: those that are the same first, and then chains that have
// become smaller.
func (b *Baseline) Match(found []*Fingerprint) *Match {
	m := &Match{entries: make(map[string]*Entry), used: make(map[*Entry]bool)}
	same := make(map[string]*Entry)
	for i := range b.Entries {
		e := &b.Entries[i]
		same[e.key()] = e
	}
	var rest []*Fingerprint
	for _, f := range found {
		if e := same[f.key()]; e != nil {
			m.take(f, e)
		} else if len(f.Chain) > 0 {
			rest = append(rest, f)
		}
	}
	for _, f := range rest {
		m.smaller(f, b)
	}
	return m
}

func (m *Match) take(f *Fingerprint, e *Entry) { m.entries[f.key()], m.used[e] = e, true }

func (m *Match) smaller(f *Fingerprint, b *Baseline) {
	for i := range b.Entries {
		e := &b.Entries[i]
		if !m.used[e] && e.Rule == f.Rule && e.Package == f.Package && e.Function == f.Function && within(f.Chain, e.Chain) {
			m.take(f, e)
			m.Smaller = append(m.Smaller, e)
			return
		}
	}
}

// Entry returns the entry of a finding, nil if it is new.
func (m *Match) Entry(f *Fingerprint) *Entry { return m.entries[f.key()] }

// Unused are the entries that no finding has.
func (m *Match) Unused(b *Baseline) []*Entry {
	var list []*Entry
	for i := range b.Entries {
		if e := &b.Entries[i]; !m.used[e] {
			list = append(list, e)
		}
	}
	return list
}
