// Package api is a stand-in for the library: the catalogue knows what it does.
package api

import "net/http"

type Config struct {
	HttpClient *http.Client
	MaxRetries int
}

type (
	Client  struct{ c *Config }
	Logical struct{ c *Client }
	Secret  struct{}
)

func DefaultConfig() *Config                           { return nil }
func NewClient(c *Config) (*Client, error)             { return nil, nil }
func (c *Client) Logical() *Logical                    { return nil }
func (c *Client) SetMaxRetries(retries int)            {}
func (l *Logical) Read(path string) (*Secret, error)   { return nil, nil }
func (l *Logical) Delete(path string) (*Secret, error) { return nil, nil }
