package retryclassify

import (
	"go/token"

	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/sites"
)

// A Doubt is where the code of one site doesn't decide whether it repeats what stays, so that what other sites do with the same
// failure counts.
type Doubt struct {
	Pos token.Pos
	// Often says how often a site repeats everything of whose failures none is known to stay; "" for others.
	Often string
	// Named is the error that only its name says to stay; "" if there is none.
	Named string
}

// DoubtAbout returns what is doubtful about r; it is the zero Doubt but for its place if nothing is.
func DoubtAbout(r *callgraph.Repetition) Doubt {
	d := Doubt{Pos: place(r)}
	if r.Role != sites.Retry || r.Count.One() || !makesMany(r.Count) || decidesAboutWaitOnly(r) != nil || r.TellsErrorsApart() {
		return d
	}
	switch name := lastingFailure(r); {
	case permanentFailure(r) == "":
		d.Often = often(r.Count)
	case failingParse(r) == "" && rejectedAnswer(r) == "" && !catalog.Permanent(name):
		d.Named = name
	}
	return d
}

// Against says that other sites take an error for one that stays.
func (d *Doubt) Against(failure string) string {
	return "every failure is repeated, " + d.Often + ": " + failure
}
