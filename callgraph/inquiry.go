package callgraph

import "math"

// An inquiry answers questions that may need one another's answers, and their own: what a value is, what a function results in,
// what a field holds. A question that is met again while it is open gets an answer that says little, and all that was made
// of that answer is worth something only as part of the outermost question that was open: asked on its own, a question is answered anew,
// as if it had been the first of its circle. So no answer depends on which questions came before, except in circles
// of more than maxCircle questions, which would take too long: there, what was answered already stands, and what was made of
// unfinished answers maxTries times stands as well.
type inquiry struct {
	most      int    // depth beyond which questions aren't followed
	largest   int    // number of questions up to which a circle is remembered
	depth     int    // open questions
	outermost int    // depth of the outermost open question that was met again
	cut       bool   // something was too deep to be looked into
	tentative []held // answers that hold while a question further out is open
}

// held is a tentative answer, whatever it answers.
type held struct {
	outermost *int
	settle    func(*circle) // takes it back for the circle that it is part of, or lets it last if there is none to remember
}

// A circle is a set of questions that need one another.
type circle struct{ open bool }

const (
	never     = math.MaxInt
	maxCircle = 200
	maxTries  = 3
	// inDependencies is maxCircle for packages of other modules: generated ones, such as those of Kubernetes' types, go round in
	// large circles, and decide nothing.
	inDependencies = 40
)

func newInquiry(most int) *inquiry { return &inquiry{most: most, largest: maxCircle, outermost: never} }

// tooDeep reports whether no further question should be followed, and notes that an answer will lack something for that.
func (q *inquiry) tooDeep() bool {
	if q.depth <= q.most {
		return false
	}
	q.cut = true
	return true
}

// deeper counts something that isn't kept as a question until what it returns is called.
func (q *inquiry) deeper() func() {
	q.depth++
	return func() { q.depth-- }
}

// needs notes that an answer is made of the unfinished one at a depth.
func (q *inquiry) needs(depth int) { q.outermost = min(q.outermost, depth) }

// answers are those of one kind of question.
type answers[K comparable, V any] struct {
	inquiry *inquiry
	lasting map[K]V
	open    map[K]int // depth
	now     map[K]*tentative[V]
	circles map[K]*circle
	tries   map[K]int
}

type tentative[V any] struct {
	answer    V
	outermost int
}

func newAnswers[K comparable, V any](q *inquiry) answers[K, V] {
	return answers[K, V]{q, map[K]V{}, map[K]int{}, map[K]*tentative[V]{}, map[K]*circle{}, map[K]int{}}
}

// known returns an answer that is there already: a lasting one, unless its circle is being asked about, or a tentative one.
func (a *answers[K, V]) known(key K) (V, bool) {
	if c := a.circles[key]; c == nil || !c.open {
		if v, ok := a.lasting[key]; ok {
			return v, true
		}
	}
	if t := a.now[key]; t != nil {
		a.inquiry.needs(t.outermost)
		return t.answer, true
	}
	var none V
	return none, false
}

// isOpen reports whether the question is being answered, and notes that the answer to come rests on it.
func (a *answers[K, V]) isOpen(key K) bool {
	at, open := a.open[key]
	if open {
		a.inquiry.needs(at)
	}
	return open
}

// answer asks.
func (a *answers[K, V]) answer(key K, compute func() V) V {
	q := a.inquiry
	outermost, cut, before := q.outermost, q.cut, len(q.tentative)
	q.depth++
	q.outermost, q.cut = never, false
	a.open[key] = q.depth
	if c := a.circles[key]; c != nil && !c.open {
		c.open = true
		defer func() { c.open = false }()
	}
	v := compute()
	delete(a.open, key)
	a.keep(key, v, before)
	q.depth--
	q.outermost, q.cut = min(outermost, q.outermost), cut || q.cut
	return v
}

// keep decides how long an answer holds.
func (a *answers[K, V]) keep(key K, v V, before int) {
	q := a.inquiry
	if q.depth <= q.most/2 {
		q.cut = false // what lacks is far away
	}
	if q.outermost >= q.depth && !q.cut {
		a.lasting[key] = v
		q.outermost = never
		a.close(key, before)
		return
	}
	t := &tentative[V]{v, q.outermost}
	a.now[key] = t
	q.tentative = append(q.tentative, held{&t.outermost, func(c *circle) { a.settle(key, v, c) }})
	for _, h := range q.tentative[before:] {
		*h.outermost = min(*h.outermost, q.outermost) // they were made under this question, which is no longer open
	}
}

func (a *answers[K, V]) settle(key K, v V, c *circle) {
	delete(a.now, key)
	if c != nil {
		a.circles[key] = c
		return
	}
	if a.tries[key]++; a.tries[key] >= maxTries {
		a.lasting[key] = v
	}
}

// close ends what was tentative for the sake of a question.
func (a *answers[K, V]) close(key K, before int) {
	q := a.inquiry
	settled := q.tentative[before:]
	q.tentative = q.tentative[:before]
	var c *circle
	if len(settled) > 0 && len(settled) <= q.largest {
		if c = a.circles[key]; c == nil {
			c = &circle{}
			a.circles[key] = c
		}
	}
	for _, h := range settled {
		h.settle(c)
	}
}
