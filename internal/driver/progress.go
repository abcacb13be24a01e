package driver

import (
	"encoding/json"
	"fmt"
	"time"
)

// next returns the next results, false after the last. While it waits it tells now and then how far the run is.
func (r *run) next(v *vetting, every <-chan time.Time) (tree map[string]map[string]json.RawMessage, ok bool) {
	for {
		select {
		case tree, ok = <-v.units:
			return tree, ok
		case <-every:
			r.progress()
		}
	}
}

// progress tells how far the analysis is. What packages import is analysed before them, which takes most of the time of a first
// run; of that, the go command tells nothing.
func (r *run) progress() {
	const text = "retrylint: %d of %s analysed, after what they import; all is kept in Go's build cache for the next run\n"
	fmt.Fprintf(r.Log, text, r.analysed(), packages(r.named))
}

// analysed counts the packages that were asked for and have a result, whose tests are units of their own.
func (r *run) analysed() int {
	n := 0
	for _, p := range r.packages {
		if r.asks(p) && r.got(p) {
			n++
		}
	}
	return n
}
