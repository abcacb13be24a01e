// Package pacedby has sites around a pacer that gives up with an error of its own.
package pacedby

import (
	"errors"
	"time"

	"example.com/program/paced"
)

// Spent is what the pacer gives up with.
type Spent struct{ last error }

func (s *Spent) Error() string { return "spent: " + s.last.Error() }

// Busy is what the server answers.
type Busy struct{}

func (*Busy) Error() string { return "busy" }

type Service struct{ pacer *paced.Pacer }

func New() *Service { return &Service{pacer: paced.New(3, wrap)} } // -> paced.New

func wrap(f paced.Call) (bool, error) {
	again, err := f()
	if again {
		err = &Spent{err}
	}
	return again, err
}

func (s *Service) post() error { return &Busy{} }

// Commit repeats while the server is busy, and not what the pacer has given up.
func (s *Service) Commit() (err error) {
	for range 5 {
		err = s.pacer.Do(func() (bool, error) { // -> (*Pacer).Do
			err := s.post() // -> (*Service).post
			return err != nil && errors.Is(err, errTimeout), err
		})
		if _, busy := err.(*Busy); !busy {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

var errTimeout = errors.New("timeout")

// Send repeats whatever happens.
func (s *Service) Send() (err error) { // chain: 12 of Service Service
	for range 4 {
		err = s.pacer.Do(func() (bool, error) { // -> (*Pacer).Do
			err := s.post() // -> (*Service).post
			return err != nil && errors.Is(err, errTimeout), err
		})
		if err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
