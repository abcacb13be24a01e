// Package wrap decorates stores.
package wrap

import (
	"errors"

	"example.com/program/store"
)

type Retrying struct {
	inner store.Store
	tries int
}

func New(inner store.Store, tries int) *Retrying { return &Retrying{inner: inner, tries: tries} }

func (r *Retrying) Put(key string) error { // chain: 30 of Retrying Retrying Disk
	for range r.tries {
		if r.inner.Put(key) == nil { // -> (*Disk).Put, (*Retrying).Put
			return nil
		}
	}
	return errors.New("used up")
}

type Logging struct {
	store.Store // what isn't overridden is the inner store's
	name        string
}

func NewLogging(inner store.Store) store.Store { return &Logging{Store: inner, name: "log"} }

type Middleware func(store.Store) store.Store

func Tries(n int) Middleware {
	return func(inner store.Store) store.Store { return New(inner, n) } // -> wrap.New
}
