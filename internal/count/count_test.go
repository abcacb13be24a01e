package count

import (
	"math"
	"testing"
)

func TestTimes(t *testing.T) {
	tests := []struct {
		name string
		a, b Count
		want Count
	}{
		{"numbers", Of(3), Of(5), Of(15)},
		{"one", Of(1), Of(5), Of(5)},
		{"none", Of(0), Of(5), Of(0)},
		{"held at the largest", Of(math.MaxInt64), Of(2), Of(math.MaxInt64)},
		{"held at the largest, both large", Of(1 << 40), Of(1 << 40), Of(math.MaxInt64)},
		{"largest that fits", Of(math.MaxInt64), Of(1), Of(math.MaxInt64)},
		{"symbol", Of(3), Named("cfg.Max"), Named("3 × cfg.Max")},
		{"sum in parentheses", Of(3), Named("cfg.Max + 1"), Named("3 × (cfg.Max + 1)")},
		{"defaults", WithDefault("a", 4), WithDefault("b", 5), WithDefault("a × b", 20)},
		{"number and default", Of(2), WithDefault("a", 5), WithDefault("2 × a", 10)},
		{"default and symbol", WithDefault("a", 4), Named("b"), Named("a × b")},
		{"default held at the largest", WithDefault("a", math.MaxInt64), Of(7), WithDefault("a × 7", math.MaxInt64)},
		{"unlimited outside", Infinite("context"), Of(3), Infinite("context")},
		{"unlimited inside", Of(3), Infinite(""), Infinite("")},
		{"unlimited and unknown", Count{}, Infinite(""), Infinite("")},
		{"unknown", Of(3), Count{}, Named("3 × unknown")},
	}
	for _, test := range tests {
		if got := test.a.Times(test.b); got != test.want {
			t.Errorf("%s: (%v) × (%v) = %+v, want %+v", test.name, test.a, test.b, got, test.want)
		}
	}
}

// TestTimesIsAssociative holds for what a chain reports: the number and whether there is an end.
func TestTimesIsAssociative(t *testing.T) {
	all := []Count{{}, Of(0), Of(1), Of(3), Of(math.MaxInt64), Named("a"), WithDefault("b", 4), Infinite("context")}
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				left, right := a.Times(b).Times(c), a.Times(b.Times(c))
				if left.Kind != right.Kind || left.N != right.N || left.HasDefault != right.HasDefault {
					t.Errorf("(%v, %v, %v): %+v and %+v", a, b, c, left, right)
				}
			}
		}
	}
}

// TestMoreIsAnOrder checks that at most one of two is more, and that equal counts are neither.
func TestMoreIsAnOrder(t *testing.T) {
	ascending := []Count{{}, Named("b"), Named("a"), Of(0), WithDefault("a", 3), Of(4), Of(math.MaxInt64), Infinite("")}
	for i, a := range ascending {
		for j, b := range ascending {
			if got, want := a.More(b), i > j; got != want {
				t.Errorf("(%v).More(%v) = %v, want %v", a, b, got, want)
			}
		}
	}
}

func TestText(t *testing.T) {
	tests := map[string]Count{
		"3": Of(3), "cfg.Max": Named("cfg.Max"), "n + 1": WithDefault("n + 1", 4), "unlimited": Infinite("context"), "unknown": {},
	}
	for want, c := range tests {
		if got := c.String(); got != want {
			t.Errorf("%+v: %q, want %q", c, got, want)
		}
	}
	if got, want := Product(Of(3), Named("a + 1"), Named("b"), Infinite("")), "3 × (a + 1) × b × unlimited"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOneAndValue(t *testing.T) {
	tests := []struct {
		c     Count
		one   bool
		value int64
		known bool
	}{
		{Of(1), true, 1, true}, {Of(0), true, 0, true}, {Of(2), false, 2, true},
		{Named("a"), false, 0, false}, {WithDefault("a", 1), false, 1, true}, {Infinite(""), false, 0, false}, {Count{}, false, 0, false},
	}
	for _, test := range tests {
		n, ok := test.c.Value()
		if test.c.One() != test.one || n != test.value || ok != test.known {
			t.Errorf("%+v: One %v, Value %d, %v", test.c, test.c.One(), n, ok)
		}
	}
}
