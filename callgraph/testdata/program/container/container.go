// Package container lets something call its constructors that takes them as untyped values, as containers for dependency
// injection do. Constructors are made by a generic function from methods of an interface.
package container

import (
	"errors"

	"example.com/program/store"
)

type Ledger interface{ Add(key string) error }

type Factory interface {
	NewStore() (store.Store, error)
	NewLedger() (Ledger, error)
}

type factory struct{}

func NewFactory() Factory { return &factory{} }

func (f *factory) NewStore() (store.Store, error) { return store.NewDisk(), nil } // -> store.NewDisk

func (f *factory) NewLedger() (Ledger, error) { return paper{}, nil }

type paper struct{}

func (paper) Add(key string) error { return errors.New("no ink") }

func provider[T any](construct func(Factory) (T, error)) func(Factory) (T, error) {
	return func(f Factory) (T, error) {
		made, err := construct(f)
		if err != nil {
			return made, err
		}
		return made, nil
	}
}

func provide(constructors ...any) {}

type options struct{ factory func() Factory }

// defaults decides which factory it is, somewhere else than where it is given.
func defaults() *options { return &options{factory: NewFactory} }

func wire(o *options) {
	provide(o.factory, provider(Factory.NewStore), provider(Factory.NewLedger), NewService) // -> container.provider
}

func init() { wire(defaults()) } // -> container.defaults, container.wire

type Service struct {
	store  store.Store
	ledger Ledger
}

func NewService(s store.Store, l Ledger) *Service { return &Service{store: s, ledger: l} }

// Save reaches the store that the factory makes.
func (s *Service) Save(key string) (err error) { // chain: 8 of Service Disk
	for range 4 {
		if err = s.store.Put(key); err == nil { // -> (*Disk).Put
			return nil
		}
	}
	return err
}

// Note is no chain: the ledger doesn't try again.
func (s *Service) Note(key string) (err error) {
	for range 5 {
		if err = s.ledger.Add(key); err == nil { // -> (paper).Add
			return nil
		}
	}
	return err
}

func thrice(operation func(string) error, key string) (err error) {
	for range 3 {
		if err = operation(key); err == nil { // -> -
			return nil
		}
	}
	return err
}

// Hand hands a method of an interface on.
func (s *Service) Hand(key string) error { // chain: 6 of Service Disk
	return thrice(s.store.Put, key) // -> container.thrice
}
