// Package closures moves bees.
package closures

import (
	"errors"
	"fmt"
	"log"

	"github.com/avast/retry-go/v4"
	kube "k8s.io/client-go/util/retry"
)

type hive struct{ queen string }

type apiary interface {
	Get(name string) (*hive, error)
	Update(h *hive) error
}

var errNone = errors.New("no such hive")

func ignoreNone(err error) error {
	if errors.Is(err, errNone) {
		return nil
	}
	return err
}

func inverted(a apiary, name string) error {
	return kube.RetryOnConflict(kube.DefaultRetry, func() error {
		h, err := a.Get(name)
		if err != nil {
			if ignoreNone(err) != nil {
				return nil // want `the operation has failed, and returns nil`
			}
			return fmt.Errorf("get: %w", err)
		}
		return a.Update(h)
	})
}

func right(a apiary, name string) error {
	return kube.RetryOnConflict(kube.DefaultRetry, func() error {
		h, err := a.Get(name)
		if err != nil {
			if ignoreNone(err) == nil {
				return nil
			}
			return fmt.Errorf("get: %w", err)
		}
		return a.Update(h)
	})
}

func filtered(a apiary, name string) error {
	return kube.RetryOnConflict(kube.DefaultRetry, func() error {
		h, err := a.Get(name)
		if err != nil {
			return ignoreNone(err)
		}
		return a.Update(h)
	})
}

func gone(a apiary, name string) error {
	return retry.Do(func() error {
		h, err := a.Get(name)
		if errors.Is(err, errNone) {
			return nil
		}
		if err != nil {
			return err
		}
		return a.Update(h)
	}, retry.Attempts(3))
}

// neverFails gives the library nothing to repeat.
func neverFails(a apiary, h *hive) error {
	return retry.Do(func() error {
		if err := a.Update(h); err != nil {
			return nil // want `the operation has failed, and returns nil`
		}
		return nil
	}, retry.Attempts(3))
}

// captured keeps the error.
func captured(a apiary, h *hive) error {
	var last error
	err := retry.Do(func() error {
		if err := a.Update(h); err != nil {
			last = err
			return nil
		}
		return nil
	}, retry.Attempts(3))
	return errors.Join(err, last)
}

func dropped(a apiary, h *hive) error {
	if h == nil {
		return errNone
	}
	retry.Do(func() error { return a.Update(h) }, retry.Attempts(3)) // want `the error of the last attempt is dropped`
	return nil
}

func blank(a apiary, h *hive) error {
	if h == nil {
		return errNone
	}
	_ = retry.Do(func() error { return a.Update(h) }, retry.Attempts(3))
	return nil
}

// droppedAndKept has the error of the closure, whatever the library says.
func droppedAndKept(a apiary, h *hive) (err error) {
	retry.Do(func() error {
		err = a.Update(h)
		return err
	}, retry.Attempts(3))
	return err
}

func meant(a apiary, h *hive) error {
	if h == nil {
		return errNone
	}
	if err := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3)); err != nil {
		log.Printf("hive not updated: %v", err)
	}
	return nil
}

func replaced(a apiary, h *hive) error {
	if err := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3)); err != nil {
		return errors.New("hive not updated") // want `the error of the last attempt is lost`
	}
	return nil
}

func wrapped(a apiary, h *hive) error {
	if err := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3)); err != nil {
		return fmt.Errorf("hive not updated: %w", err)
	}
	return nil
}

func classified(a apiary, h *hive) error {
	err := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3))
	if errors.Is(err, errNone) {
		return errors.New("buy a hive first")
	}
	return err
}

func wrongVariable(a apiary, name string) (*hive, error) {
	h, err := a.Get(name)
	if err != nil {
		return nil, err
	}
	updateErr := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3))
	if updateErr != nil {
		return nil, err // want `nil is returned as the error`
	}
	return h, nil
}

type result struct{ bees []string }

// orElse makes an error of what the apiary said, if it was none.
func (r *result) orElse(err error) error {
	if err == nil && len(r.bees) == 0 {
		return errNone
	}
	return err
}

func throughMethod(a apiary, h *hive) ([]string, error) {
	var r result
	err := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3))
	if err = r.orElse(err); err != nil {
		return nil, fmt.Errorf("bees: %w", err)
	}
	if len(r.bees) > 100 {
		return nil, errors.New("too many bees")
	}
	return r.bees, nil
}

// byCode answers to a status that the closure has left.
func byCode(fetch func() (int, error)) error {
	code := 0
	err := retry.Do(func() (err error) {
		code, err = fetch()
		return err
	}, retry.Attempts(3))
	if err != nil {
		if code == 404 {
			return errNone
		}
		return err
	}
	return nil
}

// looksFirst asks for something else before it looks at the error.
func looksFirst(a apiary, h *hive) error {
	var r result
	err := retry.Do(func() error { return a.Update(h) }, retry.Attempts(3))
	if len(r.bees) == 0 {
		return errNone // want `the error of the last attempt is lost`
	}
	return err
}

// signal has an error of its own for an answer, and goes on if there is none.
func signal(a apiary, name string, find func() (*hive, error)) (*hive, error) {
	var isOne error
	h, err := retry.DoWithData(find, retry.Attempts(3))
	if err == nil && h != nil {
		isOne = errNone
	}
	return h, isOne
}
