// Package wiring decides which values arrive where. Its functions show the ways that values can go.
package wiring

import (
	"example.com/program/store"
	"example.com/program/wrap"
)

type Service struct {
	store store.Store
	save  func(string) error
	all   map[string]store.Store
	queue chan store.Store
	list  []store.Store
}

func New(s store.Store) *Service { return &Service{store: s} }

func Main() {
	s := New(wrap.New(store.NewDisk(), 3)) // -> wiring.New, wrap.New, store.NewDisk
	s.Field("")                            // -> (*Service).Field
}

// Field is reached with the service that Main constructs.
func (s *Service) Field(key string) error {
	return s.store.Put(key) // -> (*Retrying).Put
}

// SetSave stores a function that is called later.
func (s *Service) SetSave(d *store.Disk) { s.save = d.Put }

func (s *Service) Save(key string) error {
	return s.save(key) // -> (*Disk).Put
}

func (s *Service) Register(name string) { s.all[name] = &store.Memory{} }

func (s *Service) Lookup(name, key string) error {
	return s.all[name].Put(key) // -> (*Memory).Put
}

func (s *Service) Send() { s.queue <- store.NewDisk() } // -> store.NewDisk

func (s *Service) Receive(key string) error {
	next := <-s.queue
	return next.Put(key) // -> (*Disk).Put
}

func (s *Service) Append() { s.list = append(s.list, &store.Memory{}) }

func (s *Service) Each(key string) {
	for _, next := range s.list {
		_ = next.Put(key) // -> (*Memory).Put
	}
}

var shared store.Store

func init() { shared = &store.Memory{} }

func Shared(key string) error {
	return shared.Put(key) // -> (*Memory).Put
}

func choose(fast bool) store.Store {
	if fast {
		return &store.Memory{}
	}
	return store.NewDisk() // -> store.NewDisk
}

func Chosen(fast bool, key string) error {
	return choose(fast).Put(key) // -> wiring.choose, (*Disk).Put, (*Memory).Put
}

// each is called with functions only; its callers aren't linked to each other through it.
func each[T any](list []T, do func(T) error) error {
	for _, x := range list {
		if err := do(x); err != nil { // -> -
			return err
		}
	}
	return nil
}

func Generic(keys []string) error {
	return each(keys, (&store.Memory{}).Put) // -> wiring.each
}

func Literal(s *store.Disk) error {
	put := func(key string) error { return s.Put(key) } // -> (*Disk).Put
	return put("")                                      // -> wiring.Literal$1
}

// Stack decorates twice.
func Stack() store.Store {
	s := wrap.Tries(3)(store.NewDisk())      // -> wrap.Tries, wrap.Tries$1, store.NewDisk
	return wrap.Tries(5)(wrap.NewLogging(s)) // -> wrap.Tries, wrap.Tries$1, wrap.NewLogging
}

func Named(d *store.Disk) store.Store { return store.Func(d.Put) }
