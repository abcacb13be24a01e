// Package count is the algebra of attempts: how often an operation is executed, as a number, a symbol with or without a
// default, unlimited, or unknown. Counts are total attempts, never retries. There are no floats, and no overflow: what
// doesn't fit is held at the largest number.
package count

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Kind tells the forms of a Count apart.
type Kind uint8

// The kinds of counts.
const (
	Unknown   Kind = iota
	Number         // N attempts
	Symbol         // Text attempts, by default N if HasDefault
	Unlimited      // no end
)

// A Count is a number of total attempts of one site or, as a product, of a chain. The zero Count is unknown.
type Count struct {
	Kind       Kind
	N          int64  // the number, or the default of a symbol
	Text       string // the symbol, as the source writes it
	HasDefault bool
	// Bounded says what ends the attempts, beside success: counter, elapsed, waiter, context, signal, iterator; empty if nothing.
	Bounded string
}

// Of returns the count of exactly n attempts.
func Of(n int64) Count { return Count{Kind: Number, N: n} }

// Infinite returns the count without an end; by says what else ends it, as in Count.Bounded.
func Infinite(by string) Count { return Count{Kind: Unlimited, Bounded: by} }

// Named returns a symbolic count without a default.
func Named(text string) Count { return Count{Kind: Symbol, Text: text} }

// WithDefault returns a symbolic count with a default.
func WithDefault(text string, n int64) Count {
	return Count{Kind: Symbol, Text: text, N: n, HasDefault: true}
}

// One reports whether the count is exactly one attempt: no retry at all.
func (c Count) One() bool { return c.Kind == Number && c.N <= 1 }

// Value returns the number of attempts, or the default of a symbol.
func (c Count) Value() (n int64, ok bool) {
	if c.Kind == Number || c.Kind == Symbol && c.HasDefault {
		return c.N, true
	}
	return 0, false
}

// Times returns the count of c attempts, each of which makes d attempts. The text of a symbolic product is left to Product.
func (c Count) Times(d Count) Count {
	if c.Kind == Unlimited || d.Kind == Unlimited {
		return Infinite(c.Bounded)
	}
	x, okx := c.Value()
	y, oky := d.Value()
	switch {
	case c.Kind == Number && d.Kind == Number:
		return Of(multiply(x, y))
	case okx && oky:
		return WithDefault(Product(c, d), multiply(x, y))
	}
	return Named(Product(c, d))
}

func multiply(x, y int64) int64 {
	hi, lo := bits.Mul64(uint64(x), uint64(y))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}

// More reports whether c is worse than d: unlimited before numbers before symbols without a default before unknown.
func (c Count) More(d Count) bool {
	if c.rank() != d.rank() {
		return c.rank() > d.rank()
	}
	if c.N != d.N {
		return c.N > d.N
	}
	return c.Text < d.Text
}

func (c Count) rank() int {
	switch {
	case c.Kind == Unlimited:
		return 3
	case c.Kind == Number || c.HasDefault:
		return 2
	case c.Kind == Symbol:
		return 1
	}
	return 0
}

// Product renders factors as 3 × cfg.Max × 4.
func Product(factors ...Count) string {
	parts := make([]string, len(factors))
	for i, f := range factors {
		parts[i] = f.Factor()
	}
	return strings.Join(parts, " × ")
}

// Factor renders a count inside of a product: sums in parentheses.
func (c Count) Factor() string {
	s := c.String()
	if c.Kind == Symbol && strings.ContainsAny(c.Text, "+-") {
		return "(" + s + ")"
	}
	return s
}

// String renders the count without its default: 3, cfg.Max + 1, unlimited, unknown.
func (c Count) String() string {
	switch c.Kind {
	case Number:
		return strconv.FormatInt(c.N, 10)
	case Symbol:
		return c.Text
	case Unlimited:
		return "unlimited"
	}
	return "unknown"
}
