package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/retrylint/retrylint/internal/rules"
)

// A Value is one thing that a run goes by, and where it came from: default, the place in a file, or a flag.
type Value struct {
	Key  string `json:"key"`
	Text string `json:"value"`
	From string `json:"from"`
}

const (
	byDefault = "default"
	none      = "(none)"
)

// Values lists what holds, in the order of the keys of a file. Flags take the place of what files say about the same.
func (c *Config) Values(flags Filter, tests *bool) []Value {
	list := flags.values()
	if tests != nil {
		list = append(list, Value{"tests", strconv.FormatBool(*tests), "flag -tests"})
	}
	given := slices.Clone(list)
	for _, v := range c.values {
		if !v.overridden(flags, given) {
			list = append(list, v)
		}
	}
	return inOrder(withDefaults(list))
}

// values are those of flags.
func (f *Filter) values() []Value {
	var list []Value
	add := func(flag string, names []rules.Name) {
		for _, n := range names {
			list = append(list, Value{"rules." + flag, n.String(), "flag -" + flag})
		}
	}
	add("only", f.Only)
	add("enable", f.Enable)
	add("disable", f.Disable)
	if f.MaxAttempts > 0 {
		list = append(list, Value{"rules.max-attempts", strconv.Itoa(f.MaxAttempts), "flag -max-attempts"})
	}
	return list
}

// overridden reports whether flags decide what a value of a file would: everything that it names, or the same number.
func (v *Value) overridden(flags Filter, given []Value) bool {
	if strings.HasPrefix(v.Key, "retry.") {
		return false
	}
	switch key := v.Key[strings.LastIndexByte(v.Key, '.')+1:]; key {
	case "only", "enable", "disable":
		return len(flags.Only) > 0 || flags.says(v.Text)
	case "tests", "max-attempts":
		return slices.ContainsFunc(given, func(g Value) bool { return g.Key == key || g.Key == "rules."+key })
	}
	return false
}

// says reports whether the filter decides about a rule, or a category, as a whole.
func (f *Filter) says(name string) bool {
	n, err := rules.Parse(name)
	if err != nil {
		return false
	}
	_, said := f.Says(n.Rule, n.Category)
	return said
}

// withDefaults adds a line for each key that nothing sets.
func withDefaults(list []Value) []Value {
	defaults := []Value{{"rules.max-attempts", none, byDefault}, {"tests", "false", byDefault}}
	for _, key := range []string{"rules.only", "rules.enable", "rules.disable", "exclude", "paths", "platform", "retry.owner", "retry.policy.max-attempts", "helpers", "clients", "writes", "keys"} {
		defaults = append(defaults, Value{key, none, byDefault})
	}
	for _, d := range defaults {
		isSet := func(v Value) bool { return v.Key == d.Key || strings.HasPrefix(v.Key, d.Key+"[") }
		if !slices.ContainsFunc(list, isSet) {
			list = append(list, d)
		}
	}
	return list
}

// inOrder sorts values by the keys of a file; values of one key stay as they come.
func inOrder(list []Value) []Value {
	rank := func(v Value) int {
		top, _, _ := strings.Cut(v.Key, "[")
		top, below, _ := strings.Cut(top, ".")
		below, _, _ = strings.Cut(below, ".")
		return 10*slices.Index(fileKeys, top) + slices.Index(ruleKeys, below) + slices.Index(retryKeys, below)
	}
	slices.SortStableFunc(list, func(a, b Value) int { return rank(a) - rank(b) })
	return list
}

func (h Helper) String() string {
	return fmt.Sprintf("%s, operation %d, attempts %s", h.Function, h.Operation, h.Attempts)
}

func (c Client) String() string {
	return fmt.Sprintf("%s, methods %s, attempts %s", c.Type, strings.Join(c.Methods, " "), c.Attempts)
}

func (w Write) String() string {
	if w.Key == nil {
		return w.Function
	}
	return fmt.Sprintf("%s, key %d", w.Function, *w.Key)
}

func (a Attempts) String() string {
	switch {
	case a.Number > 0:
		return strconv.Itoa(a.Number)
	case a.Retries:
		return fmt.Sprintf("by argument %d, in retries", a.Argument)
	}
	return fmt.Sprintf("by argument %d", a.Argument)
}
