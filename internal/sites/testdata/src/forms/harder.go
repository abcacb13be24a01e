package forms

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"
)

func namedResultAndDefer(r remote) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("wrapped: %w", err)
		}
	}()
	for i := 0; i < 3; i++ { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func inClosure(ctx context.Context, r remote) func() error {
	return func() error {
		var err error
		for i := 0; i < 3; i++ { // site loop retry 3
			if err = r.Put(ctx, item{}); err == nil {
				return nil
			}
			pause()
		}
		return err
	}
}

func inGoroutine(ctx context.Context, r remote, done chan<- error) {
	go func() {
		var err error
		for i := 0; i < 3; i++ { // site loop retry 3
			if err = r.Put(ctx, item{}); err == nil {
				break
			}
			pause()
		}
		done <- err
	}()
}

func counterInMemory(r remote) (err error) {
	n := 0
	defer func() { log.Println(n, "attempts") }()
	for n < 3 { // site loop retry 3
		n++
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func literalAsOperation(ctx context.Context, r remote) (err error) {
	for range 3 { // site loop retry 3
		err = func() error {
			attempt, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return r.Put(attempt, item{})
		}()
		if err == nil {
			return nil
		}
		pause()
	}
	return err
}

func doneFlag(r remote) error {
	var err error
	done := false
	for n := 0; !done && n < 4; n++ { // site loop retry 4
		err = r.Ping()
		done = err == nil
		if !done {
			pause()
		}
	}
	return err
}

func isTemporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

func classifiedInCondition(r remote) error {
	err := r.Ping()
	for n := 0; n < 3 && isTemporary(err); n++ { // site loop retry 4
		pause()
		err = r.Ping()
	}
	return err
}

func elseReturns(ctx context.Context, r remote) (item, error) {
	var last error
	for i := 0; i < 3; i++ { // site loop retry 3
		if it, err := r.Fetch(ctx, "a"); err != nil {
			last = err
		} else {
			return it, nil
		}
		pause()
	}
	return item{}, last
}

type result struct {
	it  item
	err error
}

func outcomeInStruct(ctx context.Context, r remote) (res result) {
	for i := 0; i < 3; i++ { // site loop retry 3
		res.it, res.err = r.Fetch(ctx, "a")
		if res.err == nil {
			return res
		}
		pause()
	}
	return res
}

func errorSwitch(r remote) error {
	for n := 0; ; n++ { // site loop retry 3
		switch err := r.Ping(); {
		case err == nil:
			return nil
		case n == 2, errors.Is(err, errOther):
			return err
		}
		pause()
	}
}

func retryPerItem(ctx context.Context, r remote, list []item) (err error) {
	for _, it := range list { // no site
		for i := 0; i < 3; i++ { // site loop retry 3
			if err = r.Put(ctx, it); err == nil {
				break
			}
			pause()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func itemsPerRetry(ctx context.Context, r remote, list []item) (err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		err = nil
		for _, it := range list { // no site
			if err = r.Put(ctx, it); err != nil {
				break
			}
		}
		if err == nil {
			return nil
		}
		pause()
	}
	return err
}

func retriesOfRetries(ctx context.Context, r remote) (err error) {
	for i := 0; i < 2; i++ { // site loop retry 2
		for j := 0; j < 3; j++ { // site loop retry 3
			if err = r.Put(ctx, item{}); err == nil {
				return nil
			}
			pause()
		}
		time.Sleep(time.Minute)
	}
	return err
}

func roundRobin(ctx context.Context, rs []remote, tries int) (it item, err error) {
	for i := 0; i < tries; i++ { // site loop retry tries
		if it, err = rs[i%len(rs)].Fetch(ctx, "a"); err == nil {
			return it, nil
		}
		pause()
	}
	return it, err
}

type policy struct {
	Retries *int
	Wait    func(n int) time.Duration
}

func pointerSetting(r remote, p policy) (err error) {
	for n := 0; n <= *p.Retries; n++ { // site loop retry p.Retries + 1
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(p.Wait(n))
	}
	return err
}

func byGenericOperation[T any](ctx context.Context, op func(context.Context) (T, error), tries int) (v T, err error) {
	for range tries { // site loop retry tries
		if v, err = op(ctx); err == nil {
			return v, nil
		}
		pause()
	}
	return v, err
}

func panicking(r remote) {
	for i := 0; ; i++ { // site loop retry 3
		err := r.Ping()
		if err == nil {
			return
		}
		if i == 2 {
			panic(err)
		}
		pause()
	}
}

func fatal(r remote) {
	for i := 0; ; i++ { // site loop retry 3
		err := r.Ping()
		if err == nil {
			return
		}
		if i == 2 {
			log.Fatal(err)
		}
		pause()
	}
}

func selectOutcome(ctx context.Context, start func(chan<- error)) error {
	for i := 0; i < 3; i++ { // no site
		ch := make(chan error, 1)
		start(ch)
		if err := <-ch; err == nil {
			return nil
		}
		pause()
	}
	return errBusy
}

func capped(r remote, tries int) (err error) {
	for i := 0; i < min(tries, 3); i++ { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func cappedAssigned(r remote, tries int) (err error) {
	if tries > 3 {
		tries = 3
	}
	for i := 0; i < tries; i++ { // site loop retry tries(3)
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func negativeIsEndless(r remote, limit int) (err error) {
	for n := 0; limit < 0 || n < limit; n++ { // site loop retry limit
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func otherCounterReset(r remote) error {
	failures := 0
	for { // no site
		if err := r.Ping(); err != nil {
			failures++
			if failures > 3 {
				return err
			}
		} else {
			failures = 0
		}
		pause()
	}
}

func shiftedWait(ctx context.Context, r remote) (err error) {
	var it item
	for attempt := uint8(0); attempt < 4; attempt++ { // site loop retry 4
		it, err = r.Fetch(ctx, "a")
		if err == nil {
			break
		}
		time.Sleep(time.Millisecond << attempt)
	}
	if err != nil {
		return err
	}
	return r.Put(ctx, it)
}

func attemptAsArgument(ctx context.Context, op func(ctx context.Context, attempt int) error) (err error) {
	for attempt := 1; attempt <= 3; attempt++ { // site loop retry 3
		if err = op(ctx, attempt); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func freshRequest(ctx context.Context, w web, id string) (resp *response, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		url := fmt.Sprintf("https://stock.test/%s", id)
		if resp, err = w.Send(url); err == nil {
			return resp, nil
		}
		pause()
	}
	return resp, err
}

func twoErrors(ctx context.Context, r remote) error {
	var err error
	for i := 0; i < 3; i++ { // site loop retry 3
		it, ferr := r.Fetch(ctx, "a")
		if ferr == nil {
			ferr = r.Put(ctx, it)
		}
		if ferr == nil {
			return nil
		}
		err = ferr
		pause()
	}
	return err
}

// A variable loop bound that a type switch decides.
func boundByType(r remote, v any) (err error) {
	n := 1
	switch v.(type) {
	case int:
		n = 2
	case string:
		n = 4
	}
	for range n { // site loop retry 4
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}
