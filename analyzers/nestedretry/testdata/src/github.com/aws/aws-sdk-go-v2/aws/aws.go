// Package aws stands in for the real one.
package aws

import "net/http"

type Config struct {
	Region           string
	Credentials      any
	Logger           any
	RetryMaxAttempts int
	HTTPClient       interface {
		Do(*http.Request) (*http.Response, error)
	}
}
