package rules

import "testing"

func TestParse(t *testing.T) {
	for _, c := range []struct{ in, want, err string }{
		{in: "nestedretry", want: "nestedretry"},
		{in: "nestedretry.amplification", want: "nestedretry.amplification"},
		{in: "nestedrety", err: `unknown rule "nestedrety": did you mean nestedretry?`},
		{in: "sleep", err: `unknown rule "sleep"`},
		{in: "nestedretry.amplificaton", err: `rule nestedretry has no category "amplificaton": did you mean amplification?`},
		{in: "nestedretry.", err: `rule nestedretry has no category ""`},
		{in: "", err: `unknown rule ""`},
	} {
		got, err := Parse(c.in)
		if err != nil && err.Error() != c.err || err == nil && (c.err != "" || got.String() != c.want) {
			t.Errorf("Parse(%q) = %q, %v, want %q, %q", c.in, got, err, c.want, c.err)
		}
	}
}

func TestEveryCategoryHasASeverity(t *testing.T) {
	for _, r := range All {
		for _, c := range r.Categories {
			if c.Severity != Warning && c.Severity != Info || c.Summary == "" {
				t.Errorf("%s.%s: severity %q, summary %q", r.Name, c.Name, c.Severity, c.Summary)
			}
		}
	}
}
