// Package ids makes and keeps identities.
package ids

import (
	"context"
	"fmt"

	"github.com/google/uuid"
)

// Next is another one each time.
func Next() string { return "b-" + uuid.NewString() } // want Next:`fresh \[0\]`

// Pair returns the day's batch beside a new number.
func Pair(day string) (batch, number string) { return "batch-" + day, Next() } // want Pair:`fresh \[1\]`

// Of is the same for the same booking.
func Of(booking int64) string { return fmt.Sprintf("b-%d", booking) }

// A Pass keeps what it has made.
type Pass struct{ number string }

// Number is made once.
func (p *Pass) Number() string {
	if p.number == "" {
		p.number = uuid.NewString()
	}
	return p.number
}

type contextKey struct{}

// From is the identity that a request came with, or a new one.
func From(ctx context.Context) string {
	if id, ok := ctx.Value(contextKey{}).(string); ok {
		return id
	}
	return uuid.NewString()
}

// Given is the identity that a request came with.
func Given(ctx context.Context) (string, bool) {
	id, ok := ctx.Value(contextKey{}).(string)
	return id, ok
}

// Checked fails, or is another one each time.
func Checked() (string, error) { // want Checked:`fresh \[0\]`
	id, err := uuid.NewRandom()
	if err != nil {
		return "", err
	}
	return id.String(), nil
}
