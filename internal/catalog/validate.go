package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Validate reports everything that the schema's types can't express. Each problem names the file and the row.
func (l *Library) Validate() error {
	problems := []error{l.validateHead()}
	for i, policy := range l.Policies {
		problems = append(problems, l.inRow("policies", i, policy.Type, l.validatePolicy(policy)))
	}
	for i, function := range l.Functions {
		label := strings.Join(function.Names, ", ")
		problems = append(problems, l.inRow("functions", i, label, l.validateFunction(function)))
		problems = append(problems, l.inRow("functions", i, label, l.unreachable(i)))
	}
	return errors.Join(problems...)
}

func (l *Library) inRow(list string, index int, label string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s[%d] (%s): %w", l.file(), list, index, label, err)
}

func (l *Library) validateHead() error {
	for key, value := range map[string]string{"name": l.Name, "module": l.Module, "checked": l.Checked} {
		if value == "" {
			return fmt.Errorf("%s: %s is missing", l.file(), key)
		}
	}
	if len(l.Source) == 0 || slices.Contains(l.Source, "") {
		return fmt.Errorf("%s: source is missing", l.file())
	}
	if l.Module != "std" && !within(l.root, l.Module) && !within(l.Module, l.root) {
		return fmt.Errorf("%s: module %s isn't about the root", l.file(), l.Module)
	}
	return nil
}

// within tells whether the import path lies in the tree of another.
func within(importPath, tree string) bool {
	return importPath == tree || strings.HasPrefix(importPath, tree+"/")
}

func (l *Library) validatePolicy(policy *Policy) error {
	problems := []error{policy.validate(), validAttempts("default", policy.Default)}
	if policy.Type == "" {
		problems = append(problems, errors.New("type is missing"))
	}
	if policy.Default == "" || policy.Default == "default" {
		problems = append(problems, errors.New("default isn't stated"))
	}
	if _, err := time.ParseDuration(policy.Elapsed); policy.Elapsed != "" && err != nil {
		problems = append(problems, fmt.Errorf("elapsed: %w", err))
	}
	problems = append(problems, policy.Budget.validate(false))
	for i := range policy.Settings {
		problems = append(problems, policy.Settings[i].validate())
	}
	return errors.Join(problems...)
}

// counting are the units of settings that can decide the number of attempts, beside those of settings that can't.
var (
	counting = []string{"attempts", "retries", "elapsed", "off", "on", "policy", "grpc-service-config"}
	beside   = []string{"cap", "context", "asked", "budget", "silent", "jitter", "delay", "delays", "growing", "ceiling"}
)

// Counts reports whether a setting can decide the number of attempts.
func (s *Setting) Counts() bool { return slices.Contains(counting, s.Unit) }

func (s *Setting) validate() error {
	if s.Name == "" {
		return errors.New("a setting has no name")
	}
	err := errors.Join(
		s.Versions.validate(),
		oneOf("unit", s.Unit, slices.Concat(counting, beside)...),
		s.Budget.validate(s.Unit == "budget" || s.Unit == "grpc-service-config"),
		validAttempts("zero", s.Zero),
		validAttempts("negative", s.Negative),
	)
	if err != nil {
		return fmt.Errorf("setting %s: %w", s.Name, err)
	}
	return nil
}

// validate checks what bounds retries; where it is needed, it must be there.
func (b *Budget) validate(needed bool) error {
	switch {
	case b == nil && needed:
		return errors.New("budget isn't said")
	case b == nil:
		return nil
	case b.Name == "":
		return errors.New("a budget has no name")
	}
	return oneOf("kind of budget", b.Kind, "rate", "concurrency")
}

var attemptWords = []string{"", "unlimited", "elapsed", "caller", "default", "never", "error"}

func validAttempts(key string, value Attempts) error {
	if number, err := strconv.Atoi(string(value)); err == nil && number > 0 {
		return nil
	}
	return oneOf(key, string(value), attemptWords...)
}

func (v Versions) validate() error {
	for _, limit := range []string{v.Since, v.Before} {
		if limit != "" && !isVersion(limit) {
			return fmt.Errorf("%q is no version", limit)
		}
	}
	if v.Since != "" && v.Before != "" && compare(v.Since, v.Before) >= 0 {
		return errors.New("since isn't lower than before")
	}
	return nil
}

func (l *Library) validateFunction(function *Function) error {
	if len(function.Names) == 0 {
		return errors.New("names are missing")
	}
	problems := []error{
		function.Versions.validate(),
		function.validateKind(),
		oneOf("marks", function.Marks, "", "permanent", "retryable"),
		validSet(function.Sets),
		function.validateReceiver(),
	}
	for _, value := range function.values() {
		problems = append(problems, l.validateValue(value))
	}
	if function.Site != nil {
		problems = append(problems, function.Site.validate())
	}
	return errors.Join(problems...)
}

// validateKind finds rows that say nothing or two things at once.
func (f *Function) validateKind() error {
	kinds := len(f.values())
	if f.Marks != "" {
		kinds++
	}
	if len(f.Sets) > 0 && f.Returns == nil {
		kinds++
	}
	if kinds != 1 {
		return fmt.Errorf("%d of returns, option, sets, site and marks are set instead of one", kinds)
	}
	return nil
}

func (f *Function) values() []*Value {
	var stated []*Value
	if f.Returns != nil {
		stated = append(stated, f.Returns)
	}
	if f.Option != nil {
		stated = append(stated, f.Option)
	}
	if f.Site != nil {
		stated = append(stated, &f.Site.Value)
	}
	return stated
}

// validateReceiver finds functions without receiver that speak of one.
func (f *Function) validateReceiver() error {
	isFunction := func(name string) bool { return !strings.HasPrefix(name, "(") }
	if f.usesReceiver() && slices.ContainsFunc(f.Names, isFunction) {
		return errors.New("a function has no receiver")
	}
	return nil
}

func (f *Function) usesReceiver() bool {
	used := len(f.Sets) > 0 || f.Site != nil && f.Site.Context == "recv"
	for _, value := range f.values() {
		used = used || value.From == "recv" || value.Options == "recv"
		for _, source := range value.Set {
			used = used || source == "recv"
		}
	}
	return used
}

func (l *Library) validateValue(value *Value) error {
	return errors.Join(
		l.validatePolicyName(value),
		validPlace("from", value.From),
		validPlace("options", value.Options),
		validSet(value.Set),
		l.validateNew(value),
	)
}

// validateNew checks the policies that are named by "new T".
func (l *Library) validateNew(value *Value) error {
	for _, source := range value.Set {
		if typeName, ok := strings.CutPrefix(string(source), "new "); ok && !l.hasPolicy(typeName) {
			return fmt.Errorf("policy %q isn't listed", typeName)
		}
	}
	return nil
}

// validatePolicyName checks that the policy is listed, here or, when written with the full path, in its own file.
func (l *Library) validatePolicyName(value *Value) error {
	if l.hasPolicy(value.Policy) {
		return l.validateSettingNames(value)
	}
	importPath, typeName, ok := splitPath(value.Policy)
	if other := For(importPath); ok && other != nil && other.root != l.root {
		return other.validateForeign(&Value{Policy: other.Relative(importPath, typeName), Set: value.Set})
	}
	if first, _, isPath := strings.Cut(importPath, "/"); ok && isPath && strings.Contains(first, ".") {
		return nil // a full path that has no file so far
	}
	return fmt.Errorf("policy %q isn't listed", value.Policy)
}

// validateForeign checks a value that a row of another library describes.
func (l *Library) validateForeign(value *Value) error {
	if l.hasPolicy(value.Policy) {
		return l.validateSettingNames(value)
	}
	if l.Policy(value.Policy, "") == nil {
		return fmt.Errorf("policy %q isn't listed in %s", value.Policy, l.file())
	}
	return nil
}

func (l *Library) hasPolicy(typeName string) bool {
	return slices.ContainsFunc(l.Policies, func(policy *Policy) bool { return policy.Type == typeName })
}

// splitPath takes net/http.Client apart.
func splitPath(name string) (importPath, typeName string, ok bool) {
	dot := strings.LastIndex(name, ".")
	if dot < 0 {
		return "", name, false
	}
	return name[:dot], name[dot+1:], true
}

// validateSettingNames finds misspelt names in set.
func (l *Library) validateSettingNames(value *Value) error {
	for name := range value.Set {
		knows := func(policy *Policy) bool { return policy.Type == value.Policy && policy.knows(name) }
		if !slices.ContainsFunc(l.Policies, knows) {
			return fmt.Errorf("policy %s has no setting %s", value.Policy, name)
		}
	}
	return nil
}

func (p *Policy) knows(setting string) bool {
	named := func(s Setting) bool { return s.Name == setting }
	return slices.ContainsFunc(p.Settings, named) || slices.Contains(p.Outer, setting) || slices.Contains(p.Inner, setting)
}

func validSet(set map[string]Source) error {
	for name, source := range set {
		if source == "" || !isConstant(string(source)) && validPlace(name, source) != nil {
			return fmt.Errorf("%s: %q is no source", name, source)
		}
	}
	return nil
}

func isConstant(source string) bool {
	_, err := strconv.Atoi(source)
	return err == nil || source == "true" || source == "false" || strings.HasPrefix(source, "new ")
}

// validPlace accepts sources that are values of the program, not constants.
func validPlace(key string, source Source) error {
	if source == "" || source == "recv" || isArgument(string(source)) {
		return nil
	}
	return fmt.Errorf("%s: %q is neither recv nor an argument", key, source)
}

func isArgument(word string) bool {
	number, ok := strings.CutPrefix(word, "arg")
	_, err := strconv.ParseUint(number, 10, 8)
	return ok && err == nil
}

func (s *Site) validate() error {
	return errors.Join(
		validOperation(s.Operation),
		validAsks(s.Asks),
		oneOf("repeats", s.Repeats, "", "all", "marked", "unmarked", "conflict", "false", "true"),
		oneOf("role", s.Role, "", "retry", "poll", "tick", "worker", "reconnect", "cas", "hedge", "other"),
		validContext(s.Context),
		oneOf("waits", s.Waits, "", "watched", "ignored", "none"),
		oneOf("errors", s.Errors, "", "connection"),
	)
}

func validOperation(operation string) error {
	place, _, hasMember := strings.Cut(operation, ".")
	if isArgument(place) || place == "recv" && hasMember {
		return nil
	}
	return oneOf("operation", operation, "request", "loop", "result")
}

func validAsks(asks string) error {
	if asks == "" || isArgument(asks) {
		return nil
	}
	return fmt.Errorf("asks: %q is no argument", asks)
}

func validContext(context string) error {
	if isArgument(context) {
		return nil
	}
	return oneOf("context", context, "", "recv", "request", "policy", "none")
}

func oneOf(key, word string, known ...string) error {
	if slices.Contains(known, word) {
		return nil
	}
	return fmt.Errorf("%s: %q isn't known", key, word)
}

// unreachable finds a row that an earlier one for all versions hides.
func (l *Library) unreachable(index int) error {
	for _, earlier := range l.Functions[:index] {
		if earlier.Versions != (Versions{}) {
			continue
		}
		for _, name := range l.Functions[index].Names {
			if slices.Contains(earlier.Names, name) {
				return fmt.Errorf("an earlier row takes %s", name)
			}
		}
	}
	return nil
}
