package answers

import "time"

// Pause lies between attempts.
var Pause = time.Second

type cold struct{ fired int }

func (c *cold) fire(int) error {
	c.fired++
	return errBusy
}

// Drive makes requests of a kiln that always fails, the way that is named, and counts the retries.
func Drive(way string, requests int) int {
	k := &cold{}
	p := &potter{kiln: k, bucket: &bucket{}}
	fire := map[string]func(int) error{"Once": p.Once, "Each": p.Each}[way]
	for n := range requests {
		_ = fire(n)
	}
	return k.fired - requests
}
