// Package outcome books ferry crossings.
package outcome

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"google.golang.org/grpc/status"
)

var (
	errFull    = errors.New("ferry is full")
	errHarbour = errors.New("harbour doesn't answer")
)

type harbour interface {
	Book(ctx context.Context, car string) error
	Ticket(ctx context.Context, car string) (*ticket, error)
}

type ticket struct{ number string }

type gaveUp struct {
	tries int
	last  error
}

func (g *gaveUp) Error() string { return fmt.Sprintf("gave up after %d tries: %v", g.tries, g.last) }

func fixed(ctx context.Context, h harbour, car string) error {
	for range 3 {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errHarbour // want `the error of the last attempt is lost`
}

func newText(ctx context.Context, h harbour, car string) (*ticket, error) {
	for try := 0; try < 3; try++ {
		t, err := h.Ticket(ctx, car)
		if err == nil {
			return t, nil
		}
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("no ticket for %s after %d tries", car, 3) // want `the error of the last attempt is lost`
}

func formatted(ctx context.Context, h harbour, car string) (*ticket, error) {
	var last error
	for try := 0; try < 3; try++ {
		t, err := h.Ticket(ctx, car)
		if err == nil {
			return t, nil
		}
		last = err
		time.Sleep(time.Second)
	}
	return nil, fmt.Errorf("no ticket for %s: %v", car, last)
}

func textOnly(ctx context.Context, h harbour, car string) error {
	why := ""
	for try := 0; try < 3; try++ {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		why = err.Error()
		time.Sleep(time.Second)
	}
	return errors.New("not booked: " + why)
}

func typed(ctx context.Context, h harbour, car string) error {
	var last error
	for try := 0; try < 3; try++ {
		if last = h.Book(ctx, car); last == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return &gaveUp{3, last}
}

func typedEmpty(ctx context.Context, h harbour, car string) error {
	for try := 0; try < 3; try++ {
		if err := h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return &gaveUp{tries: 3} // want `the error of the last attempt is lost`
}

func joined(ctx context.Context, h harbour, car string) error {
	var all []error
	for try := 0; try < 3; try++ {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		all = append(all, err)
		time.Sleep(time.Second)
	}
	return errors.Join(all...)
}

func shadowed(ctx context.Context, h harbour, car string) (*ticket, error) {
	var t *ticket
	var err error
	for try := 0; try < 3; try++ {
		t, err := h.Ticket(ctx, car)
		if err == nil {
			return t, nil
		}
		time.Sleep(time.Second)
	}
	return t, err // want `nil is returned as the error`
}

func named(ctx context.Context, h harbour, car string) (err error) {
	for try := 0; try < 3; try++ {
		if err := h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return // want `nil is returned as the error`
}

func namedRight(ctx context.Context, h harbour, car string) (err error) {
	for try := 0; try < 3; try++ {
		if err = h.Book(ctx, car); err == nil {
			return
		}
		time.Sleep(time.Second)
	}
	return
}

func other(ctx context.Context, h harbour, car string) error {
	err := h.Book(ctx, "probe")
	if err != nil {
		return err
	}
	tries := 0
	for tries < 5 {
		bookErr := h.Book(ctx, car)
		if bookErr == nil {
			break
		}
		tries++
		time.Sleep(time.Second)
	}
	return err // want `nil is returned as the error`
}

func flagged(ctx context.Context, h harbour, car string) error {
	booked := false
	var err error
	for range 4 {
		if err = h.Book(ctx, car); err == nil {
			booked = true
			break
		}
		time.Sleep(time.Second)
	}
	if !booked {
		return fmt.Errorf("car %s: %w", car, err)
	}
	return nil
}

func flaggedWrong(ctx context.Context, h harbour, car string) error {
	var err error
	failed := false
	for range 4 {
		if err = h.Book(ctx, car); err == nil {
			break
		}
		failed = true
		time.Sleep(time.Second)
	}
	if failed {
		return nil // want `nil is returned as the error`
	}
	return err
}

// contextError runs out of attempts long before its context is done.
func contextError(ctx context.Context, h harbour, car string) error {
	for i := 0; i < 3 && ctx.Err() == nil; i++ {
		if err := h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return ctx.Err() // want `the error of the context is returned`
}

// untilDone only ends with its context.
func untilDone(ctx context.Context, h harbour, car string) error {
	for ctx.Err() == nil {
		if err := h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return ctx.Err()
}

func deadline(ctx context.Context, h harbour, car string) (*ticket, error) {
	var err error
	end := time.Now().Add(time.Minute)
	for ctx.Err() == nil {
		t, err := h.Ticket(ctx, car)
		if err == nil {
			return t, nil
		}
		if time.Now().After(end) {
			break
		}
		time.Sleep(time.Second)
	}
	if err != nil {
		return nil, err
	}
	return nil, ctx.Err() // want `the error of the context is returned`
}

// impossible can't get past its loop: the last attempt returns from within.
func impossible(ctx context.Context, h harbour, car string, most int) error {
	for i := range most {
		tries := i + 1
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		left := tries < most
		if errors.Is(err, errFull) && left {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errors.New("unreachable")
}

// bestEffort has nobody to tell.
func bestEffort(ctx context.Context, h harbour, car string) {
	for range 3 {
		if h.Book(ctx, car) == nil {
			return
		}
		time.Sleep(time.Second)
	}
}

// givesUp says so, on purpose.
func givesUp(ctx context.Context, h harbour, car string) error {
	if car == "" {
		return errFull
	}
	for range 3 {
		if h.Book(ctx, car) == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	log.Printf("%s is not booked, which doesn't matter", car)
	return nil
}

// lastResort tries something else in the end.
func lastResort(ctx context.Context, h, other harbour, car string) error {
	for range 3 {
		if h.Book(ctx, car) == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return other.Book(ctx, car)
}

type office struct {
	h    harbour
	last error
}

// kept leaves the error where the caller finds it.
func (o *office) kept(ctx context.Context, car string) error {
	for range 3 {
		err := o.h.Book(ctx, car)
		if err == nil {
			return nil
		}
		o.last = err
		time.Sleep(time.Second)
	}
	return errHarbour
}

// answered has no error to lose: the status comes to the caller.
func answered(c *http.Client, req *http.Request) (*http.Response, error) {
	for try := 0; ; try++ {
		resp, err := c.Do(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 500 || try == 3 {
			return resp, nil
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}

// found is told by a boolean.
func found(ctx context.Context, h harbour, car string) (bool, error) {
	for try := 0; try < 3; try++ {
		if h.Book(ctx, car) == nil {
			return true, nil
		}
		time.Sleep(time.Second)
	}
	return false, nil
}

// unreadable has a misleading test: the counter of a range over integers never gets there.
func unreadable(ctx context.Context, h harbour, car string) error {
	var i int
	for i = range 3 {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errFull) {
			return err
		}
		time.Sleep(time.Second)
	}
	if i >= 3 {
		return errors.New("too many tries") // want `this is never returned`
	}
	return nil // want `nil is returned as the error`
}

// window goes on to another day; a failure of the same day ends nothing.
func window(ctx context.Context, h harbour, day, end time.Time) (*ticket, error) {
	retries := 0
	for day.Compare(end) < 0 {
		t, err := h.Ticket(ctx, day.String())
		if err != nil {
			retries++
			time.Sleep(time.Duration(retries) * time.Second)
			continue
		}
		if t == nil {
			day = day.Add(time.Hour)
			continue
		}
		return t, nil
	}
	return nil, errors.New("no ticket on any day")
}

// guarded asks the counter behind the loop.
func guarded(ctx context.Context, h harbour, car string) (*ticket, error) {
	var t *ticket
	var err error
	try := 0
	for ; try < 3; try++ {
		if t, err = h.Ticket(ctx, car); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	if try == 3 {
		return nil, fmt.Errorf("no ticket: %w", err)
	}
	return t, nil
}

// guardedBy asks it for a number that the caller gives.
func guardedBy(ctx context.Context, h harbour, car string, most int) (*ticket, error) {
	var t *ticket
	var err error
	try := 0
	for ; try < most; try++ {
		if t, err = h.Ticket(ctx, car); err == nil {
			break
		}
		time.Sleep(time.Second)
	}
	if try >= most {
		return nil, fmt.Errorf("no ticket: %w", err)
	}
	return t, nil
}

// defaulted has a bound that is decided before the loop.
func defaulted(ctx context.Context, h harbour, car string, most int) error {
	if most <= 0 {
		most = 3
	}
	for try := 1; ; try++ {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		if try == most {
			return errHarbour // want `the error of the last attempt is lost`
		}
		time.Sleep(time.Second)
	}
}

// sameAgain repeats one failure only, and returns it.
func sameAgain(ctx context.Context, h harbour, car string) error {
	for range 3 {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		if !errors.Is(err, errFull) {
			return err
		}
		time.Sleep(time.Second)
	}
	return errFull
}

// early gives up before the deadline of its context, when that isn't done yet.
func early[T any](ctx context.Context, fn func(context.Context) (T, error), pause time.Duration) (T, error) {
	var none T
	var err error
	deadline, limited := ctx.Deadline()
	for ctx.Err() == nil {
		result, err := fn(ctx)
		if err == nil {
			return result, nil
		}
		if limited && time.Now().Add(pause).After(deadline) {
			break
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
	if err != nil {
		return none, err
	}
	return none, ctx.Err() // want `the error of the context is returned`
}

func recursive(ctx context.Context, h harbour, car string, tries int) error {
	err := h.Book(ctx, car)
	if err == nil {
		return nil
	}
	if tries == 0 {
		return nil // want `nil is returned as the error`
	}
	time.Sleep(time.Second)
	return recursive(ctx, h, car, tries-1)
}

func recursiveRight(ctx context.Context, h harbour, car string, tries int) error {
	err := h.Book(ctx, car)
	if err == nil || tries == 0 {
		return err
	}
	time.Sleep(time.Second)
	return recursiveRight(ctx, h, car, tries-1)
}

func transient(err error) bool { return errors.Is(err, errFull) }

// rejected drops the failures that it doesn't repeat.
func rejected(ctx context.Context, h harbour, car string) error {
	var last error
	for range 3 {
		err := h.Book(ctx, car)
		if err == nil {
			return nil
		}
		if !transient(err) {
			return nil // want `nil is returned as the error`
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

var errGone = errors.New("no such car")

// settled takes one failure for an answer.
func settled(ctx context.Context, h harbour, car string) error {
	var last error
	for range 3 {
		err := h.Book(ctx, car)
		if err == nil || errors.Is(err, errGone) {
			return nil
		}
		last = err
		time.Sleep(time.Second)
	}
	return last
}

type outcome struct {
	car string
	err error
}

// inResult puts the error into another result.
func inResult(ctx context.Context, h harbour, car string) (outcome, error) {
	if car == "" {
		return outcome{}, errFull
	}
	var err error
	for range 3 {
		if err = h.Book(ctx, car); err == nil {
			return outcome{car: car}, nil
		}
		time.Sleep(time.Second)
	}
	return outcome{car, err}, nil
}

// late is told by what is deferred.
func late(ctx context.Context, h harbour, car string) (err error) {
	var last error
	defer func() {
		if last != nil {
			err = last
		}
	}()
	for range 3 {
		if last = h.Book(ctx, car); last == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return nil
}

// answer doesn't tell a client why, but writes it down.
func answer(ctx context.Context, h harbour, car string) error {
	var err error
	for range 3 {
		if err = h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	log.Printf("book %s: %v", car, err)
	return status.Error(14, "no harbour answers")
}

func answerUntold(ctx context.Context, h harbour, car string) error {
	for range 3 {
		if err := h.Book(ctx, car); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return status.Error(14, "no harbour answers") // want `the error of the last attempt is lost`
}
