package resty

type Client struct{ RetryCount int }

type Request struct{}

type Response struct{}

func New() *Client { return &Client{} }

func (c *Client) SetRetryCount(count int) *Client {
	c.RetryCount = count
	return c
}

func (c *Client) R() *Request { return &Request{} }

func (r *Request) SetBody(body any) *Request             { return r }
func (r *Request) SetHeader(name, value string) *Request { return r }
func (r *Request) Post(url string) (*Response, error)    { return nil, nil }
func (r *Request) Put(url string) (*Response, error)     { return nil, nil }
