package ctx

import (
	"context"

	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
)

// A crew decides what is worth another look, as whoever hires it says.
type crew struct{ again func(error) bool }

func newCrew() *crew { return &crew{again: func(error) bool { return false }} }

// Hire says what.
func (c *crew) Hire(again func(error) bool) { c.again = again }

// Sound asks what nobody here knows.
func (c *crew) Sound(ctx context.Context, s sonar) (d float64, err error) {
	err = retry.OnError(wait.Backoff{Steps: 5}, c.again, func() (err error) {
		d, err = s.depth(ctx)
		return err
	})
	return d, err
}
