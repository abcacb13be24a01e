// Package ids makes and keeps identities.
package ids

import (
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
