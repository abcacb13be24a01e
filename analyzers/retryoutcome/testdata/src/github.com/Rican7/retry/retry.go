// Package retry is a stand-in for the library: the catalogue knows what it does.
package retry

import "github.com/Rican7/retry/strategy"

type Action func(attempt uint) error

func Retry(action Action, strategies ...strategy.Strategy) error { return nil }
