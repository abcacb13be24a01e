package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/driver"
)

// A Site is what the inventory says of a retry site, with its JSON.
type Site struct {
	inventory.Site
	json []byte
}

// Sites returns the inventory of a run, sorted by place; tests are left out unless they are wanted: by the flag, or if that is
// nil by the configuration.
func Sites(r *driver.Result, tests *bool) ([]Site, error) {
	var list []Site
	linked, err := link(r)
	if err != nil {
		return nil, err
	}
	known := linked.graph.Counts()
	for _, u := range r.Units {
		if !u.Named {
			continue
		}
		for _, d := range u.Diagnostics[Inventory] {
			sites, err := readSites(d.Message, known)
			if err != nil {
				return nil, fmt.Errorf("the inventory of %s can't be read: %w", u.ID, err)
			}
			list = append(list, slices.DeleteFunc(sites, func(s Site) bool {
				return (s.Test || inTests(s.File)) && !testsWanted(tests, r.Config, filepath.Join(u.ModuleDir, s.File))
			})...)
		}
	}
	slices.SortFunc(list, compareSites)
	return slices.CompactFunc(list, func(a, b Site) bool { return bytes.Equal(a.json, b.json) }), nil
}

// readSites reads the inventory of a package, and puts in the numbers that only the program knows.
func readSites(message string, known map[callgraph.Place]count.Count) ([]Site, error) {
	var summary inventory.Summary
	if err := json.Unmarshal([]byte(message), &summary); err != nil {
		return nil, err
	}
	list := make([]Site, len(summary.Sites))
	for i, s := range summary.Sites {
		if n, ok := known[callgraph.Place{Package: s.Package, File: s.File, Line: s.Line, Kind: s.Kind}]; ok && !s.Decided() {
			s.Give(n)
		}
		text, err := json.Marshal(s)
		if err != nil {
			return nil, err
		}
		list[i] = Site{Site: s, json: text}
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
		return strconv.FormatInt(a.N, 10)
	case a.Kind == "symbol" && a.Default != 0:
		return fmt.Sprintf("%s (default %d)", a.Text, a.Default)
	case a.Kind == "symbol":
		return a.Text
	}
	return a.Kind
}
