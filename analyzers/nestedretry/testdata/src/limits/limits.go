// Package limits repeats requests, and tells by its errors that it has given up.
package limits

import (
	"errors"
	"fmt"
	"time"
)

// The errors that callers ask for.
var (
	ErrExhausted = errors.New("limits: attempts are used up")
	ErrBusy      = errors.New("limits: somebody else was faster")
	ErrSpent     = ErrExhausted // an older name
	ErrDeep      = fmt.Errorf("deep: %w", ErrExhausted)
)

// A GaveUp is what is left after the last attempt.
type GaveUp struct{ Attempts int }

func (g *GaveUp) Error() string { return fmt.Sprint(g.Attempts, " attempts failed") }

// A Status is what the server answers.
type Status struct{ Code int }

func (s *Status) Error() string { return fmt.Sprint("status ", s.Code) }

// A Last holds the error of the last attempt.
type Last struct{ Err error }

func (l *Last) Error() string { return l.Err.Error() }

// Unwrap returns the error of the last attempt.
func (l *Last) Unwrap() error { return l.Err }

var send func() error

// Plain returns its sentinel.
func Plain() error {
	for i := 0; i < 4; i++ {
		if err := send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return ErrExhausted
}

// Wrapped keeps the text of the last error only.
func Wrapped() error {
	var err error
	for i := 0; i < 4; i++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return fmt.Errorf("%w: %v", ErrExhausted, err)
}

// Both keeps the last error, too.
func Both() error {
	var err error
	for i := 0; i < 4; i++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return fmt.Errorf("%w after 4 attempts: %w", ErrExhausted, err)
}

// Typed returns its type at the last attempt, and what can't be helped at once.
func Typed() error {
	for i := 1; ; i++ {
		err := send()
		if err == nil || errors.Is(err, ErrBusy) {
			return err
		}
		if i == 4 {
			return &GaveUp{i}
		}
		time.Sleep(time.Second)
	}
}

// Unchanged returns the last error.
func Unchanged() (err error) {
	for i := 0; i < 4; i++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// InLast returns the last error inside of a type.
func InLast() (err error) {
	for i := 0; i < 4; i++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return &Last{err}
}

// Texted returns a new error.
func Texted() error {
	for i := 0; i < 4; i++ {
		if err := send(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("no luck")
}

// Transient answers of what is worth another attempt.
func Transient(err error) bool {
	var status *Status
	if errors.As(err, &status) && status.Code == 503 {
		return true
	}
	return errors.Is(err, ErrBusy)
}

// Worth asks for more than errors.
func Worth(err error) bool { return errors.Is(err, ErrBusy) || err.Error() == "again" }

// A Policy says what is repeated: nothing if it has no Retryable.
type Policy struct {
	Attempts  int
	Retryable func(error) bool
}

// Do repeats what p calls retryable.
func (p Policy) Do(op func() error) error {
	for i := 1; ; i++ {
		err := op()
		if err == nil || i >= p.Attempts {
			return err
		}
		if p.Retryable == nil || !p.Retryable(err) {
			return err
		}
		time.Sleep(time.Second)
	}
}

// Unless repeats until stop says so; without it, whatever happens.
func Unless(n int, stop func(error) bool, op func() error) (err error) {
	for i := 0; i < n; i++ {
		if err = op(); err == nil {
			return nil
		}
		if stop != nil && stop(err) {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

// WhileBusy repeats while somebody is busy.
func WhileBusy(n int, op func() error) (err error) {
	for i := 0; i < n; i++ {
		if err = op(); !errors.Is(err, ErrBusy) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Coded leaves at once on a number that the error holds; that its attempts are used up it finds out elsewhere.
func Coded(more func(attempt int) bool) error {
	for i := 0; i >= 0; i++ {
		err := send()
		if err == nil {
			return nil
		}
		if codeOf(err) == 404 {
			return ErrExhausted
		}
		if !more(i) {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

func codeOf(err error) int {
	if status, ok := err.(*Status); ok {
		return status.Code
	}
	return 0
}
