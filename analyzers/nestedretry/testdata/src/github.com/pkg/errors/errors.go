// Package errors is a stand-in for the library: the catalogue knows what it does.
package errors

func Is(err, target error) bool { return false }

func Wrap(err error, message string) error              { return nil }
func Wrapf(err error, format string, args ...any) error { return nil }
