package report

import "github.com/retrylint/retrylint/internal/baseline"

// Fingerprints gives findings the identity by which they are recognised in other versions of the code. It takes all findings
// of a run, so that it makes no difference what is selected.
func Fingerprints(list []Finding) []*baseline.Fingerprint {
	sources := make(baseline.Sources)
	all := make([]*baseline.Fingerprint, len(list))
	for i := range list {
		f := &list[i]
		f.Fingerprint = &baseline.Fingerprint{
			Rule: f.Name(), Package: plain(f.Package), Chain: f.layers,
			Function: sources.Function(f.At.File, f.At.Line, f.At.Col),
		}
		all[i] = f.Fingerprint
	}
	baseline.Number(all)
	return all
}
