package baseline

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/retrylint/retrylint/internal/typo"
)

// Read reads a file, which messages call name. The error lists all that is wrong with it, a line each. Names of rules aren't
// checked: a finding of a rule that doesn't exist any more is one that is gone.
func Read(file, name string) (*Baseline, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("%s: this is not YAML: %s", name, strings.TrimPrefix(err.Error(), "yaml: "))
	}
	r := reader{file: name}
	if len(root.Content) == 0 {
		return nil, fmt.Errorf("%s is empty: write it with retrylint baseline write", name)
	}
	b := r.document(root.Content[0])
	return b, errors.Join(r.problems...)
}

// A reader collects what is wrong with a file.
type reader struct {
	file     string
	problems []error
}

func (r *reader) problem(at *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf("%s:%d: %s", r.file, at.Line, fmt.Sprintf(format, args...)))
}

func (r *reader) document(n *yaml.Node) *Baseline {
	b := new(Baseline)
	keys := r.mapping(n, "version", "findings")
	if v := keys["version"]; v == nil {
		r.problem(n, "the key version is missing")
	} else if v.Value != "1" {
		r.problem(v, "version must be 1, the only one that this retrylint knows")
	}
	list := keys["findings"]
	if list == nil || list.Tag == "!!null" {
		return b
	}
	if list.Kind != yaml.SequenceNode {
		r.problem(list, "findings must be a list")
	}
	for _, item := range list.Content {
		b.Entries = append(b.Entries, r.entry(item))
	}
	return b
}

func (r *reader) entry(n *yaml.Node) Entry {
	keys := r.mapping(n, "rule", "package", "function", "chain", "ordinal", "owner", "reason", "expires")
	for _, key := range []string{"rule", "package"} {
		if keys != nil && r.text(keys[key]) == "" {
			r.problem(n, "a finding needs the key %s", key)
		}
	}
	return Entry{
		Fingerprint: Fingerprint{
			Rule: r.text(keys["rule"]), Package: r.text(keys["package"]), Function: r.text(keys["function"]),
			Chain: r.chain(keys["chain"]), Ordinal: r.ordinal(keys["ordinal"]),
		},
		Owner: r.text(keys["owner"]), Reason: r.text(keys["reason"]), Expires: r.date(keys["expires"]),
	}
}

// mapping returns the values of a mapping by key, nil if the node is none.
func (r *reader) mapping(n *yaml.Node, known ...string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.problem(n, "here must be a mapping with the keys %s", strings.Join(known, ", "))
		return nil
	}
	keys := make(map[string]*yaml.Node)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !slices.Contains(known, key.Value) {
			r.problem(key, "unknown key %q%s", key.Value, typo.Hint(key.Value, known))
		}
		keys[key.Value] = n.Content[i+1]
	}
	return keys
}

func (r *reader) text(n *yaml.Node) string {
	if n == nil || n.Tag == "!!null" {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		r.problem(n, "here must be a text")
	}
	return n.Value
}

func (r *reader) chain(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.problem(n, "chain must be a list")
	}
	var list []string
	for _, item := range n.Content {
		list = append(list, r.text(item))
	}
	return list
}

func (r *reader) ordinal(n *yaml.Node) int {
	if n == nil {
		return 1
	}
	ordinal, err := strconv.Atoi(n.Value)
	if err != nil || ordinal < 1 {
		r.problem(n, "ordinal must be a number from 1, found %q", n.Value)
	}
	return ordinal
}

func (r *reader) date(n *yaml.Node) string {
	day := r.text(n)
	if _, err := time.Parse(time.DateOnly, day); day != "" && err != nil {
		r.problem(n, "expires must be a day as in 2026-12-31, found %q", day)
	}
	return day
}
