// Package kinds tells errors apart, and nothing else.
package kinds

import "errors"

var errPassing = errors.New("passing")

// Passing reports whether another attempt may help.
func Passing(err error) bool { return errors.Is(err, errPassing) }
