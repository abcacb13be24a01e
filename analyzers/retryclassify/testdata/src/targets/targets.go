// Package targets loads ferries and asks for the type of an error.
package targets

import (
	"errors"
	"fmt"
	"time"
)

type Full struct{ deck string }

func (f Full) Error() string { return f.deck + " is full" }

type Late struct{ by time.Duration }

func (l Late) Error() string { return "late by " + l.by.String() }

type Ferry interface {
	load(car string) (free bool, err error)
}

func load(f Ferry, car string) error {
	free, err := f.load(car)
	if err != nil {
		return err
	}
	if !free {
		return &Full{deck: "car deck"}
	}
	return nil
}

func depart(f Ferry) error {
	if _, err := f.load(""); err != nil {
		return fmt.Errorf("depart: %w", Late{time.Minute})
	}
	return nil
}

func Value(f Ferry, car string) error {
	for range 6 {
		err := load(f, car)
		var full Full
		if err == nil || !errors.As(err, &full) { // want `looks for targets.Full, but the errors are of type \*targets.Full: it never matches`
			return err
		}
		time.Sleep(time.Minute)
	}
	return errors.New("no room")
}

func Pointer(f Ferry, car string) error {
	for range 6 {
		err := load(f, car)
		var full *Full
		if err == nil || !errors.As(err, &full) {
			return err
		}
		time.Sleep(time.Minute)
	}
	return errors.New("no room")
}

func Depart(f Ferry) error {
	for range 6 {
		err := depart(f)
		var late *Late
		if err == nil || !errors.As(err, &late) { // want `looks for \*targets.Late, but the errors are of type targets.Late`
			return err
		}
		time.Sleep(late.by)
	}
	return errors.New("never departs")
}

func Asserted(f Ferry) error {
	for range 6 {
		err := depart(f)
		if err == nil {
			return nil
		}
		late, ok := err.(Late) // want `this assertion to targets.Late never matches: the error arrives wrapped in a \*fmt.wrapError`
		if !ok {
			return err
		}
		time.Sleep(late.by)
	}
	return errors.New("never departs")
}

func Unwrapped(f Ferry) error {
	for range 6 {
		err := depart(f)
		var late Late
		if err == nil || !errors.As(err, &late) {
			return err
		}
		time.Sleep(late.by)
	}
	return errors.New("never departs")
}
