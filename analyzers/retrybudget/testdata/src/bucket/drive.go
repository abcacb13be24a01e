package bucket

import "time"

// Pause is the wait between attempts.
var Pause = time.Second

type failing struct{ attempts int }

func (f *failing) draw() error {
	f.attempts++
	return errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f := &failing{}
	b := &bucket{tokens: 100}
	for range requests {
		switch way {
		case "Draw":
			_ = Draw(b, f)
		case "Refilled":
			_ = Refilled(b, f)
		}
	}
	return f.attempts - requests
}
