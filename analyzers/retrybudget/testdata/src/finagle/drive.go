package finagle

import "time"

// Pause is the wait between attempts.
var Pause = time.Second

type failing struct{ attempts int }

func (f *failing) open() error {
	f.attempts++
	return errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f := &failing{}
	b, h := &budget{at: time.Now().UnixNano() / oneSlots}, &hoard{units: 5000 * cost} // after a quiet time
	for range requests {
		switch way {
		case "Open":
			_ = Open(b, f)
		case "OpenEach":
			_ = OpenEach(b, f)
		case "OpenHoard":
			_ = OpenHoard(h, f)
		}
	}
	return f.attempts - requests
}
