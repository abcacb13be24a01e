// Package wiredtests constructs what tests need: that reaches no user.
package wiredtests

import (
	"time"

	"example.com/program/wired"
)

type once struct{}

func (once) Delay(int) time.Duration { return -1 }

func Client(put func() error) *wired.Client { return wired.NewClient(once{}, put) }
