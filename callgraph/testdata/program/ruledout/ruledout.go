// Package ruledout has branches that an argument rules out.
package ruledout

import "errors"

type spare struct{ name string }

func (s *spare) ping() error { return errors.New("refused") }

func thrice(op func() error) (err error) {
	for range 3 {
		if err = op(); err == nil { // -> -
			return nil
		}
	}
	return err
}

func fetch(s *spare) (err error) {
	if s != nil {
		for range 4 {
			if err = s.ping(); err == nil { // -> (*spare).ping
				return nil
			}
		}
	}
	return err
}

// Without gives nothing to ask.
func Without() error {
	return thrice(func() error { return fetch(nil) }) // -> ruledout.fetch, ruledout.thrice
}

// With gives a spare one.
func With(s *spare) error { // chain: 12 of With fetch
	return thrice(func() error { return fetch(s) }) // -> ruledout.fetch, ruledout.thrice
}
