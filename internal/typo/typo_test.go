package typo

import "testing"

func TestClosest(t *testing.T) {
	known := []string{"helpers", "clients", "exclude", "version"}
	for word, want := range map[string]string{
		"helper":   "helpers",
		"hlepers":  "helpers",
		"exculde":  "exclude",
		"Clients":  "clients",
		"elephant": "",
		"":         "",
	} {
		if got := Closest(word, known); got != want {
			t.Errorf("Closest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"kitten", "sitting", 3}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
