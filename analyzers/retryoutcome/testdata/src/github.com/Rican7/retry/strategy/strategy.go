// Package strategy is a stand-in for that of the library.
package strategy

type Strategy func(attempt uint) bool

func Limit(attempts uint) Strategy { return nil }
