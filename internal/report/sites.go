package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/retrylint/retrylint/internal/driver"
)

// A Site is what the inventory says of a retry site. Its JSON is passed on as it came, whatever keys it has; the fields
// are those that this package needs.
type Site struct {
	File     string
	Line     int
	Function string
	Kind     string
	Role     string
	Test     bool
	Attempts struct {
		Kind    string
		N       int
		Text    string
		Default *int
	}

	json []byte
}

// Sites returns the inventory of a run, sorted by place; tests are left out unless they are wanted.
func Sites(r *driver.Result, tests bool) ([]Site, error) {
	var list []Site
	given := givenTo(r)
	for _, u := range r.Units {
		if !u.Named {
			continue
		}
		for _, d := range u.Diagnostics[Inventory] {
			sites, err := readSites(given.resolve(d.Message))
			if err != nil {
				return nil, fmt.Errorf("the inventory of %s can't be read: %w", u.ID, err)
			}
			list = append(list, sites...)
		}
	}
	list = slices.DeleteFunc(list, func(s Site) bool { return !tests && (s.Test || inTests(s.File)) })
	slices.SortFunc(list, compareSites)
	return slices.CompactFunc(list, func(a, b Site) bool { return bytes.Equal(a.json, b.json) }), nil
}

func readSites(message string) ([]Site, error) {
	var document struct{ Sites []json.RawMessage }
	if err := json.Unmarshal([]byte(message), &document); err != nil {
		return nil, err
	}
	list := make([]Site, len(document.Sites))
	for i, raw := range document.Sites {
		if err := json.Unmarshal(raw, &list[i]); err != nil {
			return nil, err
		}
		var line bytes.Buffer
		if err := json.Compact(&line, raw); err != nil {
			return nil, err
		}
		list[i].json = line.Bytes()
	}
	return list, nil
}

func compareSites(a, b Site) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Kind, b.Kind), bytes.Compare(a.json, b.json))
}

// SitesJSON prints an object a line.
func SitesJSON(out io.Writer, list []Site) error {
	for _, s := range list {
		if _, err := fmt.Fprintf(out, "%s\n", s.json); err != nil {
			return err
		}
	}
	return nil
}

// SitesText prints a table.
func SitesText(out io.Writer, list []Site) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range list {
		fmt.Fprintf(w, "%s:%d\t%s\t%s\t%s\t%s\n", s.File, s.Line, s.Kind, s.Role, s.attempts(), s.Function)
	}
	return w.Flush()
}

// attempts is the count as a reader wants it: 3, cfg.Max (default 10), unlimited, unknown.
func (s *Site) attempts() string {
	a := s.Attempts
	switch {
	case a.Kind == "number":
		return strconv.Itoa(a.N)
	case a.Kind == "symbol" && a.Default != nil:
		return fmt.Sprintf("%s (default %d)", a.Text, *a.Default)
	case a.Kind == "symbol":
		return a.Text
	}
	return a.Kind
}
