package answers

import (
	"net/http"
	"time"
)

func bothAtOnce(hc *http.Client, url string) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := hc.Get(url)
		if err != nil && resp != nil && resp.StatusCode >= 500 && n < 3 { // want `this is never asked: the result of .* is nil if there is an error`
			time.Sleep(time.Second)
			continue
		}
		return resp, err
	}
}

func eitherOne(hc *http.Client, url string) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := hc.Get(url)
		if n < 3 && (err != nil || resp != nil && resp.StatusCode >= 500) {
			if err == nil {
				resp.Body.Close()
			}
			time.Sleep(time.Second)
			continue
		}
		return resp, err
	}
}

// Closing what isn't there is no question about the failure.
func closed(hc *http.Client, url string) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := hc.Get(url)
		if err == nil {
			return resp, nil
		}
		if resp != nil {
			resp.Body.Close()
		}
		if n == 3 {
			return nil, err
		}
		time.Sleep(time.Second)
	}
}
