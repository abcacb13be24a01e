package callgraph

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// in returns the tail in the terms of a caller.
func (t Tail) in(frame value.Frame) Tail { return t.with(frame.Substitute) }

// with returns the tail with f of each of its terms.
func (t Tail) with(f func(value.Term) value.Term) Tail {
	c := t
	c.Callee = f(t.Callee)
	c.Args = make([]value.Term, len(t.Args))
	for i, a := range t.Args {
		c.Args[i] = f(a)
	}
	if t.Then != nil {
		then := t.Then.with(f)
		c.Then = &then
	}
	if t.Site != nil && t.Site.Keeper.Known() {
		site := *t.Site
		site.Keeper, site.Gate = f(site.Keeper), f(site.Gate)
		c.Site = &site
	}
	return c
}

// suppliedIn reports whether the caller gives the function that is executed: the callee itself, or one that is handed on to the
// callee, and which one it is. A value with methods, such as a client, is no such function.
func (t Tail) suppliedIn(after Tail) (operation value.Term, ok bool) {
	if t.Method == "" && t.Callee.Open() && callable(t.Callee) && !callable(after.Callee) {
		return after.Callee, true
	}
	for i, a := range t.Args {
		if isOpen(a) && after.Args[i].Kind == value.Func {
			return after.Args[i], true
		}
	}
	return value.Term{}, false
}

// handsOn reports whether the function that is executed, or one handed on to it, may still be given by a caller: it is a
// parameter, or a literal that executes one.
func (t Tail) handsOn() bool {
	if givenFromOutside(t.Callee) {
		return true
	}
	for _, a := range t.Args {
		if a.Kind == value.Func && a.Open() || isOpen(a) && a.Name != "" {
			return true
		}
	}
	return false
}

// givenFromOutside reports whether a function value, or one of several that it may be, is given by a caller or executes what is.
func givenFromOutside(callee value.Term) bool {
	if !callee.Open() {
		return false
	}
	alternatives := callee.Args
	switch callee.Kind {
	case value.Func:
		return true
	case value.Cond:
		alternatives = callee.Args[1:]
	case value.Either:
	default:
		return callable(callee)
	}
	return slices.ContainsFunc(alternatives, givenFromOutside)
}

// settle marks hops as sites of the function that they stand in, whatever callers give.
func settle(hops []Hop) {
	for i := range hops {
		hops[i].Settled = true
	}
}

func isOpen(t value.Term) bool { return t.Kind == value.Param || t.Kind == value.Free }

// completeAt notes who gives the value whose method is repeated: only there the chain is known.
func completeAt(hops []Hop, at *Hop) {
	for i := range hops {
		if at != nil && hops[i].completed == "" {
			hops[i].completed = at.Owner
		}
	}
}

// takeOver makes the sites of a helper sites of the function that supplies the operation. It returns those that multiply.
func (c *composer) takeOver(hops []Hop, operation value.Term, at *Hop) []Hop {
	var left []Hop
	for _, h := range hops {
		role := sites.Retry
		if c.waitsForState(h, operation) {
			role = sites.Poll
		}
		h = c.takenOver(h, role, at)
		if role == sites.Retry {
			left = append(left, h)
		}
	}
	return left
}

func (c *composer) takenOver(h Hop, role sites.Role, at *Hop) Hop {
	if at == nil || h.Kind == "client" || h.Settled {
		return h
	}
	own := *at
	if own.Helper = h.Helper; own.Helper == "" {
		own.Helper = fmt.Sprintf("%s:%d", h.File, h.Line)
	}
	own.Attempts, own.Unlimited, own.Bounded, own.Counter = h.Attempts, h.Unlimited, h.Bounded, h.Counter
	own.Keeper, own.Gate, own.GateEnds, own.Repeats, own.Sees = h.Keeper, h.Gate, h.GateEnds, h.Repeats, h.Sees
	own.Policy, own.Library, own.Version = h.Policy, h.Library, h.Version
	own.accept(h.Accepted)
	c.take(own, role)
	return own
}

// follow returns the paths that a tail goes on to, or the tail itself while it isn't known.
func (c *composer) follow(t Tail, at *Hop) []Path {
	if c.followed++; c.following >= c.limits.follow || c.followed > c.limits.followed {
		return nil
	}
	c.following++
	defer func() { c.following-- }()
	if t.Site != nil {
		return c.followSite(t, at)
	}
	switch t.Callee.Kind {
	case value.Func:
		return c.followFunction(t, at)
	case value.Either, value.Cond:
		return c.followAlternatives(t, at)
	case value.Global:
		if len(t.Callee.Args) > 0 {
			return c.followAlternatives(t, at)
		}
	case value.Record:
		if t.Method != "" {
			return c.followMethod(t, at)
		}
		if from, ok := t.Callee.Get(value.From); ok { // a function with a named type
			t.Callee = from
			return c.follow(t, at)
		}
	}
	if callable(t.Callee) && t.Callee.Open() && t.Callee.Size() < maxTail {
		if t.at == nil {
			t.at = at
		}
		return []Path{{Tail: &t, Fails: fault.Of(fault.Tail)}}
	}
	return c.followReference(t, at)
}

// followReference follows what a reference stands for. The way ends where it enters the same slot again: an instance that
// holds itself is made by merging.
func (c *composer) followReference(t Tail, at *Hop) []Path {
	if !isReference(t.Callee) {
		return nil
	}
	known := c.alsoArriving(c.resolve(t.Callee), t.Callee, t.iface)
	words := ""
	if known.Kind == t.Callee.Kind {
		ok := false
		if known, words, ok = c.assume(t.Callee); !ok {
			return nil
		}
	}
	if slot := slotFor(t.Callee); slot != "" {
		if c.entered[slot] {
			return nil
		}
		c.entered[slot] = true
		defer delete(c.entered, slot)
	}
	t.Callee = known
	return assuming(c.follow(t, at), words)
}

// assuming notes an assumption at the first site that it leads to.
func assuming(paths []Path, words string) []Path {
	if words == "" {
		return paths
	}
	for i, path := range paths {
		if len(path.Hops) > 0 {
			paths[i].Hops = append([]Hop(nil), path.Hops...)
			paths[i].Hops[0].Assumed = words
		}
	}
	return paths
}

// callable reports whether a term can turn out to be a function, or a value with methods.
func callable(t value.Term) bool {
	switch t.Kind {
	case value.Param, value.Free, value.Field, value.Result:
		return true
	case value.Op:
		return t.Name == "apply" // a field that options may set
	}
	return false
}

const maxTail = 120

// narrow is the number of functions up to which a value that may be each of them is followed behind another such value.
const narrow = 8

func (c *composer) followAlternatives(t Tail, at *Hop) []Path {
	args := t.Callee.Args
	if t.Callee.Kind == value.Cond {
		args = args[1:]
	}
	if len(args) > narrow {
		return c.followFamily(t, args, at)
	}
	var list []Path
	for i, a := range args {
		if i == c.limits.alternatives {
			break
		}
		alt := t
		alt.Callee = a
		list = append(list, c.follow(alt, at)...)
	}
	return list
}

// followFamily follows a value that may be any of many: a plugin, one of all handlers. Of the methods of such values it isn't asked who
// calls which with what: what lies below is the same for all callers, and found once.
func (c *composer) followFamily(t Tail, members []value.Term, at *Hop) []Path {
	if c.wide > 0 {
		return nil // anything behind anything: no way that somebody has in mind
	}
	c.wide++
	defer func() { c.wide-- }()
	if t.Method == "" {
		return c.followMembers(t, members, at)
	}
	t.Args = make([]value.Term, len(t.Args))
	key := familyKey(t, members)
	f := c.families[key]
	if f == nil {
		f = &family{}
		c.families[key] = f
	}
	if f.known {
		return f.paths
	}
	cut := c.cut
	c.cut = false
	f.paths = c.followMembers(t, members, at)
	f.tries++
	f.known = !c.cut || f.tries == maxTries
	c.cut = cut || c.cut
	return f.paths
}

// A family is what lies below a method of many types. It isn't known yet if recursion was cut on the way to it, as in inquiries.
type family struct {
	paths []Path
	known bool
	tries int
}

func familyKey(t Tail, members []value.Term) string {
	var b strings.Builder
	b.WriteString(t.Method + " " + t.Repeats + " " + t.Library)
	for _, m := range members {
		b.WriteString(" " + m.Name)
	}
	return b.String()
}

// followMembers returns the paths of a member in the middle: as many repeat less than it does as repeat more. What only the minority of
// a family repeats says little of the caller, who has some member in mind.
func (c *composer) followMembers(t Tail, members []value.Term, at *Hop) []Path {
	var repeating [][]Path
	for i, m := range members {
		if i == c.limits.alternatives {
			break
		}
		alt := t
		alt.Callee = m
		if t.Method != "" && m.Kind == value.Record {
			alt.Callee = value.Term{Kind: value.Record, Name: m.Name}
		}
		if paths := c.prune(narrowOnes(c.follow(alt, at))); len(paths) > 0 {
			repeating = append(repeating, paths)
		}
	}
	middle := len(repeating) - (len(members) - len(members)/2)
	if middle < 0 {
		return nil
	}
	sort.SliceStable(repeating, func(i, j int) bool { return heaviest(repeating[i]) < heaviest(repeating[j]) })
	return repeating[middle]
}

func heaviest(paths []Path) int {
	most := 0
	for _, path := range paths {
		most = max(most, weight(path))
	}
	return most
}

// narrowOnes keeps the paths that have not led through a family before, and notes that they do now.
func narrowOnes(paths []Path) []Path {
	var list []Path
	for _, path := range paths {
		if !path.wide && len(path.Hops) > 0 {
			path.wide = true
			list = append(list, path)
		}
	}
	return list
}

func (c *composer) followFunction(t Tail, at *Hop) []Path {
	if receiver, method, rest, ok := invocation(t.Callee, t.Args); ok {
		t.Callee, t.Method, t.Args = receiver, method, rest
		return c.follow(t, at)
	}
	params, free := bind(t.Callee, t.Args)
	if body := c.body(t.Callee.Name); body != nil {
		c.executed[body.ID] = c.executed[body.ID] || c.inside > 0
		return c.instantiate(c.repeated(body, t.Repeats, t.Library), c.frame(params, free), at)
	}
	var paths []Path
	for _, path := range c.pathsOf(t.Callee.Name) {
		asked := path.asking(booleanWord(t.Repeats))
		if len(path.Hops) == 0 && booleanWord(t.Repeats) != "" {
			asked.Fails = c.tailFailures(t, 0)
		}
		paths = append(paths, asked)
	}
	return c.instantiate(paths, c.frame(params, free), at)
}

// repeated returns the paths of a function through calls whose failure a site around repeats.
func (c *composer) repeated(body *Body, repeats, library string) []Path {
	if repeats == "" || repeats == "all" {
		return c.Paths(body.ID)
	}
	if c.open[body.ID] {
		return nil
	}
	c.open[body.ID] = true
	defer delete(c.open, body.ID)
	return c.compute(body, repeats, library)
}

func (c *composer) followMethod(t Tail, at *Hop) []Path {
	place, call := Hop{}, at
	if call == nil {
		call = t.at
	}
	if call != nil {
		place = *call
		place.Kind, place.Label = "", ""
	}
	if paths, ok := c.layerPaths(t.Callee, t.Method, place, at); ok {
		return paths
	}
	if part, declared, ok := c.embedded(t.Callee, t.Method); ok {
		if c.isClient(declared, t.Method) {
			part = record(part, declared) // whatever made it, its library says what it repeats
		}
		t.Callee = part
		return c.follow(t, at)
	}
	id := c.methodID(t.Callee, t.Method)
	if id == "" {
		return nil
	}
	own := t
	own.Callee = value.Term{Kind: value.Func, Name: id, Names: []string{bound}, Args: []value.Term{t.Callee}}
	own.Method = ""
	return c.followFunction(own, at)
}
