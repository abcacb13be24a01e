package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/retrylint/retrylint/internal/typo"
)

// Load reads one file. The error lists everything that is wrong with it, a line each: where, what, and what was meant.
func Load(file string) (*Config, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration: %w", err)
	}
	return parse(file, text)
}

func parse(file string, text []byte) (*Config, error) {
	r := reader{file: Shown(file)}
	root := r.document(text)
	c := new(Config)
	if root != nil {
		r.top(root, c, filepath.Dir(file))
	}
	return c, errors.Join(r.problems...)
}

// Shown is a path as messages write it: seen from the current directory.
func Shown(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil {
		return file
	}
	return filepath.ToSlash(rel)
}

// A reader walks the nodes of one file and collects what is wrong. Nodes are read by hand because an error has to name
// its line and what was meant, which decoding into structs does not tell.
type reader struct {
	file     string
	problems []error
}

func (r *reader) problem(at *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, fmt.Errorf("%s:%d: %s", r.file, at.Line, fmt.Sprintf(format, args...)))
}

// document returns the top node, or nil if there is none (an empty file is as good as no file).
func (r *reader) document(text []byte) *yaml.Node {
	var doc yaml.Node
	err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		r.problems = append(r.problems, r.syntax(err))
		return nil
	}
	return doc.Content[0]
}

// syntax turns "yaml: line 3: did not find …" into file:3: ….
func (r *reader) syntax(err error) error {
	what := strings.TrimPrefix(err.Error(), "yaml: ")
	if rest, ok := strings.CutPrefix(what, "line "); ok {
		if line, what, ok := strings.Cut(rest, ": "); ok {
			return fmt.Errorf("%s:%s: this is not YAML: %s", r.file, line, what)
		}
	}
	return fmt.Errorf("%s: this is not YAML: %s", r.file, what)
}

func (r *reader) top(n *yaml.Node, c *Config, dir string) {
	keys := r.mapping(n, "the file", "version", "helpers", "clients", "exclude")
	if keys == nil {
		return
	}
	r.version(n, keys["version"])
	for _, item := range r.list(keys["helpers"], "helpers") {
		c.Helpers = append(c.Helpers, r.helper(item))
	}
	for _, item := range r.list(keys["clients"], "clients") {
		c.Clients = append(c.Clients, r.client(item))
	}
	for _, item := range r.list(keys["exclude"], "exclude") {
		c.excludes = append(c.excludes, exclude{dir, r.pattern(item)})
	}
}

func (r *reader) version(file, n *yaml.Node) {
	if n == nil {
		r.problem(file, `the key version is missing: write "version: 1" on the first line`)
		return
	}
	if n.Value != "1" {
		r.problem(n, "version must be 1, the only one that this retrylint knows; found %s", found(n))
	}
}

func (r *reader) helper(n *yaml.Node) Helper {
	keys := r.mapping(n, "a helper", "function", "operation", "attempts")
	if keys == nil {
		return Helper{}
	}
	h := Helper{
		Function:  r.symbol(n, keys, "a helper", "function"),
		Operation: r.index(n, keys, "a helper", "operation"),
	}
	if at := r.needs(n, keys, "a helper", "attempts"); at != nil {
		h.Attempts = r.attempts(at)
	}
	return h
}

func (r *reader) client(n *yaml.Node) Client {
	keys := r.mapping(n, "a client", "type", "methods", "attempts")
	if keys == nil {
		return Client{}
	}
	c := Client{Type: r.symbol(n, keys, "a client", "type")}
	if at := r.needs(n, keys, "a client", "methods"); at != nil {
		for _, m := range r.list(at, "methods") {
			c.Methods = append(c.Methods, r.text(m, "a method"))
		}
	}
	if at := r.needs(n, keys, "a client", "attempts"); at != nil {
		c.Attempts.Number = r.number(at, "attempts", 1)
	}
	return c
}

// attempts reads 3, {argument: 2} or {argument: 2, unit: retries}.
func (r *reader) attempts(n *yaml.Node) Attempts {
	n = resolved(n)
	if n.Kind != yaml.MappingNode {
		return Attempts{Number: r.number(n, "attempts", 1)}
	}
	keys := r.mapping(n, "attempts", "argument", "unit")
	if keys == nil {
		return Attempts{}
	}
	return Attempts{Argument: r.index(n, keys, "attempts", "argument"), Retries: r.unit(keys["unit"])}
}

// unit reports whether retries are counted, not attempts.
func (r *reader) unit(n *yaml.Node) bool {
	if n == nil || n.Value == "attempts" {
		return false
	}
	if n.Value != "retries" {
		r.problem(n, "unit must be attempts or retries, found %s%s", found(n), typo.Hint(n.Value, []string{"attempts", "retries"}))
	}
	return true
}

// symbol reads the full name of a function or type.
func (r *reader) symbol(n *yaml.Node, keys map[string]*yaml.Node, what, key string) string {
	at := r.needs(n, keys, what, key)
	if at == nil {
		return ""
	}
	name := r.text(at, key)
	last := name[strings.LastIndex(name, "/")+1:]
	if name != "" && (!strings.Contains(last, ".") || strings.ContainsAny(name, " \t[]{}")) {
		r.problem(at, "%s needs the import path and the name, as in example.com/shop/retry.Do; found %s", key, found(at))
	}
	return name
}

func (r *reader) pattern(n *yaml.Node) string {
	p := r.text(n, "a pattern of exclude")
	if _, err := path.Match(p, ""); err != nil {
		r.problem(n, "the pattern %s is malformed: use * within a path element, ** for any number of them", found(n))
	}
	return strings.TrimPrefix(p, "./")
}

// mapping returns the values of a mapping by key, after complaining about keys that are unknown or there twice. It returns
// nil if the node is no mapping.
func (r *reader) mapping(n *yaml.Node, what string, known ...string) map[string]*yaml.Node {
	n = resolved(n)
	if n.Kind != yaml.MappingNode {
		r.problem(n, "%s must be a mapping with the keys %s; found %s", what, strings.Join(known, ", "), found(n))
		return nil
	}
	keys := make(map[string]*yaml.Node)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case !slices.Contains(known, key.Value):
			r.problem(key, "unknown key %q in %s%s", key.Value, what, r.hint(key.Value, known))
		case keys[key.Value] != nil:
			r.problem(key, "the key %s stands in %s twice; the first is on line %d", key.Value, what, keys[key.Value].Line)
		default:
			keys[key.Value] = resolved(n.Content[i+1])
		}
	}
	return keys
}

func (r *reader) hint(word string, known []string) string {
	if hint := typo.Hint(word, known); hint != "" {
		return hint
	}
	return ": the keys are " + strings.Join(known, ", ")
}

// needs returns the value of a key that has to be there, or nil after complaining.
func (r *reader) needs(n *yaml.Node, keys map[string]*yaml.Node, what, key string) *yaml.Node {
	if keys[key] == nil {
		r.problem(n, "%s needs the key %s", what, key)
	}
	return keys[key]
}

// index reads the number of an argument.
func (r *reader) index(n *yaml.Node, keys map[string]*yaml.Node, what, key string) int {
	if at := r.needs(n, keys, what, key); at != nil {
		return r.number(at, key, 0)
	}
	return 0
}

// list returns the items of a list; a key that is absent or has no value is an empty list.
func (r *reader) list(n *yaml.Node, key string) []*yaml.Node {
	if n == nil || n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.problem(n, "%s must be a list; found %s", key, found(n))
		return nil
	}
	return n.Content
}

func (r *reader) text(n *yaml.Node, what string) string {
	n = resolved(n)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" || n.Value == "" {
		r.problem(n, "%s must be a text; found %s", what, found(n))
		return ""
	}
	return n.Value
}

func (r *reader) number(n *yaml.Node, what string, least int) int {
	n = resolved(n)
	v, err := strconv.Atoi(n.Value)
	if n.Kind != yaml.ScalarNode || n.Tag != "!!int" || err != nil || v < least {
		r.problem(n, "%s must be a number from %d; found %s", what, least, found(n))
		return least
	}
	return v
}

// resolved follows a YAML alias. The schema is a few levels deep, so that even an alias of itself comes to an end.
func resolved(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// found describes a node to somebody who wrote something else than was expected.
func found(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	}
	return strconv.Quote(n.Value)
}
