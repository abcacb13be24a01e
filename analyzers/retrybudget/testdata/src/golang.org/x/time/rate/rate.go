// Package rate stands in for the one of that name.
package rate

type Limit float64

type Limiter struct{}

func NewLimiter(r Limit, b int) *Limiter { return &Limiter{} }

func (l *Limiter) Allow() bool { return true }
