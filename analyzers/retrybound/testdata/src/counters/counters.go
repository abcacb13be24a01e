// Package counters has counters and clocks that should end the attempts.
package counters

import (
	"context"
	"errors"
	"log"
	"time"
)

type Door interface {
	Open() error
}

var errStuck = errors.New("stuck")

const most = 5

func declaredInside(d Door) error {
	for {
		tries := 0
		err := d.Open()
		if err == nil {
			return nil
		}
		tries++
		if tries > most { // want `tries never reaches its limit: it is declared inside of the loop`
			return err
		}
		time.Sleep(time.Second)
	}
}

func setBack(d Door) error {
	tries := 0
	for tries < most { // want `tries never reaches its limit: it is set back in each round`
		tries = 0
		err := d.Open()
		if err == nil {
			return nil
		}
		tries++
		time.Sleep(time.Second)
	}
	return errStuck
}

func neverCounts(d Door) error {
	tries := 0
	for {
		err := d.Open()
		if err == nil || tries >= most { // want `tries never reaches its limit: nothing counts`
			return err
		}
		log.Print("again")
		time.Sleep(time.Second)
	}
}

func skipsCounting(d Door) error {
	for tries := 0; tries < most; { // want `tries never reaches its limit`
		err := d.Open()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		tries++
		return nil
	}
	return errStuck
}

func wrongDirection(d Door, n int) error {
	for left := 5; left >= 0; left++ { // want `left never reaches its limit: the comparison asks for the wrong direction`
		if err := d.Open(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errStuck
}

func shadows(d Door, limit int) error {
	tries := 0
	for {
		err := d.Open()
		if err == nil {
			return nil
		}
		if !errors.Is(err, errStuck) {
			tries := tries + 1
			log.Print(tries)
		}
		if tries >= limit { // want `tries never reaches its limit: what is counted is another variable`
			return err
		}
		time.Sleep(time.Second)
	}
}

func clockInside(d Door) error {
	for {
		start := time.Now()
		err := d.Open()
		if err == nil {
			return nil
		}
		if time.Since(start) > time.Minute { // want `the clock that it is compared with starts anew`
			return err
		}
		time.Sleep(time.Second)
	}
}

func deadlineInside(d Door, limit time.Duration) error {
	for {
		deadline := time.Now().Add(limit)
		err := d.Open()
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
		if time.Now().After(deadline) { // want `the clock that it is compared with starts anew`
			return err
		}
	}
}

type hall struct {
	door    Door
	tries   int
	retries int
}

// The rest is silent.

func counts(d Door) error {
	tries := 0
	for {
		err := d.Open()
		if err == nil {
			return nil
		}
		if tries++; tries > most {
			return err
		}
		time.Sleep(time.Second)
	}
}

// freeOfCharge doesn't count what is expected.
func freeOfCharge(d Door) error {
	tries := 0
	for {
		err := d.Open()
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errStuck):
			time.Sleep(time.Second)
			continue
		}
		if tries++; tries > most {
			return err
		}
	}
}

func (h *hall) inField() error {
	for h.tries = 0; h.tries < most; h.tries++ {
		if err := h.door.Open(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errStuck
}

func clockOutside(d Door) error {
	start := time.Now()
	for {
		err := d.Open()
		if err == nil {
			return nil
		}
		if time.Since(start) > time.Minute {
			return err
		}
		time.Sleep(time.Second)
	}
}

// timed tells how long each attempt took.
func timed(ctx context.Context, d Door) error {
	for ctx.Err() == nil {
		start := time.Now()
		err := d.Open()
		if err == nil || time.Since(start) > time.Minute {
			return err
		}
		time.Sleep(time.Second)
	}
	return ctx.Err()
}

func neverMoves(d Door, limit int) error {
	tries := 0
	for {
		err := d.Open()
		if err == nil {
			return nil
		}
		if tries > limit { // want `tries never reaches its limit: nothing counts`
			return err
		}
		tries = 1
		time.Sleep(time.Second)
	}
}

func clockMovesOn(d Door) error {
	start := time.Now()
	for time.Since(start) < time.Minute { // want `the clock that it is compared with starts anew`
		err := d.Open()
		if err == nil {
			return nil
		}
		start = time.Now()
		time.Sleep(time.Second)
	}
	return errStuck
}

func besideContext(ctx context.Context, d Door) error {
	for {
		tries := 0
		err := d.Open()
		if err == nil {
			return nil
		}
		tries++
		if tries >= most { // want `tries never reaches its limit`
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}
