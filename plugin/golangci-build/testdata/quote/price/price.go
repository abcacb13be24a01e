// Package price makes quotes, in another package than what repeats below it.
package price

import "example.com/quote/rates"

// Quote asks for the rate three times at most.
func Quote(url string) (err error) {
	for range 3 {
		resp, err := rates.Ask(url)
		if err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Accepted is the same, with a word on why.
func Accepted(url string) (err error) {
	for range 3 {
		//retrylint:ignore nestedretry the rates are served from memory
		resp, err := rates.Ask(url)
		if err == nil {
			return resp.Body.Close()
		}
	}
	return err
}

// Excused is the same, excused as golangci-lint does it.
func Excused(url string) (err error) {
	for range 3 {
		resp, err := rates.Ask(url) //nolint:retrylint // the rates are served from memory
		if err == nil {
			return resp.Body.Close()
		}
	}
	return err
}
