package callgraph

import (
	"testing"

	"github.com/retrylint/retrylint/internal/value"
)

// TestLightenedArguments makes sure that a method of a large struct, given to a function, isn't lost on the way to the linker: it
// would take the only other one that is given for the one of all.
func TestLightenedArguments(t *testing.T) {
	service := value.Term{Kind: value.Record, Name: "shop.Service"}
	for _, field := range []string{"a", "b", "c"} {
		list := value.Term{Kind: value.List}
		for range maxFlowing {
			list.Args = append(list.Args, value.Number(1))
		}
		service = service.With(field, list)
	}
	sign := value.Term{Kind: value.Func, Name: "(*shop.Service).sign", Names: []string{bound}, Args: []value.Term{service}}
	light := lightened([]value.Term{sign, value.Number(2)})
	if light[0].Kind != value.Func || light[0].Name != sign.Name || light[0].Size() > maxFlowing || light[1].N != 2 {
		t.Errorf("%+v", light)
	}
}
