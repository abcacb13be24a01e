package baseline

// A Match says which entry each finding of a run has.
type Match struct {
	entries map[string]*Entry // by the key of the finding
	grown   map[string]*Entry // likewise
	used    map[*Entry]bool
	// Smaller are the entries whose chain has become smaller.
	Smaller []*Entry
}

// Match compares the findings of a run with the entries, one to one: those that are the same first, then chains that have
// become smaller, and then those that have grown.
func (b *Baseline) Match(found []*Fingerprint) *Match {
	m := &Match{entries: make(map[string]*Entry), grown: make(map[string]*Entry), used: make(map[*Entry]bool)}
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
		if e := m.unusedOf(f, b, func(known []string) bool { return within(f.Chain, known) }); e != nil {
			m.take(f, e)
			m.Smaller = append(m.Smaller, e)
		}
	}
	for _, f := range rest {
		if m.Entry(f) != nil {
			continue
		}
		if e := m.unusedOf(f, b, func(known []string) bool { return len(known) > 0 && within(known, f.Chain) }); e != nil {
			m.grown[f.key()], m.used[e] = e, true
		}
	}
	return m
}

func (m *Match) take(f *Fingerprint, e *Entry) { m.entries[f.key()], m.used[e] = e, true }

// unusedOf returns the first entry without a finding that is about what a finding is about, and whose chain fits.
func (m *Match) unusedOf(f *Fingerprint, b *Baseline, fits func(known []string) bool) *Entry {
	for i := range b.Entries {
		e := &b.Entries[i]
		if !m.used[e] && e.Rule == f.Rule && e.Package == f.Package && e.Function == f.Function && fits(e.Chain) {
			return e
		}
	}
	return nil
}

// Entry returns the entry of a finding, nil if it is new.
func (m *Match) Entry(f *Fingerprint) *Entry { return m.entries[f.key()] }

// Grown returns the entry of a chain that is new because one that was known has got more attempts or layers, nil for others.
func (m *Match) Grown(f *Fingerprint) *Entry { return m.grown[f.key()] }

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
