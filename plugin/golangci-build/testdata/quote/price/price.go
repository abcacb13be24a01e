// Package price makes quotes, in another package than what repeats below it.
package price

import (
	"net/http"

	"example.com/quote/rates"
)

// Quote asks for the rate three times at most.
func Quote(url string) (err error) {
	for range 3 {
		var resp *http.Response
		if resp, err = rates.Ask(url); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Accepted is the same, with a word on why.
func Accepted(url string) (err error) {
	for range 3 {
		var resp *http.Response
		//retrylint:ignore nestedretry the rates are served from memory
		if resp, err = rates.Ask(url); err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Excused is the same, excused as golangci-lint does it.
func Excused(url string) (err error) {
	for range 3 {
		var resp *http.Response
		if resp, err = rates.Ask(url); err == nil { //nolint:retrylint // the rates are served from memory
			return resp.Body.Close()
		}
	}
	return err
}
