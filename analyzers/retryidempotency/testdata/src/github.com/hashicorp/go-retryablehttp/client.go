// Package retryablehttp is a stand-in for the library: the catalogue knows what it does.
package retryablehttp

import (
	"io"
	"net/http"
)

type Client struct {
	HTTPClient *http.Client
	RetryMax   int
}

func NewClient() *Client { return &Client{RetryMax: 4} }

type Request struct{ *http.Request }

func NewRequest(method, url string, body any) (*Request, error) { return nil, nil }

func (c *Client) Do(req *Request) (*http.Response, error)          { return nil, nil }
func (c *Client) Get(url string) (*http.Response, error)           { return nil, nil }
func (c *Client) StandardClient() *http.Client                     { return nil }
func Post(url, typ string, body io.Reader) (*http.Response, error) { return nil, nil }
