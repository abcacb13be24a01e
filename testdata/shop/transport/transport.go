// Package transport makes the HTTP clients that the shop's packages share.
package transport

import (
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// NewClient returns a client that sends a request again, twice at most, if the server can't be reached or answers 5xx.
func NewClient() *http.Client {
	client := retryablehttp.NewClient()
	client.RetryMax = 2
	client.RetryWaitMin = 100 * time.Millisecond
	client.RetryWaitMax = time.Second
	client.Logger = nil
	return client.StandardClient()
}
