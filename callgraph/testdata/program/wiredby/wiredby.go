// Package wiredby gives constructors their policies.
package wiredby

import (
	"time"

	"example.com/program/wired"
)

type counted struct{ most int }

func (c counted) Delay(tried int) time.Duration {
	if tried >= c.most {
		return -1
	}
	return time.Second
}

type never struct{}

func (never) Delay(int) time.Duration { return -1 }

func Wire(put func() error) (*wired.Client, *wired.Torn, *wired.Torn) {
	c := wired.NewClient(counted{most: 8}, put)                                       // -> wired.NewClient
	return c, wired.NewTorn(counted{most: 8}, 6, put), wired.NewTorn(never{}, 6, put) // -> wired.NewTorn
}
