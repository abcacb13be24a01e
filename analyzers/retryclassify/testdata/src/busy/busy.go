// Package busy is told to come back later.
package busy

import (
	"net/http"
	"time"
)

func Ask(c *http.Client, req *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := c.Do(req)
		if err != nil || n == 3 || resp.StatusCode != http.StatusTooManyRequests { // want `429 is repeated without a look at the Retry-After`
			return resp, err
		}
		resp.Body.Close()
		time.Sleep(time.Second)
	}
}
