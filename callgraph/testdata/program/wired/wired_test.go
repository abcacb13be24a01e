package wired_test

import (
	"testing"
	"time"

	"example.com/program/wired"
)

type twice struct{}

func (twice) Delay(tried int) time.Duration {
	if tried >= 2 {
		return -1
	}
	return time.Second
}

// TestClient gives the constructor a policy that no user gets.
func TestClient(t *testing.T) {
	if err := wired.NewClient(twice{}, func() error { return nil }).Put(); err != nil {
		t.Fatal(err)
	}
}
