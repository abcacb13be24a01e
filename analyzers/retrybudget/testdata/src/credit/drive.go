package credit

import "time"

// Pause is the wait between attempts.
var Pause = time.Second

// failing always fails, and counts.
type failing struct{ attempts int }

func (f *failing) pick(int) (int, error) {
	f.attempts++
	return 0, errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f := &failing{}
	p := &picker{next: f, ledger: &ledger{}}
	call := map[string]func(int) (int, error){
		"Once": p.Once, "Each": p.Each, "First": p.First, "Failed": p.Failed, "Below": p.Below,
	}[way]
	for row := range requests {
		_, _ = call(row)
	}
	return f.attempts - requests
}
