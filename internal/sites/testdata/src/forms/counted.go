package forms

import (
	"context"
	"errors"
	"fmt"
	"time"
)

func fromZero(ctx context.Context, r remote) (it item, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		if it, err = r.Fetch(ctx, "a"); err == nil {
			return it, nil
		}
		time.Sleep(time.Second)
	}
	return it, err
}

func fromOneInclusive(ctx context.Context, r remote) error {
	var err error
	for attempt := 1; attempt <= 4; attempt++ { // site loop retry 4
		err = r.Put(ctx, item{id: "a"})
		if err == nil {
			break
		}
		time.Sleep(time.Duration(attempt) * time.Second)
	}
	return err
}

func fromZeroInclusive(ctx context.Context, r remote) (err error) {
	for i := 0; i <= 4; i++ { // site loop retry 5
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func fromOneExclusive(r remote) (err error) {
	for i := 1; i < 4; i++ { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func countingDown(r remote) (err error) {
	for left := 4; left > 0; left-- { // site loop retry 4
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func countingDownInclusive(r remote) (err error) {
	for retries := 4; retries >= 0; retries-- { // site loop retry 5
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func notEqual(r remote) (err error) {
	for i := 0; i != 6; i += 2 { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func rangeInt(r remote) (err error) {
	for range 3 { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func rangeIntIndexed(ctx context.Context, r remote) (it item, err error) {
	for n := range 5 { // site loop retry 5
		it, err = r.Fetch(ctx, "a")
		if err == nil {
			return it, nil
		}
		time.Sleep(time.Second << n)
	}
	return it, err
}

func rangeDelays(r remote) (err error) {
	for _, d := range []time.Duration{time.Second, 2 * time.Second, 4 * time.Second} { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(d)
	}
	return err
}

var delays = []time.Duration{0, time.Second, 3 * time.Second, 9 * time.Second}

func rangeSharedDelays(r remote) (err error) {
	for _, d := range delays { // site loop retry 4
		time.Sleep(d)
		if err = r.Ping(); err == nil {
			return nil
		}
	}
	return err
}

func endlessWithBreak(r remote) (err error) {
	n := 0
	for { // site loop retry 3
		err = r.Ping()
		if err == nil {
			break
		}
		n++
		if n == 3 {
			break
		}
		pause()
	}
	return err
}

func endlessWithReturn(ctx context.Context, r remote) error {
	for try := 1; ; try++ { // site loop retry 6
		err := r.Put(ctx, item{})
		if err == nil || try > 5 {
			return err
		}
		pause()
	}
}

func testInCondition(r remote) error {
	err := errBusy
	for i := 0; err != nil && i < 3; i++ { // site loop retry 3
		err = r.Ping()
	}
	return err
}

func firstAttemptInInit(r remote) error {
	err := r.Ping()
	for i := 0; err != nil && i < 2; i++ { // site loop retry 3
		pause()
		err = r.Ping()
	}
	return err
}

func byParameter(r remote, tries int) (err error) {
	for i := 0; i < tries; i++ { // site loop retry tries
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func byRetriesParameter(r remote, retries int) (err error) {
	for i := 0; i <= retries; i++ { // site loop retry retries + 1
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func (d *depot) byField() (err error) {
	for i := 0; i < d.max; i++ { // site loop retry d.max
		if err = d.remote.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func byMin(r remote) (err error) {
	const limit = 8
	for i := range min(limit, 5) { // site loop retry 5
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(time.Duration(i) * time.Second)
	}
	return err
}

func defaultedLocal(r remote, tries int) (err error) {
	if tries <= 0 {
		tries = 7
	}
	for i := 0; i < tries; i++ { // site loop retry tries(7)
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func counterAndDeadline(ctx context.Context, r remote) (err error) {
	deadline := time.Now().Add(time.Minute)
	for i := 0; i < 10 && time.Now().Before(deadline); i++ { // site loop retry 10
		if err = r.Put(ctx, item{}); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func deadlineOnly(r remote) (err error) {
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) { // site loop retry n
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func sinceStart(r remote) error {
	start := time.Now()
	for { // site loop retry n
		err := r.Ping()
		if err == nil {
			return nil
		}
		if time.Since(start) > 30*time.Second {
			return err
		}
		pause()
	}
}

func sharedCounter(r remote, left *int) (err error) {
	for *left > 0 { // site loop retry left
		*left--
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func capturedCounter(r remote) error {
	n := 0
	exhausted := func() bool { n++; return n > 3 }
	for { // site loop retry unlimited
		err := r.Ping()
		if err == nil || exhausted() {
			return err
		}
		pause()
	}
}

func errorList(ctx context.Context, r remote) error {
	var errs []error
	for range 3 { // site loop retry 3
		err := r.Put(ctx, item{})
		if err == nil {
			return nil
		}
		errs = append(errs, err)
		pause()
	}
	return errors.Join(errs...)
}

func wrappedOutcome(ctx context.Context, r remote) (it item, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		it, err = r.Fetch(ctx, "a")
		if err == nil && it.id == "" {
			err = fmt.Errorf("empty: %w", errBusy)
		}
		if err == nil {
			return it, nil
		}
		if !errors.Is(err, errBusy) {
			return it, err
		}
		pause()
	}
	return it, err
}

func continueOnFailure(ctx context.Context, r remote) (item, error) {
	var last error
	for i := 0; i < 3; i++ { // site loop retry 3
		it, err := r.Fetch(ctx, "a")
		if err != nil {
			last = err
			pause()
			continue
		}
		return it, nil
	}
	return item{}, last
}

func constantCount(r remote) (err error) {
	const maxRetries = 2
	for attempt := 0; ; attempt++ { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		if attempt >= maxRetries {
			return err
		}
		pause()
	}
}

func sleepFirst(r remote) (err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		if i > 0 {
			time.Sleep(time.Second)
		}
		if err = r.Ping(); err == nil {
			return nil
		}
	}
	return err
}

func uintCounter(r remote, retries uint) (err error) {
	for i := uint(0); i <= retries; i++ { // site loop retry retries + 1
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func twoOperations(ctx context.Context, r remote) (err error) {
	for range 4 { // site loop retry 4
		if err = r.Ping(); err != nil {
			pause()
			continue
		}
		if err = r.Put(ctx, item{}); err != nil {
			pause()
			continue
		}
		return nil
	}
	return err
}

func byMaxOfParameter(r remote, tries int) (err error) {
	for range max(tries, 1) { // site loop retry max(tries, 1)
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

// The last attempt, after the loop, isn't counted.
func lastAfterLoop(r remote) (err error) {
	for _, d := range []time.Duration{time.Second, time.Minute} { // site loop retry 3
		if err = r.Ping(); err == nil {
			return nil
		}
		time.Sleep(d)
	}
	return r.Ping()
}

type settings struct{ Max int }

func defaultedField(op func() error, cfg settings) (err error) {
	if cfg.Max == 0 {
		cfg.Max = 5
	}
	for i := 0; i < cfg.Max; i++ { // site loop retry cfg.Max(5)
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
