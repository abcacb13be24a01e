package typename_test

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/retrylint/retrylint/internal/typename"
)

func TestOf(t *testing.T) {
	pkg := types.NewPackage("example.com/shop", "shop")
	order := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Order", nil), types.NewStruct(nil, nil), nil)
	builtin := types.Universe.Lookup("error").Type()
	for want, typ := range map[string]types.Type{
		"example.com/shop.Order": types.NewPointer(order),
		"error":                  builtin,
		"":                       types.NewSlice(order),
	} {
		if got := typename.Of(typ); got != want {
			t.Errorf("%s: %q, want %q", typ, got, want)
		}
	}
	if !typename.IsError(builtin) || typename.IsError(order) {
		t.Error("error isn't told from other types")
	}
}
