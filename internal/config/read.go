package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/retrylint/retrylint/internal/rules"
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
	values   []Value
}

// value notes what config print shows of a node.
func (r *reader) value(at *yaml.Node, key, text string) {
	r.values = append(r.values, Value{Key: key, Text: text, From: fmt.Sprintf("%s:%d", r.file, at.Line)})
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

// The keys of each mapping, in the order in which messages list them. The published schema has the same.
var (
	fileKeys     = []string{"version", "rules", "tests", "exclude", "paths", "platform", "retry", "helpers", "clients", "writes", "keys"}
	ruleKeys     = []string{"only", "enable", "disable", "max-attempts"}
	pathKeys     = append([]string{"path"}, ruleKeys...)
	helperKeys   = []string{"function", "operation", "attempts"}
	clientKeys   = []string{"type", "methods", "attempts"}
	writeKeys    = []string{"function", "key"}
	attemptsKeys = []string{"argument", "unit"}
)

func (r *reader) top(n *yaml.Node, c *Config, dir string) {
	keys := r.mapping(n, "the file", fileKeys)
	if keys == nil {
		return
	}
	r.version(n, keys["version"])
	c.scopes = []scope{{dir: dir}}
	r.filters(keys, &c.scopes[0])
	r.decisions(keys, &c.scopes[0])
	for _, item := range r.list(keys["helpers"], "helpers") {
		c.Helpers = append(c.Helpers, r.helper(item))
	}
	for _, item := range r.list(keys["clients"], "clients") {
		c.Clients = append(c.Clients, r.client(item))
	}
	for _, item := range r.list(keys["writes"], "writes") {
		c.Writes = append(c.Writes, r.write(item))
	}
	for _, item := range r.list(keys["keys"], "keys") {
		c.Keys = append(c.Keys, r.key(item))
	}
	c.values = r.values
}

// filters reads what is applied after a run.
func (r *reader) filters(keys map[string]*yaml.Node, s *scope) {
	if at := keys["rules"]; at != nil && at.Tag != "!!null" {
		s.rules = r.filter(r.mapping(at, "rules", ruleKeys), "rules.")
	}
	if at := keys["tests"]; at != nil {
		s.tests = r.boolean(at, "tests")
	}
	for _, item := range r.list(keys["exclude"], "exclude") {
		pattern := r.pattern(item, "a pattern of exclude")
		s.exclude = append(s.exclude, pattern)
		r.value(item, "exclude", pattern)
	}
	for _, item := range r.list(keys["paths"], "paths") {
		s.paths = append(s.paths, r.override(item))
	}
}

// filter reads the keys of rules; prefix is what config print puts before each.
func (r *reader) filter(keys map[string]*yaml.Node, prefix string) Filter {
	f := Filter{
		Only:    r.names(keys["only"], prefix+"only"),
		Enable:  r.names(keys["enable"], prefix+"enable"),
		Disable: r.names(keys["disable"], prefix+"disable"),
	}
	if at := keys["max-attempts"]; at != nil {
		f.MaxAttempts = r.number(at, "max-attempts", 1)
		r.value(at, prefix+"max-attempts", strconv.Itoa(f.MaxAttempts))
	}
	return f
}

// names reads a list of rule and rule.category.
func (r *reader) names(n *yaml.Node, key string) []rules.Name {
	var list []rules.Name
	for _, item := range r.list(n, key[strings.LastIndexByte(key, '.')+1:]) {
		text := r.text(item, "a rule")
		if text == "" {
			continue
		}
		name, err := rules.Parse(text)
		if err != nil {
			r.problem(item, "%v", err)
			continue
		}
		list = append(list, name)
		r.value(item, key, name.String())
	}
	return list
}

func (r *reader) override(n *yaml.Node) override {
	keys := r.mapping(n, "an entry of paths", pathKeys)
	at := r.needs(n, keys, "an entry of paths", "path")
	if at == nil {
		return override{}
	}
	pattern := r.pattern(at, "path")
	if len(keys) == 1 {
		r.problem(n, "the entry of paths for %s says nothing: add %s", pattern, strings.Join(ruleKeys, ", "))
	}
	return override{pattern, r.filter(keys, "paths["+pattern+"].")}
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
	keys := r.mapping(n, "a helper", helperKeys)
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
	r.value(n, "helpers", h.String())
	return h
}

func (r *reader) client(n *yaml.Node) Client {
	keys := r.mapping(n, "a client", clientKeys)
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
	r.value(n, "clients", c.String())
	return c
}

func (r *reader) write(n *yaml.Node) Write {
	keys := r.mapping(n, "a write", writeKeys)
	if keys == nil {
		return Write{}
	}
	w := Write{Function: r.symbol(n, keys, "a write", "function")}
	if at := keys["key"]; at != nil {
		w.Key = new(r.number(at, "key", 0))
	}
	r.value(n, "writes", w.String())
	return w
}

// key reads a name of idempotency keys. Case and separators don't count, so something else has to be there.
func (r *reader) key(n *yaml.Node) string {
	name := r.text(n, "a name of keys")
	if name != "" && !IsKey(name) {
		r.problem(n, "a name of keys must be that of a header, field or parameter; found %s", found(n))
	}
	r.value(n, "keys", name)
	return name
}

// IsKey reports whether a text can be a name of idempotency keys.
func IsKey(name string) bool { return nameOfKey.MatchString(name) }

var nameOfKey = regexp.MustCompile(`^[A-Za-z][-_.A-Za-z0-9]*$`)

// attempts reads 3, {argument: 2} or {argument: 2, unit: retries}.
func (r *reader) attempts(n *yaml.Node) Attempts {
	n = resolved(n)
	if n.Kind != yaml.MappingNode {
		return Attempts{Number: r.number(n, "attempts", 1)}
	}
	keys := r.mapping(n, "attempts", attemptsKeys)
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

func (r *reader) pattern(n *yaml.Node, what string) string {
	p := r.text(n, what)
	if _, err := path.Match(p, ""); err != nil {
		r.problem(n, "the pattern %s is malformed: use * within a path element, ** for any number of them", found(n))
	}
	return strings.TrimPrefix(p, "./")
}

// mapping returns the values of a mapping by key, after complaining about keys that are unknown or there twice. It returns
// nil if the node is no mapping.
func (r *reader) mapping(n *yaml.Node, what string, known []string) map[string]*yaml.Node {
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
	if keys != nil && keys[key] == nil {
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

func (r *reader) boolean(n *yaml.Node, what string) *bool {
	var v bool
	if n.Kind != yaml.ScalarNode || n.Tag != "!!bool" || n.Decode(&v) != nil {
		r.problem(n, "%s must be true or false; found %s", what, found(n))
		return nil
	}
	r.value(n, what, strconv.FormatBool(v))
	return &v
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
