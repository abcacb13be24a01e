// Package never feeds hens.
package never

import (
	rican "github.com/Rican7/retry"
	"github.com/Rican7/retry/strategy"
	"github.com/avast/retry-go/v3"
)

func feed() error {
	return rican.Retry(func(uint) error { return grain() }, strategy.Limit(0)) // want `the operation is never executed, and no error tells: strategy.Limit 0`
}

func feedOnce() error {
	return rican.Retry(func(uint) error { return grain() }, strategy.Limit(1))
}

func water() error {
	return retry.Do(grain, retry.Attempts(0), retry.LastErrorOnly(true)) // want `the operation is never executed, and no error tells: Attempts 0`
}

// waterTold returns an error, if an empty one.
func waterTold() error {
	return retry.Do(grain, retry.Attempts(0))
}

func grain() error
