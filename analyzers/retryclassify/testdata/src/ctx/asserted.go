package ctx

import (
	"context"
	"time"
)

type portError struct{ Code int }

func (e *portError) Error() string { return "port" }

// whilePortErrs tells errors apart by their type, for whoever calls it.
func whilePortErrs(fn func() error) error {
	var err error
	for range 4 {
		if err = fn(); err == nil {
			return nil
		}
		status, ok := err.(*portError)
		if !ok || status.Code != 429 && status.Code < 500 {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func always(fn func() error) error {
	var err error
	for range 4 {
		if err = fn(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func Asserted(ctx context.Context, s sonar) error {
	return whilePortErrs(func() error {
		_, err := s.depth(ctx)
		return err
	})
}

func Unasserted(ctx context.Context, s sonar) error {
	return always(func() error { // want `depth fails once the caller's context is done`
		_, err := s.depth(ctx)
		return err
	})
}
