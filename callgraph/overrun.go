package callgraph

import (
	"go/token"
	"slices"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/retrylint/retrylint/internal/count"
	"github.com/retrylint/retrylint/internal/typename"
	"github.com/retrylint/retrylint/internal/value"
)

// An Overrun is a schedule that doesn't fit into the time that there is for all attempts together.
type Overrun struct {
	// Pos is where the deadline is set, and By what sets it.
	Pos token.Pos
	By  Limiter
	// Deadline is the time that there is, Attempt the limit of one attempt, 0 if it has none, and Waits the least that is
	// waited between all of them.
	Deadline, Attempt, Waits time.Duration
	// Attempts is their number, 0 if there are as many as fit.
	Attempts int64
	// Fits is the number of attempts that can begin before the deadline if each uses up its limit.
	Fits int64
	// Inner is the repetition inside of each attempt that Attempt is the time of, nil if there is none.
	Inner *Inner
}

// A Limiter is what ends all attempts after some time.
type Limiter uint8

// ByContext is the deadline of a context, ByClient the Timeout of an HTTP client whose transport repeats, ByHandler
// http.TimeoutHandler, and ByItself a time limit that the loop or the library's policy sets itself.
const (
	ByContext Limiter = iota
	ByClient
	ByHandler
	ByItself
)

// overruns compares the schedule of a repetition with the times that there are: one for each place that sets one. Others may be
// inside of its attempts.
func (p *Package) overruns(r *Repetition, others []Repetition) []Overrun {
	n, known := r.Count.Value()
	if r.Count.Kind != count.Number || !known {
		return p.outOfTime(r)
	}
	if n < 2 {
		return nil
	}
	schedule, inner := p.scheduleOf(r, n), p.innerOf(r, others)
	var list []Overrun
	compare := func(limits, above []*ssa.Call) {
		o := schedule
		if !p.compare(r, limits, above, &o) {
			if o = schedule; inner == nil || !p.compareNested(r, limits, above, inner, &o) {
				return
			}
		}
		if !slices.ContainsFunc(list, func(known Overrun) bool { return known.Pos == o.Pos }) {
			list = append(list, o)
		}
	}
	for _, timed := range p.timedAttempts(r) {
		for _, above := range timed.above {
			compare(timed.limits, above)
		}
	}
	compare(nil, nil)
	return list
}

// scheduleOf is what is known of n attempts whatever their contexts are, with the limit of the client around them.
func (p *Package) scheduleOf(r *Repetition, n int64) Overrun {
	o := Overrun{Attempts: n, Attempt: p.clientLimit(r), Waits: p.waited(r, n)}
	if limit, pos := p.clientAround(r); limit > 0 {
		o.Deadline, o.Pos, o.By = limit, pos, ByClient
	}
	return o
}

// A timedAttempt is a call of an attempt with a context.
type timedAttempt struct {
	// limits are the calls that give the context a deadline in the function of the repetition and below; above are those in the
	// functions that call it, one list for each.
	limits []*ssa.Call
	above  [][]*ssa.Call
}

// timedAttempts lists the calls of an attempt that are given a context, and may take all of its time.
func (p *Package) timedAttempts(r *Repetition) []timedAttempt {
	var list []timedAttempt
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || alone(step) || !r.repeatsStep(step) || !p.remote(call, step) {
			continue
		}
		for _, a := range call.Call.Args {
			if isContextType(a.Type()) {
				list = append(list, timedAttempt{p.limitsOf(r, a, step), p.limitsAbove(r, a, step)})
			}
		}
	}
	return list
}

// waited is the least that is waited between n attempts.
func (p *Package) waited(r *Repetition, n int64) time.Duration {
	if r.Site != nil {
		return time.Duration(r.Site.Waited(int(min(n, 1<<20)), p).Min)
	}
	if r.Hop.Kind != "library-call" || n > 1000 {
		return 0
	}
	return time.Duration(n-1) * p.leastDelay(p.close(r.Hop.Attempts), r.Hop)
}

// leastDelay is what a library waits at least between two attempts, as far as a constant of its policy says.
func (p *Package) leastDelay(t value.Term, h Hop) time.Duration {
	least, most := time.Duration(0), time.Duration(0)
	for _, policy := range policiesOf(t, h) {
		for _, s := range policy.Settings {
			v, set := settingOf(t, s.Name)
			if !set || !covers(policy, s, h.Version) {
				continue
			}
			n, isNumber := v.IsInt()
			switch {
			case s.Unit == "delay" && isNumber:
				least = time.Duration(n)
			case s.Unit == "ceiling" && isNumber:
				most = time.Duration(n)
			case s.Unit == "delays" && !isRegular(v, s, h):
				return 0
			}
		}
	}
	if most > 0 {
		least = min(least, most)
	}
	return least
}

// limitsOf lists the calls that give the context of a step a deadline; what a helper hands to its operation begins with the
// context that the helper is given.
func (p *Package) limitsOf(r *Repetition, ctx ssa.Value, step Step) []*ssa.Call {
	limits := p.sourceOf(ctx, step.Calls).limits
	if r.Call != nil && len(r.Operations) > 0 && p.takesOwnContext(r) {
		s, _ := p.givenTo(r.Call.Common())
		limits = append(limits, s.limits...)
	}
	return limits
}

// limitsAbove lists the calls that give the context of a step a deadline in the functions that call the one of r, one list for each
// of them, if nothing else can call that. The first list is empty: what the function does by itself.
func (p *Package) limitsAbove(r *Repetition, ctx ssa.Value, step Step) [][]*ssa.Call {
	lists := [][]*ssa.Call{nil}
	i := slices.Index(r.Function.Params, p.parameterBehind(ctx, step.Calls))
	calls, all := p.callers(r.Function)
	if i < 0 || !all {
		return lists
	}
	for _, call := range calls {
		if args := call.Common().Args; i < len(args) && !r.Repeats(call) {
			lists = append(lists, p.limitsAt(args[i]))
		}
	}
	return lists
}

// limitsAt lists the calls that give a context, or the one of a request, a deadline.
func (p *Package) limitsAt(v ssa.Value) []*ssa.Call {
	if isRequest(v.Type()) {
		t := &tracer{pkg: p, seen: map[ssa.Value]bool{}}
		return t.carried(v, nil).limits
	}
	return p.sourceOf(v, nil).limits
}

// parameterBehind returns the parameter that a context is made of, or the request that carries it; nil if it isn't made of one.
func (p *Package) parameterBehind(ctx ssa.Value, calls []ssa.CallInstruction) *ssa.Parameter {
	for range 12 {
		switch v := ctx.(type) {
		case *ssa.Parameter:
			if len(calls) == 0 {
				return v
			}
			last := len(calls) - 1
			ctx, calls = handedDown(v, calls[last].Common()), calls[:last]
		case *ssa.Extract:
			ctx = v.Tuple
		case *ssa.Call:
			if v.Call.IsInvoke() || len(v.Call.Args) == 0 || !isContextType(v.Call.Args[0].Type()) && !isRequest(v.Call.Args[0].Type()) {
				return nil
			}
			ctx = v.Call.Args[0]
		default:
			return nil
		}
	}
	return nil
}

// compare reads the limits of a context that an attempt works with: those that are set anew for each attempt, and those around
// all of them. It reports whether the schedule takes longer than all attempts may.
func (p *Package) compare(r *Repetition, limits, above []*ssa.Call, o *Overrun) bool {
	for _, call := range append(slices.Clone(above), limits...) {
		d, ok := p.limitOf(call)
		if !ok || d <= 0 {
			continue
		}
		switch {
		case p.perAttempt(r, call, above) && (o.Attempt == 0 || d < o.Attempt):
			o.Attempt = d
		case !p.perAttempt(r, call, above) && (o.Deadline == 0 || d < o.Deadline):
			o.Deadline, o.Pos, o.By = d, p.token(call), limiter(call)
		}
	}
	if o.Deadline == 0 || o.Attempt == 0 && o.Waits < o.Deadline {
		return false
	}
	if o.Attempts > 1000 || time.Duration(o.Attempts)*o.Attempt+o.Waits <= o.Deadline {
		return false
	}
	o.Fits = p.begin(r, o)
	return true
}

// compareNested is like compare, where each attempt takes as long as the repetition inside of it, unless it has a shorter limit
// itself. If that one alone doesn't fit, it is the one to tell of.
func (p *Package) compareNested(r *Repetition, limits, above []*ssa.Call, inner *Inner, o *Overrun) bool {
	outer := slices.DeleteFunc(slices.Clone(limits), inner.limits)
	o.Attempt, o.Inner = inner.takes(), inner
	return p.compare(r, outer, above, o) && o.Attempt == inner.takes() && o.Attempt <= o.Deadline
}

// perAttempt reports whether a limit is set anew for each attempt.
func (p *Package) perAttempt(r *Repetition, limit *ssa.Call, above []*ssa.Call) bool {
	if limiter(limit) == ByHandler || slices.Contains(above, limit) {
		return false
	}
	return r.Repeats(limit) || !insideOf(limit.Parent(), r.Function)
}

func limiter(limit *ssa.Call) Limiter {
	if calleeName(limit) == timeoutHandler {
		return ByHandler
	}
	return ByContext
}

// begin is the number of attempts that can begin before the deadline.
func (p *Package) begin(r *Repetition, o *Overrun) int64 {
	if r.Site != nil {
		return int64(r.Site.Begin(int(o.Attempts), int64(o.Attempt), int64(o.Deadline), p))
	}
	round := o.Attempt + o.Waits/time.Duration(o.Attempts-1)
	return int64((o.Deadline + round - 1) / round)
}

// clientLimit is the time that the HTTP client of an attempt gives each request, 0 if it isn't known or there is no limit.
func (p *Package) clientLimit(r *Repetition) time.Duration {
	shortest := time.Duration(0)
	for step := range r.Attempt() {
		call, ok := step.Instr.(*ssa.Call)
		if !ok || alone(step) || call.Call.IsInvoke() || len(call.Call.Args) == 0 || typename.Of(call.Call.Args[0].Type()) != "net/http.Client" {
			continue
		}
		client, depth := step.Given(call.Call.Args[0])
		if depth > 0 {
			continue
		}
		n, ok := value.Select(p.close(p.Term(client)), "Timeout").IsInt()
		if d := time.Duration(n); ok && d > 0 && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	return shortest
}

// limitOf is the time that a call gives a context, if it is constant.
func (p *Package) limitOf(call *ssa.Call) (time.Duration, bool) {
	if len(call.Call.Args) < 2 {
		return 0, false
	}
	limit := call.Call.Args[1]
	if typename.Of(limit.Type()) == "time.Time" {
		if limit = fromNow(limit); limit == nil {
			return 0, false
		}
	}
	n, ok := p.close(p.Term(limit)).IsInt()
	return time.Duration(n), ok
}

// fromNow returns d of time.Now().Add(d).
func fromNow(v ssa.Value) ssa.Value {
	add, ok := v.(*ssa.Call)
	if !ok || calleeName(add) != "(time.Time).Add" {
		return nil
	}
	if now, isCall := add.Call.Args[0].(*ssa.Call); isCall && calleeName(now) == "time.Now" {
		return add.Call.Args[1]
	}
	return nil
}
