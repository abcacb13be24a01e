package throttle

import "time"

// Pause is the wait between attempts.
var Pause = time.Second

type failing struct{ attempts int }

func (f *failing) ring() error {
	f.attempts++
	return errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f := &failing{}
	t := &throttle{max: 100, half: 50, ratio: 0.5, tokens: 100}
	for range requests {
		switch way {
		case "Ring":
			_ = Ring(t, f)
		case "RingEach":
			_ = RingEach(t, f)
		}
	}
	return f.attempts - requests
}
