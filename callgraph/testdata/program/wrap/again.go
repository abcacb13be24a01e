package wrap

import (
	"errors"

	"example.com/program/store"
)

// A Config says what is put around a store.
type Config struct{ Wrap Middleware }

type patient struct {
	inner store.Store
	tries int
}

func (p *patient) Put(key string) error {
	for range p.tries {
		if p.inner.Put(key) == nil { // -> (*patient).Put
			return nil
		}
	}
	return errors.New("used up")
}

// Add puts a patient store around what the configuration puts around it: nobody calls it twice for one.
func Add(config *Config, tries int) {
	wrap := config.Wrap
	config.Wrap = func(s store.Store) store.Store {
		if wrap != nil {
			s = wrap(s) // -> wrap.Add$1
		}
		return &patient{s, tries}
	}
}
