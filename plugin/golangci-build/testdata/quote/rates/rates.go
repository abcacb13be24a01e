// Package rates asks for exchange rates.
package rates

import "net/http"

// Ask asks four times at most.
func Ask(url string) (resp *http.Response, err error) {
	for range 4 {
		if resp, err = http.Get(url); err == nil {
			return resp, nil
		}
	}
	return nil, err
}
