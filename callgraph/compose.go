package callgraph

import (
	"github.com/retrylint/retrylint/internal/fault"
	"github.com/retrylint/retrylint/internal/sites"
	"github.com/retrylint/retrylint/internal/value"
)

// A composer makes paths out of what bodies do: one algorithm for the functions of a package and for those of a program.
type composer struct {
	world
	paths      map[string][]Path
	open       map[string]bool // functions whose paths are being computed
	cut        bool            // recursion was cut while paths were computed
	recomputed int
	depth      int               // of paths that are instantiated
	asking     int               // of policies that ask policies
	following  int               // dynamic calls that are being followed
	followed   int               // dynamic calls that were followed
	calls      map[string][]edge // by the function that is called
	executed   map[string]bool   // functions executed as values: whether inside of a site
	inside     int               // sites around the call that is followed
	callers    map[string][]*Call
	entered    map[string]bool // slots on the way
	wide       int             // values on the way that may be many functions
	families   map[string]*family
	limits     limits
}

// A world is what a composer composes.
type world interface {
	// body returns what a function does, nil if that isn't known.
	body(id string) *Body
	// pathsOf returns the paths of a function that has no body here.
	pathsOf(id string) []Path
	// bodyIDs lists the functions with a body, in a fixed order.
	bodyIDs() []string
	// close describes a value for a reader outside of its function.
	close(t value.Term) value.Term
	// resolve finds out what a reference stands for; what it is made of may stay references.
	resolve(t value.Term) value.Term
	// alsoArriving adds to what a reference t is known to stand for what else can arrive there, for a call of an interface's method.
	alsoArriving(known, t value.Term, iface string) value.Term
	// assume returns the value that a reference is assumed to stand for if nothing is known of it, with the assumption in words.
	assume(t value.Term) (assumed value.Term, words string, ok bool)
	// entries returns the frames in which a function is looked at by itself.
	entries(body *Body) []value.Frame
	// frame returns the frame of a call with the given arguments and captured variables.
	frame(params, free []value.Term) value.Frame
	// methodID identifies the method of the type that a Record has, "" if it isn't known.
	methodID(receiver value.Term, name string) string
	// embedded returns the embedded field of a Record that a method is promoted from, and the type that the field is declared with.
	embedded(receiver value.Term, name string) (part value.Term, declared string, ok bool)
	// version returns the version of the module that a package belongs to, or "".
	version(importPath string) string
	// leadsOutward reports whether a failure of the call makes its function return something that a site around the function
	// repeats on (outcome.go).
	leadsOutward(c *Call, repeats, library string) bool
	// outward describes what the function of a call returns after the call failed with given, as far as a site that executes
	// the function repeats on it.
	outward(call *Call, given fault.Set, repeats, library string) fault.Set
	// giveUp notes on hops, the sites around a call, what they see of an inner path, and returns what the function returns once
	// the outermost of them has given up.
	giveUp(hops []Hop, call *Call, inner fault.Set) fault.Set
	// failuresOfCall describes what a call returns if it fails.
	failuresOfCall(call *Call) fault.Set
	// failuresNamed describes the errors that a function returns; repeats is a boolean that it returns beside them, or "".
	failuresNamed(id, repeats string) fault.Set
	// endsOf tells how often a function, as a policy, is asked until it stops.
	endsOf(id string) []sites.End
	// casesNamed tells what a classifier answers about an error.
	casesNamed(id string) fault.Cases
	// statesNamed lists the errors by which a function tells a state.
	statesNamed(id string) []string
	// take notes that a hop is a site of the function that supplies its operation, and its role there.
	take(h Hop, role sites.Role)
}

// An edge is a call that was followed while paths were computed.
type edge struct {
	caller string
	inside bool // of a site that multiplies
}

func newComposer(w world) *composer {
	return &composer{
		world: w, paths: map[string][]Path{}, open: map[string]bool{}, executed: map[string]bool{}, entered: map[string]bool{},
		calls: map[string][]edge{}, families: map[string]*family{}, limits: packageLimits,
	}
}

// Paths returns the paths through a function, in terms of its parameters.
func (c *composer) Paths(id string) []Path {
	if list, ok := c.paths[id]; ok {
		return list
	}
	body := c.body(id)
	if body == nil {
		return c.pathsOf(id)
	}
	if c.open[id] {
		c.cut = true
		return nil // recursion among functions ends here
	}
	c.open[id] = true
	inside, cut, followed := c.inside, c.cut, c.followed
	c.inside, c.cut = 0, false
	if c.limits.eachBody {
		c.followed = 0
	}
	list := c.compute(body, "", "")
	if c.limits.eachBody {
		c.followed = followed
	}
	delete(c.open, id)
	if !c.cut || len(c.open) == 0 || c.recomputed > c.limits.recomputed {
		c.paths[id] = list
	}
	c.recomputed++
	c.inside, c.cut = inside, cut || c.cut && len(c.open) > 0
	return list
}

// limits bound the work: what lies beyond stays unknown.
type limits struct {
	recomputed   int // how often functions that call each other are looked at again, each as the first one
	follow       int // dynamic calls that are followed from one to the next
	followed     int // dynamic calls that are followed in all, or for each body
	eachBody     bool
	alternatives int // functions that a value is taken for
	paths        int // paths of a function that are kept
}

var (
	packageLimits = limits{recomputed: 2000, follow: 8, followed: 100000, alternatives: 4, paths: 8}
	programLimits = limits{recomputed: 20000, follow: 16, followed: 4000, eachBody: true, alternatives: maxSlotValues, paths: 48}
)

// compute follows every call of a function. If repeats isn't empty, only calls count whose failure makes a site that executes
// the function try again (outcome.go).
func (c *composer) compute(body *Body, repeats, library string) []Path {
	var list []Path
	for i := range body.Calls {
		call := &body.Calls[i]
		if call.idle || call.Beside || repeats != "" && !c.leadsOutward(call, repeats, library) {
			continue
		}
		for _, path := range c.through(body, call, repeats, library) {
			list = append(list, path.asking(booleanWord(repeats)))
		}
	}
	return c.prune(list)
}

// booleanWord keeps the words by which a boolean result decides.
func booleanWord(repeats string) string {
	if repeats == "true" || repeats == "false" {
		return repeats
	}
	return ""
}

// through returns the paths that go through one call of a function, as far as a site that executes it repeats on the call's
// failure.
func (c *composer) through(body *Body, call *Call, repeats, library string) []Path {
	if call.Callee != "" && c.body(call.Callee) != nil {
		c.calls[call.Callee] = append(c.calls[call.Callee], edge{body.ID, len(call.Around) > 0 && !call.Mute})
	}
	if call.Mute {
		return nil // a failure below stays there
	}
	var list []Path
	c.whileInside(len(call.Around) > 0, func() {
		for _, inner := range c.below(call, call.decides(repeats)) {
			list = append(list, c.throughOne(call, inner.asking(call.Again), repeats, library))
		}
	})
	if len(list) == 0 && call.Operates {
		path := Path{Hops: append([]Hop(nil), call.Around...)} // nothing is known of the operation
		path.Fails = c.giveUp(path.Hops, call, c.failuresOfCall(call))
		list = append(list, path)
	}
	for i, path := range list {
		list[i] = path.under(call.When)
	}
	return list
}

func (c *composer) throughOne(call *Call, inner Path, repeats, library string) Path {
	if len(call.Around) == 0 {
		return c.passedOn(inner, call, repeats, library)
	}
	hops := append([]Hop(nil), call.Around...)
	fails := c.giveUp(hops, call, inner.Fails)
	path := joined(hops, inner)
	path.Fails = fails
	return path
}

// passedOn returns a path below a function as one of it, which passes its failure on. What comes out of a path without sites
// only matters to those who give the function at its tail.
func (c *composer) passedOn(path Path, call *Call, repeats, library string) Path {
	if len(path.Hops) == 0 && (path.Tail == nil || path.Tail.Site != nil || !isOpen(path.Tail.Callee)) {
		path.Fails = ""
		return path
	}
	path.Fails = c.outward(call, path.Fails, repeats, library)
	return path
}

// decides returns the word for the boolean of the call by which a site makes another attempt, "" if there is none: the innermost
// of the sites around the call, or the one that executes the function and is handed the call's answer.
func (call *Call) decides(repeats string) string {
	switch {
	case call.Operates:
		return call.Again
	case call.Answers:
		return booleanWord(repeats)
	}
	return ""
}

// below returns the paths below a call, in terms of the function that makes it. With a word for the call's boolean, only those
// count whose failure makes the function that is called ask for another attempt.
func (c *composer) below(call *Call, again string) []Path {
	switch {
	case call.Callee != "":
		paths := c.Paths(call.Callee)
		if body := c.body(call.Callee); body != nil && again != "" && len(paths) > 0 {
			paths = c.repeated(body, again, "")
		}
		return c.instantiate(paths, c.frame(call.Args, call.Captured), &call.At)
	case call.Tail != nil:
		tail := *call.Tail
		tail.iface = call.Interface
		return c.follow(tail, &call.At)
	}
	return nil
}

// asking returns the path with a boolean that decides about another attempt, if the function at its tail is the one that
// gives the boolean: nothing lies between.
func (path Path) asking(again string) Path {
	if again == "" || path.Tail == nil || len(path.Hops) > 0 || path.Tail.Site != nil || path.Tail.Repeats != "" {
		return path
	}
	tail := *path.Tail
	tail.Repeats = again
	path.Tail = &tail
	return path
}

// whileInside runs f; functions that are executed meanwhile count as executed inside of a site if inside is set.
func (c *composer) whileInside(inside bool, f func()) {
	if inside {
		c.inside++
		defer func() { c.inside-- }()
	}
	f()
}

// joined puts hops before a path. Two sites that count with one variable behind a pointer, or wait with one object, are one.
func joined(hops []Hop, inner Path) Path {
	path := Path{Tail: inner.Tail, Fails: inner.Fails, When: inner.When, wide: inner.wide}
	for _, h := range hops {
		if !sharesCounter(h, inner.Hops) {
			path.Hops = append(path.Hops, h)
		}
	}
	path.Hops = append(path.Hops, inner.Hops...)
	return path
}

// counterIn is what a hop counts or waits with, in terms of the caller. What no caller gives is nobody else's.
func counterIn(h Hop, frame value.Frame) value.Term {
	if !h.Counter.Open() {
		return value.Term{}
	}
	return origin(frame.Substitute(h.Counter))
}

func sharesCounter(h Hop, inner []Hop) bool {
	if !h.Counter.Known() {
		return false
	}
	for _, i := range inner {
		if i.Counter.Known() && value.Equal(h.Counter, i.Counter) {
			return true
		}
	}
	return false
}

// instantiate puts the arguments of a call into paths. Where an argument is the function that a helper executes, the helper's
// sites become sites of the caller: at is the call that supplies it.
func (c *composer) instantiate(paths []Path, frame value.Frame, at *Hop) []Path {
	if len(paths) == 0 || c.depth > maxDepth {
		return nil
	}
	c.depth++
	defer func() { c.depth-- }()
	var list []Path
	for _, path := range paths {
		list = append(list, c.instance(path, frame, at)...)
	}
	return list
}

func (c *composer) instance(path Path, frame value.Frame, at *Hop) []Path {
	when, taken := within(path.When, frame)
	if !taken {
		return nil
	}
	hops := make([]Hop, len(path.Hops))
	for i, h := range path.Hops {
		hops[i] = h.in(frame)
	}
	if path.Tail == nil {
		return []Path{{Hops: hops, Fails: path.Fails, When: when, wide: path.wide}}
	}
	tail := path.Tail.in(frame)
	if operation, ok := path.Tail.suppliedIn(tail); ok && tail.Site == nil && len(hops) > 0 {
		hops = c.takeOver(hops, operation, at)
	}
	if path.Tail.Method != "" && path.Tail.Callee.Open() && !callable(tail.Callee) {
		completeAt(hops, at)
	}
	if tail.Site == nil && !tail.handsOn() {
		settle(hops)
	}
	var below []Path
	c.whileInside(len(hops) > 0, func() { below = c.follow(tail, at) })
	return Path{Hops: hops, Fails: path.Fails, When: when, wide: path.wide}.extended(below, c.tailFailures(tail, 0))
}

// in returns the hop in the terms of a caller.
func (h Hop) in(frame value.Frame) Hop {
	h.Attempts, h.Counter = frame.Substitute(h.Attempts), counterIn(h, frame)
	h.Keeper, h.Gate = frame.Substitute(h.Keeper), frame.Substitute(h.Gate)
	return h
}

// extended puts path before each of the paths that its tail goes on to, or ends there: then failures is what the tail fails
// with.
func (path Path) extended(below []Path, failures fault.Set) []Path {
	if len(below) == 0 {
		path = path.found(failures)
		return []Path{{Hops: path.Hops, Fails: path.Fails, When: path.When, wide: path.wide}}
	}
	var list []Path
	for _, b := range below {
		if path.wide && b.wide {
			continue // anything behind anything: no way that somebody has in mind
		}
		known := path.found(b.Fails)
		whole := joined(known.Hops, b)
		whole.Fails, whole.wide = known.Fails, path.wide || b.wide
		list = append(list, whole.under(path.When))
	}
	return list
}
