package forms

import (
	"context"
	"errors"
	"time"
)

func selectAfter(ctx context.Context, r remote) error {
	for i := 0; ; i++ { // site loop retry 4
		err := r.Put(ctx, item{})
		if err == nil || i == 3 {
			return err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func selectTimer(ctx context.Context, r remote) (err error) {
	t := time.NewTimer(0)
	defer t.Stop()
	for range 3 { // site loop retry 3
		select {
		case <-t.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err = r.Put(ctx, item{}); err == nil {
			return nil
		}
		t.Reset(time.Second)
	}
	return err
}

func selectTicker(ctx context.Context, r remote) (err error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for attempt := 0; attempt < 5; attempt++ { // site loop retry 5
		if err = r.Ping(); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return err
}

func untilContextDone(ctx context.Context, r remote) error {
	for { // site loop retry unlimited
		err := r.Put(ctx, item{})
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(err, ctx.Err())
		case <-time.After(time.Second):
		}
	}
}

func contextCondition(ctx context.Context, r remote) error {
	for ctx.Err() == nil { // site loop retry unlimited
		if err := r.Put(ctx, item{}); err == nil {
			return nil
		}
		pause()
	}
	return ctx.Err()
}

func endless(ctx context.Context, r remote) item {
	for { // site loop retry unlimited
		it, err := r.Fetch(ctx, "a")
		if err == nil {
			return it
		}
		time.Sleep(time.Second)
	}
}

type exponential struct{ n, max int }

func (b *exponential) next() (time.Duration, bool) {
	b.n++
	return time.Second << b.n, b.n < b.max
}

// The count is behind the method of a value.
func byOwnBackoff(r remote, b *exponential) error {
	for { // site loop retry unlimited
		err := r.Ping()
		if err == nil {
			return nil
		}
		d, ok := b.next()
		if !ok {
			return err
		}
		time.Sleep(d)
	}
}

func growing(ctx context.Context, r remote) (err error) {
	delay := 100 * time.Millisecond
	for i := 0; i < 3; i++ { // site loop retry 3
		if err = r.Put(ctx, item{}); err == nil {
			return nil
		}
		time.Sleep(delay)
		delay *= 2
	}
	return err
}

// Bounded by its delay alone: 100, 200, 400, 800.
func byDelay(r remote) (err error) {
	for delay := 100 * time.Millisecond; delay < time.Second; delay *= 2 { // site loop retry 4
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(delay)
	}
	return err
}

func freshTimeout(ctx context.Context, r remote) (it item, err error) {
	for range 3 { // site loop retry 3
		attempt, cancel := context.WithTimeout(ctx, time.Second)
		it, err = r.Fetch(attempt, "a")
		cancel()
		if err == nil {
			return it, nil
		}
		pause()
	}
	return it, err
}

// patience is a backoff object that refuses to wait once its time is used up.
type patience struct{ slept, limit time.Duration }

var errNoTime = errors.New("no time left")

func (p *patience) rest(cause error) error {
	if p.slept >= p.limit {
		return errors.Join(errNoTime, cause)
	}
	p.slept += time.Second
	time.Sleep(time.Second)
	return nil
}

func untilPatienceEnds(r remote, p *patience) error {
	for { // site loop retry n
		err := r.Ping()
		if err == nil {
			return nil
		}
		if err := p.rest(err); err != nil {
			return err
		}
	}
}

func untilOwnPatienceEnds(r remote) (err error) {
	p := &patience{limit: time.Minute}
	for { // site loop retry n
		if err = r.Ping(); err == nil {
			return nil
		}
		if err = p.rest(err); err != nil {
			return err
		}
	}
}

// freshPatience makes a new one for each attempt: it never refuses.
func freshPatience(ctx context.Context, r remote) error {
	for { // site loop retry unlimited
		p := newPatience()
		err := r.Put(ctx, item{})
		if err == nil {
			return nil
		}
		if err := p.rest(err); err != nil {
			return err
		}
	}
}

func newPatience() *patience { return &patience{limit: time.Minute} }

// refusalIgnored goes on whatever the wait says.
func refusalIgnored(r remote, p *patience) {
	for { // site loop retry unlimited
		err := r.Ping()
		if err == nil {
			return
		}
		_ = p.rest(err)
	}
}

func patienceGivenTo(r remote, p *patience) error {
	for { // site loop retry n
		err := r.Ping()
		if err == nil {
			return nil
		}
		if err := restWith("ping", p, err); err != nil {
			return err
		}
	}
}

func restWith(what string, p *patience, err error) error {
	return p.rest(errors.Join(errors.New(what), err))
}

func sumOfDelays(r remote, limit time.Duration) (err error) {
	var waited time.Duration
	for delay := time.Second; ; delay *= 2 { // site loop retry n
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(delay)
		if waited += delay; waited >= limit {
			return err
		}
	}
}

// planner is a backoff object whose wait is too much to look into.
type planner struct {
	slept map[string]time.Duration
	limit time.Duration
}

func (p *planner) Backoff(kind string, cause error) error {
	if p.slept == nil {
		p.slept = map[string]time.Duration{}
	}
	step := time.Second
	switch kind {
	case "a", "b", "c":
		step *= 2
	case "d", "e", "f":
		step *= 3
	case "g", "h", "i", "j", "k", "l":
		step *= 4
	case "m":
		if len(kind) > 3 && cause != nil || p.limit > time.Hour {
			step *= 5
		}
	}
	for other, slept := range p.slept {
		if other != kind && slept > p.limit {
			return cause
		}
		if slept > p.limit/2 && step > time.Second {
			step /= 2
		}
	}
	if p.slept[kind] += step; p.slept[kind] > p.limit {
		return cause
	}
	time.Sleep(step)
	return nil
}

func backoffFor(status int, p *planner) error {
	if status == 0 {
		return nil
	}
	return p.Backoff("a", errBusy)
}

func plannedBackoff(w web, p *planner) (*response, error) {
	for { // site loop retry n
		resp, err := w.Send("a")
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 {
			return resp, nil
		}
		if err := backoffFor(resp.StatusCode, p); err != nil {
			return nil, err
		}
	}
}
