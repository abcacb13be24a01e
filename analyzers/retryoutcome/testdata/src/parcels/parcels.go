// Package parcels hands parcels over. A test executes it against a counter that is closed.
package parcels

import (
	"errors"
	"time"
)

// Pause is the time between attempts.
var Pause = time.Second

// Silent says that all is well when nothing was.
func Silent(hand func() error) error {
	for range 3 {
		if hand() == nil {
			return nil
		}
		time.Sleep(Pause)
	}
	return nil // want `the last attempt has failed, and nil is returned`
}

// Shadowed keeps the error where nobody looks.
func Shadowed(hand func() error) (err error) {
	for range 3 {
		err := hand()
		if err == nil {
			return nil
		}
		time.Sleep(Pause)
	}
	return err // want `the last attempt has failed`
}

// Vague tells that it failed, and not why.
func Vague(hand func() error) error {
	for range 3 {
		if err := hand(); err == nil {
			return nil
		}
		time.Sleep(Pause)
	}
	return errors.New("not handed over") // want `.`
}

// Told tells all.
func Told(hand func() error) (err error) {
	for range 3 {
		if err = hand(); err == nil {
			return nil
		}
		time.Sleep(Pause)
	}
	return err
}
