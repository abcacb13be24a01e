package callgraph

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/retrylint/retrylint/internal/catalog"
	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/value"
)

// Count returns the number of total attempts of a hop, and how it came about, in a few words.
func (c *composer) Count(h Hop) (n count.Count, why string) {
	switch {
	case h.Kind == "connection":
		return count.Of(1), ""
	case c.gated(h):
		return count.Of(1), "its classifier never allows another attempt"
	case h.Policy != "":
		return c.policyCount(h)
	case h.Unlimited && h.Bounded == "elapsed":
		return count.Count{Kind: count.Symbol, Text: "n", Bounded: "elapsed"}, "n: as many as fit into its time limit"
	case h.Unlimited && h.Bounded == "waiter":
		return count.Count{Kind: count.Symbol, Text: "n", Bounded: "waiter"}, "n: until it refuses to wait for another"
	case h.Unlimited:
		return count.Infinite(h.Bounded), ends(h.Bounded)
	}
	t := c.close(h.Attempts)
	n = number(t)
	switch {
	case t.Kind == value.Until:
		return n, "its policy decides"
	case n.Kind == count.Unlimited && h.Bounded != "" && h.Bounded != "counter":
		n.Bounded = h.Bounded
	case n.Bounded == "":
		n.Bounded = h.Bounded
	}
	return n, whyEnds(n)
}

// whyEnds explains a number that a policy doesn't bound.
func whyEnds(c count.Count) string {
	switch {
	case c.Kind == count.Unlimited:
		return ends(c.Bounded)
	case c.Kind == count.Symbol && c.Bounded == "elapsed" && c.Text == "n":
		return "n: as many as fit into its time limit"
	}
	return ""
}

// gated reports whether a classifier that is given, or its absence, always ends the repetitions.
func (c *composer) gated(h Hop) bool {
	if !h.GateEnds.Any() {
		return false
	}
	if answer, known := c.close(h.Gate).IsBool(); known && h.GateEnds.After(answer) {
		return true
	}
	keeper := c.close(h.Keeper)
	return h.GateEnds.Nil && (keeper.Kind == value.Nil || keeper.Kind == value.Zero)
}

func ends(bounded string) string {
	switch bounded {
	case "context":
		return "until its context is done"
	case "signal":
		return "until it is told to stop"
	}
	return "without an end"
}

// number reads a term as a count.
func number(t value.Term) count.Count {
	if n, ok := t.IsInt(); ok {
		return count.Of(max(n, 0))
	}
	switch t.Kind {
	case value.Symbol:
		if len(t.Args) == 1 {
			if n, ok := t.Args[0].IsInt(); ok {
				return count.WithDefault(t.Name, n)
			}
		}
		return count.Named(t.Name)
	case value.Cond:
		if isSwitch(t) {
			return number(t.Args[1])
		}
		return alternatives(t.Args[1:])
	case value.Either:
		return alternatives(t.Args)
	case value.Op:
		return arithmetic(t)
	case value.Endless:
		if t.Name == "elapsed" {
			return count.Count{Kind: count.Symbol, Text: "n", Bounded: "elapsed"}
		}
		return count.Infinite(t.Name)
	case value.Global:
		if len(t.Args) == 1 {
			held := t.Args[0]
			if held.Kind == value.Symbol && len(held.Args) == 1 {
				held = held.Args[0] // the variable has a name
			}
			if n, ok := held.IsInt(); ok {
				return count.WithDefault(t.Text(), n)
			}
		}
	}
	if text := t.Text(); text != "" {
		return count.Named(text)
	}
	return count.Count{}
}

// isSwitch reports whether t is one attempt if a boolean that isn't known switches repetitions off: that is no default of the
// number it is otherwise.
func isSwitch(t value.Term) bool {
	cond, off := t.Args[0], t.Args[2]
	if cond.Kind == value.Op && cond.Name == "!" {
		cond = cond.Args[0]
	}
	n, isNumber := off.IsInt()
	return cond.Kind != value.Op && isNumber && n == 1
}

// alternatives counts a value that a condition decides: the largest of several numbers, or a symbol with the number that
// takes its place as default.
func alternatives(alts []value.Term) count.Count {
	var best, symbol count.Count
	for _, a := range alts {
		c := number(a)
		if c.Kind == count.Symbol {
			symbol = c
		} else if c.More(best) {
			best = c
		}
	}
	switch {
	case symbol.Kind == count.Symbol && !symbol.HasDefault && best.Kind == count.Number && best.N > 0: // zero attempts are no default
		return count.WithDefault(symbol.Text, best.N)
	case symbol.Kind == count.Symbol:
		return symbol
	}
	return best
}

// arithmetic counts a sum or product of symbols: the default is computed from theirs.
func arithmetic(t value.Term) count.Count {
	if t.Name == "min" {
		if n, ok := ceiling(t.Args); ok {
			return count.Of(n)
		}
	}
	defaults := make([]value.Term, len(t.Args))
	complete := true
	for i, a := range t.Args {
		n, ok := number(a).Value()
		defaults[i], complete = value.Number(n), complete && ok
	}
	if t.Name == "apply" {
		return count.Named(t.Names[1])
	}
	if !complete {
		return count.Named(t.Text())
	}
	n, ok := value.Operation(t.Name, defaults...).IsInt()
	if !ok {
		return count.Named(t.Text())
	}
	return count.WithDefault(t.Text(), n)
}

// ceiling returns the smallest number among args: a count is a maximum, so what isn't known can't make it larger.
func ceiling(args []value.Term) (n int64, ok bool) {
	for _, a := range args {
		if m, isInt := a.IsInt(); isInt && (!ok || m < n) {
			n, ok = m, true
		}
	}
	return n, ok
}

// policyCount reads the number of attempts off a policy value, as the catalogue says.
func (c *composer) policyCount(h Hop) (count.Count, string) {
	policy := policyOf(&h)
	if policy == nil {
		return count.Count{}, ""
	}
	return c.countOf(c.close(h.Attempts), policy, h, 0)
}

func (c *composer) countOf(t value.Term, policy *catalog.Policy, h Hop, depth int) (count.Count, string) {
	for _, s := range policy.Settings {
		v, ok := setting(t, s.Name)
		if !ok || !covers(policy, s, h.Version) {
			continue
		}
		if n, why, decides := c.settingCount(v, s, h, depth); decides {
			return n, why
		}
	}
	if from, unknown := madeElsewhere(t); unknown && h.Kind == "library-call" {
		return elsewhere(from)
	}
	if policy.Default == "caller" && depth < 4 {
		if own := ownPolicy(t, policy, h.Version); own != nil {
			return c.countOf(t, own, h, depth+1)
		}
		return elsewhere(t)
	}
	return defaultCount(policy, h)
}

// elsewhere counts a policy value that is made where this package doesn't see.
func elsewhere(t value.Term) (count.Count, string) {
	if name := origin(t).Text(); name != "" {
		return count.Named(name), "as many as that policy allows"
	}
	return count.Count{}, "its policy isn't known here"
}

func covers(policy *catalog.Policy, s catalog.Setting, version string) bool {
	row := policy.Setting(s.Name, version)
	return row != nil && row.Name == s.Name && row.Versions == s.Versions
}

// ownPolicy is the policy of the type that a value has itself, where a site takes any implementation of an interface.
func ownPolicy(t value.Term, policy *catalog.Policy, version string) *catalog.Policy {
	for depth := 0; depth < 8 && t.Kind == value.Record; depth++ {
		if lib := libraryOf(t.Name); lib != nil {
			if own := policyNamed(lib, t.Name, version); own != nil && own != policy && own.Default != "caller" {
				return own
			}
		}
		from, ok := t.Get(value.From)
		if !ok {
			return nil
		}
		t = from
	}
	return nil
}

// unresolved reports whether a value comes from where this package doesn't see: a policy that was made elsewhere need not
// have the library's default.
func unresolved(t value.Term) bool {
	switch t.Kind {
	case value.Field, value.Param, value.Free:
		return true
	case value.Unknown, value.Global:
		return t.Name != "" && len(t.Args) == 0
	}
	return false
}

// madeElsewhere returns what a policy value was made from if that is made where this package doesn't see; of alternatives, the
// first that is.
func madeElsewhere(t value.Term) (value.Term, bool) {
	t = origin(t)
	alternatives := t.Args
	switch t.Kind {
	case value.Cond:
		alternatives = t.Args[1:]
	case value.Either:
	default:
		return t, unresolved(t)
	}
	for _, alternative := range alternatives {
		if from, unknown := madeElsewhere(alternative); unknown {
			return from, true
		}
	}
	return t, false
}

// origin is the value that a policy value was made from.
func origin(t value.Term) value.Term {
	for depth := 0; depth < 8; depth++ {
		from, ok := t.Get(value.From)
		if t.Kind != value.Record || !ok {
			break
		}
		t = from
	}
	return t
}

// setting returns what a policy value says of a setting, nested ones by a dotted name.
func setting(t value.Term, name string) (value.Term, bool) {
	v := t
	for name != "" {
		var part string
		part, name, _ = cut(name)
		v = value.Select(v, part)
	}
	return v, isSet(v)
}

// isSet reports whether a setting has been given a value, known or not.
func isSet(v value.Term) bool {
	switch v.Kind {
	case value.Zero, value.Field, value.Nil:
		return false
	case value.Unknown:
		return v.Name != "" // it is set, to something
	case value.Either:
		return slices.ContainsFunc(v.Args, isSet)
	case value.Cond:
		return isSet(v.Args[1]) || isSet(v.Args[2])
	}
	return true
}

func cut(name string) (first, rest string, found bool) {
	for i := range name {
		if name[i] == '.' {
			return name[:i], name[i+1:], true
		}
	}
	return name, "", false
}

// settingCount reads one setting by its unit. It doesn't decide if the setting says: as if not set.
func (c *composer) settingCount(v value.Term, s catalog.Setting, h Hop, depth int) (n count.Count, why string, decides bool) {
	if !s.Counts() {
		return n, "", false
	}
	switch s.Unit {
	case "off", "on":
		b, ok := v.IsBool()
		if ok && b == (s.Unit == "off") {
			return count.Of(1), spelling(s, h).Name + " switches retries off", true
		}
		return n, "", false
	case "policy":
		return c.nestedPolicy(v, h, depth)
	case "elapsed":
		if set, ok := v.IsInt(); ok && set == 0 && s.Zero != "" {
			return wordCount(s.Zero, s, h, set)
		}
		return n, "", false
	case "grpc-service-config":
		if v.Kind != value.String {
			return n, "", false
		}
		most, ok := catalog.GRPCAttempts(v.Name)
		return count.Of(most), "maxAttempts in its service config", ok
	}
	return unitCount(v, s, h)
}

// spelling is how code writes a setting of the policy of h.
func spelling(s catalog.Setting, h Hop) catalog.Spelling {
	lib := libraryOf(h.Policy)
	if lib == nil {
		return catalog.Spelling{Name: s.Name}
	}
	return lib.Spelling(relativeTo(lib, h.Policy), s.Name, h.Version)
}

// nestedPolicy counts a setting that is a policy value itself.
func (c *composer) nestedPolicy(v value.Term, h Hop, depth int) (count.Count, string, bool) {
	lib := libraryOf(v.Name)
	if v.Kind != value.Record || lib == nil || depth > 4 {
		return count.Count{}, "", false
	}
	policy := policyNamed(lib, v.Name, h.Version)
	if policy == nil {
		return count.Count{}, "", false
	}
	inner := h
	inner.Library, inner.Policy = lib.Root(), v.Name
	n, why := c.countOf(v, policy, inner, depth+1)
	return n, why, true
}

func unitCount(v value.Term, s catalog.Setting, h Hop) (count.Count, string, bool) {
	n, isInt := v.IsInt()
	if !isInt {
		c := number(v)
		if s.Unit == "retries" {
			c = plusOne(c)
		}
		return c, spelling(s, h).Counts(s), c.Kind != count.Unknown
	}
	switch {
	case n == 0 && s.Zero != "":
		return wordCount(s.Zero, s, h, n)
	case n < 0 && s.Negative != "":
		return wordCount(s.Negative, s, h, n)
	}
	total := n
	if s.Unit == "retries" {
		total = n + 1
	}
	total = max(total, 0)
	if s.Max > 0 && total > int64(s.Max) {
		return count.Of(int64(s.Max)), spelling(s, h).Counted(s, n, fmt.Sprintf("%d, the largest number that is allowed", s.Max)), true
	}
	return count.Of(total), spelling(s, h).Counted(s, n, strconv.FormatInt(total, 10)), true
}

func plusOne(c count.Count) count.Count {
	switch c.Kind {
	case count.Symbol:
		c.Text += " + 1"
		if c.HasDefault {
			c.N++
		}
	case count.Number:
		c.N++
	}
	return c
}

// wordCount reads what the catalogue says of zero or negative values.
func wordCount(a catalog.Attempts, s catalog.Setting, h Hop, n int64) (count.Count, string, bool) {
	if a == "default" {
		return count.Count{}, "", false
	}
	c, ok := attemptsCount(a)
	if !ok {
		return count.Count{}, "", false
	}
	return c, spelling(s, h).Counted(s, n, made(c)), true
}

// made is a count after the word makes.
func made(c count.Count) string {
	switch {
	case c.Kind == count.Unlimited:
		return "unlimited attempts"
	case c.Bounded == "elapsed":
		return "n: as many as fit into its time limit"
	case c.Kind == count.Number && c.N == 0:
		return "0: it is never executed"
	}
	return c.String()
}

// attemptsCount reads a number or word of the catalogue.
func attemptsCount(a catalog.Attempts) (count.Count, bool) {
	if n, err := strconv.ParseInt(string(a), 10, 64); err == nil {
		return count.Of(n), true
	}
	switch a {
	case "unlimited":
		return count.Infinite(""), true
	case "elapsed":
		return count.Count{Kind: count.Symbol, Text: "n", Bounded: "elapsed"}, true
	case "never", "error":
		return count.Of(0), true
	}
	return count.Count{}, false
}

func defaultCount(policy *catalog.Policy, h Hop) (count.Count, string) {
	c, ok := attemptsCount(policy.Default)
	if !ok {
		return count.Count{}, ""
	}
	if lib := libraryOf(h.Policy); lib != nil && lib.Partial {
		return c, "as the configuration of retrylint says"
	}
	if policy.Default == "elapsed" {
		return c, "n: as many as fit into " + limit(policy)
	}
	if c.Kind == count.Unlimited {
		return c, "no limit by default"
	}
	return c, "its default"
}

func limit(policy *catalog.Policy) string {
	if policy.Elapsed == "" {
		return "its time limit"
	}
	return policy.Elapsed
}
