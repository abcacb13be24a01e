// Package rates asks for exchange rates.
package rates

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// Ask asks four times at most.
func Ask(url string) (resp *http.Response, err error) {
	for try := range 4 {
		if try > 0 {
			time.Sleep(time.Second + rand.N(time.Second))
		}
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}
