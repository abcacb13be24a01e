package policies

import (
	"testing"
	"time"

	"delays"
)

// TestService has a policy of its own, which says nothing about the one in use.
func TestService(t *testing.T) {
	s := &service{policy: delays.NewSteady(time.Second).UpTo(99)}
	if s.stock != nil {
		t.Fatal("stock")
	}
}
