// Package turned has tests with their sides exchanged.
package turned

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type store interface {
	read() error
	write() error
}

var errBusy = errors.New("busy")

func isBusy(err error) bool { return errors.Is(err, errBusy) }

// whileBusy repeats what was too early.
func whileBusy(op func() error) (err error) {
	for range 4 {
		if err = op(); err == nil || !isBusy(err) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
	return err
}

func Inverted(s store) error {
	return whileBusy(func() error {
		if err := s.read(); err != nil {
			if client.IgnoreNotFound(err) != nil { // want `client.IgnoreNotFound is inverted here`
				return nil
			}
			return fmt.Errorf("read: %w", err)
		}
		return s.write()
	})
}

func Straight(s store) error {
	return whileBusy(func() error {
		if err := s.read(); err != nil {
			if client.IgnoreNotFound(err) == nil {
				return nil
			}
			return fmt.Errorf("read: %w", err)
		}
		return s.write()
	})
}

var errGone = errors.New("gone")

func ignoreGone(err error) error {
	if errors.Is(err, errGone) {
		return nil
	}
	return err
}

func Own(s store) error {
	return whileBusy(func() error {
		if err := s.read(); ignoreGone(err) != nil { // want `ignoreGone is inverted here`
			return nil
		}
		return s.write()
	})
}

func Returned(s store) error {
	return whileBusy(func() error {
		if err := s.read(); ignoreGone(err) != nil {
			return err
		}
		return s.write()
	})
}

func isRetryable(err error) bool { return errors.Is(err, errGone) }

func Predicate(s store) (err error) {
	for range 3 {
		if err = s.read(); err == nil {
			return nil
		}
		if isRetryable(err) { // want `this test is inverted: the attempts end if turned.isRetryable says yes`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func Predicated(s store) (err error) {
	for range 3 {
		if err = s.read(); err == nil {
			return nil
		}
		if !isRetryable(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func Forgotten(s store) (err error) {
	for range 3 {
		err = s.write() // want `a success doesn't end the attempts: write is called again after it`
		if err != nil && !isBusy(err) {
			break
		}
		if err != nil {
			time.Sleep(time.Second)
		}
	}
	return err
}

func Library(s store) error {
	return retry.RetryOnConflict(retry.DefaultRetry, func() error {
		if err := s.read(); err != nil {
			if client.IgnoreNotFound(err) != nil { // want `client.IgnoreNotFound is inverted here`
				return nil
			}
			return fmt.Errorf("read: %w", err)
		}
		return s.write()
	})
}
