// Package giveup nests retries whose inner layers give up with errors that the outer ones repeat, or don't.
package giveup

import (
	"errors"
	"fmt"
	"time"

	"kinds"
	"limits"
)

var errOwn = errors.New("own")

// UntilExhausted leaves when the inner layer has given up.
func UntilExhausted() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || errors.Is(err, limits.ErrExhausted) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// OlderName asks for the same error by another name.
func OlderName() (err error) {
	for range 3 {
		if err = limits.Wrapped(); err == nil || errors.Is(err, limits.ErrSpent) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// BothInside finds the sentinel beside the last error.
func BothInside() (err error) {
	for range 3 {
		if err = limits.Both(); err == nil || errors.Is(err, limits.ErrExhausted) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Compared asks by == for what is wrapped, so that it never finds it.
func Compared() (err error) {
	for range 3 {
		if err = limits.Wrapped(); err == nil || err == limits.ErrExhausted { // want `up to 12 attempts`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// ComparedPlain asks by == for what isn't wrapped.
func ComparedPlain() (err error) {
	for range 3 {
		err = limits.Plain()
		if err == nil || err == limits.ErrExhausted {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

// OtherSentinel leaves on something else.
func OtherSentinel() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || errors.Is(err, limits.ErrBusy) { // want `up to 12 attempts`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// OnConflict repeats what the inner layer doesn't give up with.
func OnConflict() error {
	for range 3 {
		err := limits.Plain()
		if errors.Is(err, limits.ErrBusy) {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errOwn
}

// OnExhausted repeats it, on the contrary.
func OnExhausted() error {
	for range 3 {
		err := limits.Plain() // want `up to 12 attempts`
		if errors.Is(err, limits.ErrExhausted) {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errOwn
}

// OnAny asks the last error of the inner layer, which may be anything.
func OnAny() error {
	for range 3 {
		err := limits.Unchanged() // want `up to 12 attempts`
		if errors.Is(err, errOwn) {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errOwn
}

// OnAnyInside asks what a type holds, which may be anything, too.
func OnAnyInside() error {
	for range 3 {
		err := limits.InLast() // want `up to 12 attempts`
		if errors.Is(err, errOwn) {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errOwn
}

// OnAsserted asks for a type that would be inside.
func OnAsserted() error {
	for range 3 {
		err := limits.InLast()
		if status, ok := err.(*limits.Status); ok && status.Code == 503 {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errOwn
}

// OnStatus looks inside.
func OnStatus() error {
	for range 3 {
		err := limits.InLast() // want `up to 12 attempts`
		var status *limits.Status
		if errors.As(err, &status) && status.Code == 503 {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
	return errOwn
}

// OnStatusOf asks for another type than the inner layer's.
func OnStatusOf() error {
	for range 3 {
		err := limits.Typed()
		var status *limits.Status
		if !errors.As(err, &status) {
			return err
		}
		time.Sleep(time.Second)
	}
	return errOwn
}

// OnGaveUp asks for the inner layer's type.
func OnGaveUp() error {
	for range 3 {
		err := limits.Typed() // want `up to 12 attempts`
		var gaveUp *limits.GaveUp
		if !errors.As(err, &gaveUp) {
			return err
		}
		time.Sleep(time.Second)
	}
	return errOwn
}

// ByType decides in a switch.
func ByType() error {
	for range 3 {
		switch err := limits.Typed().(type) {
		case nil:
			return nil
		case *limits.GaveUp:
			return err
		}
		time.Sleep(time.Second)
	}
	return errOwn
}

// Through passes the inner layer's error on, in words of its own.
func through() error {
	if err := limits.Wrapped(); err != nil {
		return fmt.Errorf("through: %w", err)
	}
	return nil
}

// Far asks for it further out.
func Far() (err error) {
	for range 3 {
		if err = through(); err == nil || errors.Is(err, limits.ErrExhausted) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func hidden() error {
	if err := limits.Wrapped(); err != nil {
		return fmt.Errorf("hidden: %v", err)
	}
	return nil
}

// FarHidden asks for what isn't there any more.
func FarHidden() (err error) {
	for range 3 {
		if err = hidden(); err == nil || errors.Is(err, limits.ErrExhausted) { // want `up to 12 attempts`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

func isExhausted(err error) bool { return errors.Is(err, limits.ErrExhausted) }

// Asking leaves as a function of its own says.
func Asking() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || isExhausted(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// AskingOthers repeats what an imported function says.
func AskingOthers() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || !limits.Transient(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// AskingUnsure asks a function that looks at the text.
func AskingUnsure() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || !limits.Worth(err) { // want `up to 12 attempts`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// NewText knows that a new error is none of those.
func NewText() (err error) {
	for range 3 {
		if err = limits.Texted(); err == nil || !limits.Transient(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Helper stops by the sentinel of another package's helper.
func Helper() error { return limits.WhileBusy(3, limits.Plain) }

// HelperLiteral has a literal in between.
func HelperLiteral() error {
	return limits.WhileBusy(3, func() error {
		if err := limits.Wrapped(); err != nil {
			return fmt.Errorf("literal: %w", err)
		}
		return nil
	})
}

// HelperAny may see that.
func HelperAny() error { return limits.WhileBusy(3, limits.Unchanged) } // want `up to 12 attempts`

// Absent has no classifier, and that policy repeats nothing without one.
func Absent() error { return limits.Policy{Attempts: 3}.Do(limits.Unchanged) }

// Always has one that says yes to all.
func Always() error {
	all := func(error) bool { return true }
	return limits.Policy{Attempts: 3, Retryable: all}.Do(limits.Unchanged) // want `up to 12 attempts`
}

// Never has one that says no to all.
func Never() error {
	return limits.Policy{Attempts: 3, Retryable: func(error) bool { return false }}.Do(limits.Unchanged)
}

// Classified has one that says no to the inner layer's error.
func Classified() error {
	return limits.Policy{Attempts: 3, Retryable: limits.Transient}.Do(limits.Plain)
}

// ClassifiedAny may see what it says yes to.
func ClassifiedAny() error {
	return limits.Policy{Attempts: 3, Retryable: limits.Transient}.Do(limits.Unchanged) // want `up to 12 attempts`
}

// ClassifiedHere has a literal.
func ClassifiedHere() error {
	return limits.Policy{Attempts: 3, Retryable: func(err error) bool { return !errors.Is(err, limits.ErrExhausted) }}.Do(limits.Both)
}

// UnlessNil stops at nothing.
func UnlessNil() error { return limits.Unless(3, nil, limits.Plain) } // want `up to 12 attempts`

// UnlessExhausted stops at the inner layer's error.
func UnlessExhausted() error { return limits.Unless(3, isExhausted, limits.Plain) }

// UnlessAlways makes one attempt.
func UnlessAlways() error { return limits.Unless(3, func(error) bool { return true }, limits.Plain) }

// UnlessOther stops at something else.
func UnlessOther() error { // the inner error is none of those, so it goes on
	return limits.Unless(3, limits.Transient, limits.Plain) // want `up to 12 attempts`
}

// OfKind asks a package that does nothing but tell errors apart.
func OfKind() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || !kinds.Passing(err) {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// OfOtherKind repeats all but one kind.
func OfOtherKind() (err error) {
	for range 3 {
		if err = limits.Plain(); err == nil || kinds.Passing(err) { // want `up to 12 attempts`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// ByCode leaves on an error that isn't what the inner layer gives up with.
func ByCode(more func(int) bool) (err error) {
	for range 3 {
		if err = limits.Coded(more); err == nil || errors.Is(err, limits.ErrExhausted) { // want `up to 3 × unknown attempts`
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
