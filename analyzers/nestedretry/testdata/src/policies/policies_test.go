package policies

import (
	"context"
	"testing"
	"time"

	"delays"
	"stock"
)

// TestService has a policy of its own, which says nothing about the one in use.
func TestService(t *testing.T) {
	s := &service{policy: delays.NewSteady(time.Second).UpTo(99)}
	if s.stock != nil {
		t.Fatal("stock")
	}
}

// TestOften makes one attempt, and repeats.
func TestOften(t *testing.T) {
	if err := often(context.Background(), new(stock.Client), 1); err != nil {
		t.Fatal(err)
	}
	repeats := func() (err error) {
		for range 5 {
			if err = often(context.Background(), new(stock.Client), 1); err == nil {
				return nil
			}
			time.Sleep(time.Second)
		}
		return err
	}
	if err := handed(repeats); err != nil { // want `up to 45 attempts`
		t.Fatal(err)
	}
}
