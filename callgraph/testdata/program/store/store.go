// Package store has an interface and what implements it. The comments say which functions a call can run.
package store

import "errors"

type Store interface {
	Put(key string) error
}

type Disk struct{}

func NewDisk() *Disk { return &Disk{} }

func (d *Disk) Put(key string) error {
	for range 2 {
		if write(key) == nil { // -> store.write
			return nil
		}
	}
	return errors.New("disk")
}

type Memory struct{}

func (m *Memory) Put(key string) error { return write(key) } // -> store.write

func write(key string) error {
	if key == "" {
		return errors.New("no key")
	}
	return nil
}

// Func is a function with a method.
type Func func(key string) error

func (f Func) Put(key string) error { return f(key) } // -> (*Disk).Put
