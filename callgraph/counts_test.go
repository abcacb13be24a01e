package callgraph

import (
	"testing"

	"github.com/retrylint/retrylint/internal/value"
)

// TestIsSet: a client that is one of several whose settings nobody has touched has its library's default.
func TestIsSet(t *testing.T) {
	untouched := value.Term{Kind: value.Field, Name: "MaxRetries", Args: []value.Term{value.Named("client")}}
	either := func(a, b value.Term) value.Term { return value.Term{Kind: value.Either, Args: []value.Term{a, b}} }
	for name, test := range map[string]struct {
		v    value.Term
		want bool
	}{
		"untouched":              {untouched, false},
		"one of two untouched":   {either(untouched, value.Term{Kind: value.Zero}), false},
		"one of two set":         {either(untouched, value.Number(4)), true},
		"set to what is unknown": {value.Named("n"), true},
		"nothing is known":       {value.Term{}, false},
	} {
		if got := isSet(test.v); got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
