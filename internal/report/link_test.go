package report

import (
	"strings"
	"testing"

	"github.com/retrylint/retrylint/internal/driver"
)

func inventoryUnit(id, message string) driver.Unit {
	return driver.Unit{ID: id, Named: true, Diagnostics: map[string][]driver.Diagnostic{Inventory: {{Message: message}}}}
}

const (
	client = `{"sites":[{"file":"a.go","line":1,"kind":"library-call","role":"retry","attempts":{"kind":"symbol","text":"c.policy"},"dependsOn":"m/a.Client.policy"}],` +
		`"bindings":[{"field":"m/a.Client.policy","function":"m/a.New","param":0}]}`
	gives5 = `{"sites":[],"givens":[{"function":"m/a.New","param":0,"attempts":{"kind":"number","n":5}}]}`
	asks   = `{"sites":[{"file":"a.go","line":1,"kind":"helper-call","role":"retry","attempts":{"kind":"symbol","text":"c.policy"},"dependsOn":"m/a.Client.policy","asked":"Delay 0 negative 1"}],` +
		`"bindings":[{"field":"m/a.Client.policy","function":"m/a.New","param":0}]}`
	answers = `{"sites":[],"givens":[{"function":"m/a.New","param":0,"asked":"Delay 0 negative 0","attempts":{"kind":"number","n":6}},` +
		`{"function":"m/a.New","param":0,"asked":"Delay 0 negative 1","attempts":{"kind":"number","n":5}}]}`
	gives2 = `{"sites":[],"givens":[{"function":"m/a.New","param":0,"attempts":{"kind":"number","n":2}}]}`
)

func TestSitesTakeWhatConstructorsAreGiven(t *testing.T) {
	for name, test := range map[string]struct {
		site   string
		others []string
		want   string
	}{
		"one caller":        {client, []string{gives5}, `"n":5`},
		"callers agree":     {client, []string{gives5, gives5}, `"n":5`},
		"callers differ":    {client, []string{gives5, gives2}, `"text":"c.policy"`},
		"nobody is in view": {client, nil, `"text":"c.policy"`},
		"asked from one":    {asks, []string{answers}, `"n":5`},
		"asked otherwise":   {asks, []string{gives5}, `"text":"c.policy"`},
	} {
		r := &driver.Result{Units: []driver.Unit{inventoryUnit("m/a", test.site)}}
		for _, other := range test.others {
			r.Units = append(r.Units, inventoryUnit("m/b", other))
		}
		list, err := Sites(r, false)
		if err != nil || len(list) != 1 || !strings.Contains(string(list[0].json), test.want) {
			t.Errorf("%s: got %v, %v; want one site with %s", name, list, err, test.want)
		}
	}
}
