package window

import "time"

// Pause is the wait between attempts.
var Pause = time.Second

type failing struct{ attempts int }

func (f *failing) weave(string) error {
	f.attempts++
	return errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f := &failing{}
	w := &window{last: time.Now().Unix()}
	for range requests {
		switch way {
		case "Weave":
			_ = Weave(w, f, "")
		case "Attempts":
			_ = Attempts(w, f, "")
		}
	}
	return f.attempts - requests
}
