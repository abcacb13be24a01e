package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/retrylint/retrylint/analyzers/inventory"
	"github.com/retrylint/retrylint/callgraph"
	"github.com/retrylint/retrylint/internal/config"
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
	for _, l := range r.Config.Platforms() {
		s, err := platformSite(l)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	known, others := linked.graph.Counts(), tally(linked.handled())
	for _, u := range r.Units {
		if !u.Named {
			continue
		}
		for _, d := range u.Diagnostics[Inventory] {
			sites, err := readSites(d.Message, known, others, func(s *inventory.Site) { judge(s, r.Config, u.ModuleDir) })
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

// platformSite is the layer that the configuration names: it stands where it is named.
func platformSite(l config.Layer) (Site, error) {
	s := inventory.Site{
		File: l.File, Line: l.Line, Function: l.Label, Kind: "platform", Role: "retry", Attempts: inventory.Attempts{Kind: "number", N: l.Attempts},
		Origin: fmt.Sprintf("%d attempts by %s (its default: %s)", l.Attempts, l.Label, l.When), By: l.Label,
	}
	text, err := json.Marshal(s)
	return Site{Site: s, json: text}, err
}

// judge compares a site with what the configuration decides about retries.
func judge(s *inventory.Site, c *config.Config, moduleDir string) {
	if s.Role != "retry" || s.Attempts.Kind == "number" && s.Attempts.N < 2 {
		return
	}
	s.Breaches = c.Breaches(filepath.Join(moduleDir, filepath.FromSlash(s.File)), s.Package, s.Callee, most(s.Attempts))
}

// most are the attempts of a site at most, with the default of a setting; 0 if nobody knows.
func most(a inventory.Attempts) int64 {
	switch a.Kind {
	case "number":
		return a.N
	case "symbol":
		return a.Default
	case "unlimited":
		return math.MaxInt64
	}
	return 0
}

// readSites reads the inventory of a package, and puts in what only the program knows: numbers, and what other sites do.
func readSites(message string, known map[callgraph.Place]count.Count, others map[failure]votes, judge func(*inventory.Site)) ([]Site, error) {
	var summary inventory.Summary
	if err := json.Unmarshal([]byte(message), &summary); err != nil {
		return nil, err
	}
	list := make([]Site, len(summary.Sites))
	for i, s := range summary.Sites {
		if n, ok := known[callgraph.Place{Package: s.Package, File: s.File, Line: s.Line, Kind: s.Kind}]; ok && !s.Decided() {
			s.Give(n)
		}
		judge(&s)
		for _, h := range summary.Handled {
			if h.File == s.File && h.Line == s.Line && h.Kind == s.Kind {
				s.Unlike = append(s.Unlike, unlike(h, others)...)
			}
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
		fmt.Fprintf(w, "%s:%d\t%s\t%s\t%s\t%s%s\n", s.File, s.Line, s.Kind, s.Role, s.attempts(), s.Function, s.beside())
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

// beside is a column for what else there is to say: what gates the attempts, what others give up on, and what the configuration has
// against them.
func (s *Site) beside() string {
	var list []string
	for _, b := range s.Budgets {
		list = append(list, fmt.Sprintf("%s by %s (%s:%d)", b.Kind, b.Name, b.File, b.Line))
	}
	for _, u := range s.Unlike {
		list = append(list, "repeats "+u.String())
	}
	list = append(list, s.Breaches...)
	if len(list) == 0 {
		return ""
	}
	return "\t" + strings.Join(list, ", ")
}
