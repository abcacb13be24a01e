package callgraph

import (
	"fmt"
	"testing"

	"github.com/retrylint/retrylint/internal/value"
)

// TestClosingEnds describes a field of values that are made of fields that may hold all of them: what that unfolds to is cut, or this
// test doesn't end.
func TestClosingEnds(t *testing.T) {
	g := NewProgram(nil)
	held := value.Term{Kind: value.Either}
	part := func(n int64) value.Term {
		return value.Term{Kind: value.Field, Name: fmt.Sprint("part", n), Names: []string{"p.T"}, Args: []value.Term{value.Named("T")}}
	}
	for n := range int64(12) {
		instance := value.Term{Kind: value.Record, Name: "p.T", Names: []string{value.From, "n"}, Args: []value.Term{part(n), value.Number(n)}}
		held.Args = append(held.Args, instance)
	}
	for n := range int64(12) {
		g.fields["p.T."+part(n).Name] = held
	}
	g.close(value.Term{Kind: value.Field, Name: "tries", Args: []value.Term{part(3)}})
	if n := g.close(value.Term{Kind: value.Field, Name: "n", Args: []value.Term{part(3)}}); n.Kind != value.Either || len(n.Args) != 12 {
		t.Errorf("%+v", n)
	}
}
