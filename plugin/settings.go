package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/retrylint/retrylint/internal/config"
	"github.com/retrylint/retrylint/internal/rules"
)

// Settings are keys of .retrylint.yml. Files that are excluded, and tests, are golangci-lint's business.
type Settings struct {
	Rules   Rules    `json:"rules"`
	Helpers []Helper `json:"helpers"`
	Clients []Client `json:"clients"`
	Writes  []Write  `json:"writes"`
	Keys    []string `json:"keys"`
}

// Rules say what is reported, as rule and rule.category.
type Rules struct {
	Only        []string `json:"only"`
	Enable      []string `json:"enable"`
	Disable     []string `json:"disable"`
	MaxAttempts *int     `json:"max-attempts"`
}

// A Write is a function that does something again each time it is called.
type Write struct {
	Function string `json:"function"`
	Key      *int   `json:"key"`
}

// A Helper is a function that executes one of its arguments again when it fails.
type Helper struct {
	Function  string   `json:"function"`
	Operation *int     `json:"operation"`
	Attempts  Attempts `json:"attempts"`
}

// A Client is a type whose methods try again by themselves.
type Client struct {
	Type     string   `json:"type"`
	Methods  []string `json:"methods"`
	Attempts int      `json:"attempts"`
}

// Attempts is a number of total attempts, or the argument that decides: {argument: 2}, {argument: 2, unit: retries}.
type Attempts struct {
	Number   int
	Argument *int
	Unit     string
}

// UnmarshalJSON reads either form.
func (a *Attempts) UnmarshalJSON(text []byte) error {
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return json.Unmarshal(text, &a.Number)
	}
	var by struct {
		Argument *int   `json:"argument"`
		Unit     string `json:"unit"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&by)
	a.Argument, a.Unit = by.Argument, by.Unit
	return err
}

// config checks the settings and gives them the form that the analyzers read. The error lists everything that is wrong.
func (s *Settings) config() (*config.Config, error) {
	c := new(config.Config)
	var problems []error
	for i, h := range s.Helpers {
		problems = append(problems, prefixed(fmt.Sprintf("helpers[%d]", i), h.problems())...)
		c.Helpers = append(c.Helpers, h.config())
	}
	for i, k := range s.Clients {
		problems = append(problems, prefixed(fmt.Sprintf("clients[%d]", i), k.problems())...)
		c.Clients = append(c.Clients, config.Client{Type: k.Type, Methods: k.Methods, Attempts: config.Attempts{Number: k.Attempts}})
	}
	for i, w := range s.Writes {
		problems = append(problems, prefixed(fmt.Sprintf("writes[%d]", i), w.problems())...)
		c.Writes = append(c.Writes, config.Write(w))
	}
	for i, k := range s.Keys {
		if !config.IsKey(k) {
			problems = append(problems, fmt.Errorf("retrylint: keys[%d]: %q is no name of a header, field or parameter", i, k))
		}
	}
	c.Keys = s.Keys
	return c, errors.Join(problems...)
}

// filter checks the rules and gives them the form in which findings are asked for.
func (r *Rules) filter() (config.Filter, error) {
	var f config.Filter
	var problems []error
	for _, list := range []struct {
		key   string
		names []string
		to    *[]rules.Name
	}{{"only", r.Only, &f.Only}, {"enable", r.Enable, &f.Enable}, {"disable", r.Disable, &f.Disable}} {
		for _, text := range list.names {
			name, err := rules.Parse(text)
			if err != nil {
				problems = append(problems, fmt.Errorf("retrylint: rules.%s: %w", list.key, err))
				continue
			}
			*list.to = append(*list.to, name)
		}
	}
	if r.MaxAttempts != nil {
		f.MaxAttempts = *r.MaxAttempts
		if f.MaxAttempts < 1 {
			problems = append(problems, errors.New("retrylint: rules.max-attempts must be a number from 1"))
		}
	}
	return f, errors.Join(problems...)
}

func (w *Write) problems() (list []string) {
	if !qualified(w.Function) {
		list = append(list, needsPath)
	}
	if w.Key != nil && *w.Key < 0 {
		list = append(list, "key must be the number of an argument, from 0")
	}
	return list
}

const needsPath = "function needs the import path and the name, as in example.com/shop/retry.Do"

func prefixed(where string, problems []string) []error {
	var list []error
	for _, p := range problems {
		list = append(list, fmt.Errorf("retrylint: %s: %s", where, p))
	}
	return list
}

func (h *Helper) problems() (list []string) {
	if !qualified(h.Function) {
		list = append(list, needsPath)
	}
	if h.Operation == nil || *h.Operation < 0 {
		list = append(list, "operation must be the number of an argument, from 0")
	}
	return append(list, h.Attempts.problems()...)
}

func (a *Attempts) problems() (list []string) {
	switch {
	case a.Argument == nil && a.Number < 1:
		list = append(list, "attempts must be a number from 1, or name an argument, from 0")
	case a.Argument != nil && *a.Argument < 0:
		list = append(list, "attempts.argument must be the number of an argument, from 0")
	}
	if a.Unit != "" && a.Unit != "attempts" && a.Unit != "retries" {
		list = append(list, fmt.Sprintf("attempts.unit must be attempts or retries, not %q", a.Unit))
	}
	return list
}

func (c *Client) problems() (list []string) {
	if !qualified(c.Type) {
		list = append(list, `type needs the import path and the name, as in "*example.com/shop/api.Client"`)
	}
	if len(c.Methods) == 0 {
		list = append(list, "methods must list those that try again")
	}
	if c.Attempts < 1 {
		list = append(list, "attempts must be a number from 1")
	}
	return list
}

// qualified reports whether a name is a full one: something, a dot after the last slash, something.
func qualified(name string) bool {
	return strings.Contains(name[strings.LastIndex(name, "/")+1:], ".") && !strings.ContainsAny(name, " \t")
}

// config is only read if there are no problems.
func (h *Helper) config() config.Helper {
	c := config.Helper{Function: h.Function, Attempts: config.Attempts{Number: h.Attempts.Number, Retries: h.Attempts.Unit == "retries"}}
	if h.Operation != nil {
		c.Operation = *h.Operation
	}
	if h.Attempts.Argument != nil {
		c.Attempts.Argument = *h.Attempts.Argument
	}
	return c
}
