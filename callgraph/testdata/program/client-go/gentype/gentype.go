// Package gentype stands in for the real one.
package gentype

type Client[T any] struct{ newObject func() T }

type ClientWithList[T any] struct {
	*Client[T]
	alsoLister[T]
}

type alsoLister[T any] struct{ client *Client[T] }

func NewClientWithList[T any](newObject func() T, options ...func(*Client[T])) *ClientWithList[T] {
	c := &Client[T]{newObject: newObject}
	for _, option := range options {
		option(c)
	}
	return &ClientWithList[T]{c, alsoLister[T]{c}}
}

func (c *Client[T]) Patch(name string) (T, error) { return c.newObject(), nil }

func (l *alsoLister[T]) List() (list []T, err error) { return nil, nil }
