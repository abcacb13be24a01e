// Package endless has repetitions that nothing bounds, and some that something does.
package endless

import (
	"context"
	"errors"
	"log"
	"net/http"
	"sync/atomic"
	"time"
)

type Scale interface {
	Weigh() (int, error)
	WeighWith(ctx context.Context) (int, error)
}

var errMoving = errors.New("still moving")

func weigh(s Scale) (int, error) {
	for { // want `nothing ends the attempts`
		n, err := s.Weigh()
		if err == nil {
			return n, nil
		}
		if !errors.Is(err, errMoving) {
			return 0, err
		}
		time.Sleep(time.Second)
	}
}

func whileFailing(s Scale) int {
	n, err := s.Weigh()
	for err != nil { // want `nothing ends the attempts`
		log.Print(err)
		time.Sleep(time.Second)
		n, err = s.Weigh()
	}
	return n
}

// counts counts for the log only.
func counts(s Scale) (int, error) {
	for attempt := 1; ; attempt++ { // want `nothing ends the attempts`
		n, err := s.Weigh()
		if err == nil {
			return n, nil
		}
		log.Printf("attempt %d: %v", attempt, err)
		time.Sleep(time.Duration(attempt) * time.Second)
	}
}

func jumps(s Scale) (int, error) {
again: // want `nothing ends the attempts`
	n, err := s.Weigh()
	if errors.Is(err, errMoving) {
		time.Sleep(time.Second)
		goto again
	}
	return n, err
}

// givesContext gives a context and asks nobody whether it is done.
func givesContext(ctx context.Context, s Scale) int {
	for { // want `nothing ends the attempts`
		n, err := s.WeighWith(ctx)
		if err == nil {
			return n
		}
		log.Print(err)
		time.Sleep(time.Second)
	}
}

// budget says for how long to wait, and whether to.
type budget struct{ left time.Duration }

func (b *budget) take(d time.Duration) (time.Duration, bool) {
	if b.left < d {
		return 0, false
	}
	b.left -= d
	return d, true
}

func ignoresAnswer(s Scale) (int, error) {
	b := budget{left: time.Minute}
	for { // want `nothing ends the attempts`
		n, err := s.Weigh()
		if !errors.Is(err, errMoving) {
			return n, err
		}
		d, _ := b.take(time.Second)
		time.Sleep(d)
	}
}

func byStatus(send func(url string) (*http.Response, error), url string) (*http.Response, error) {
	for { // want `nothing ends the attempts`
		resp, err := send(url)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode != http.StatusTooManyRequests {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

// The rest is silent.

func asksAnswer(s Scale) (int, error) {
	b := budget{left: time.Minute}
	for {
		n, err := s.Weigh()
		if !errors.Is(err, errMoving) {
			return n, err
		}
		d, ok := b.take(time.Second)
		if !ok {
			return 0, err
		}
		time.Sleep(d)
	}
}

func bounded(s Scale) (n int, err error) {
	for range 5 {
		if n, err = s.Weigh(); err == nil {
			return n, nil
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func untilDone(ctx context.Context, s Scale) (int, error) {
	for {
		n, err := s.WeighWith(ctx)
		if err == nil {
			return n, nil
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// contextFails leaves with any error but one, and so with that of the context.
func contextFails(ctx context.Context, s Scale) (int, error) {
	for {
		n, err := s.WeighWith(ctx)
		if !errors.Is(err, errMoving) {
			return n, err
		}
		time.Sleep(time.Second)
	}
}

func untilStopped(s Scale, stop <-chan struct{}) (int, error) {
	for {
		n, err := s.Weigh()
		if err == nil {
			return n, nil
		}
		select {
		case <-stop:
			return 0, err
		case <-time.After(time.Second):
		}
	}
}

func within(s Scale, limit time.Duration) (int, error) {
	for start := time.Now(); ; {
		n, err := s.Weigh()
		if err == nil || time.Since(start) > limit {
			return n, err
		}
		time.Sleep(time.Second)
	}
}

type desk struct {
	scale  Scale
	closed atomic.Bool
	tries  *counter
}

type counter struct{ n, most int }

// again counts the failures.
func (c *counter) again(err error) bool {
	c.n++
	return errors.Is(err, errMoving) && c.n < c.most
}

func (d *desk) untilClosed() (int, error) {
	for {
		n, err := d.scale.Weigh()
		if err == nil || d.closed.Load() {
			return n, err
		}
		time.Sleep(time.Second)
	}
}

func (d *desk) whileAllowed() (int, error) {
	for {
		n, err := d.scale.Weigh()
		if err == nil || !d.tries.again(err) {
			return n, err
		}
		time.Sleep(time.Second)
	}
}

// serve is a daemon.
func (d *desk) serve(show func(int)) {
	for {
		n, err := d.scale.Weigh()
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		show(n)
	}
}

// pages moves on with each success, and stays where it is after a failure.
func pages(list func(from int) ([]int, error), total int) (all []int) {
	for from := 0; from < total; { // want `nothing ends the attempts`
		page, err := list(from)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		all = append(all, page...)
		from += len(page)
	}
	return all
}
