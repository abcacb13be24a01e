// Package paced repeats what asks for it.
package paced

import "time"

type Call func() (bool, error)

type Pacer struct {
	tries  int
	invoke func(f Call) (bool, error)
}

func New(tries int, invoke func(f Call) (bool, error)) *Pacer { return &Pacer{tries, invoke} }

func (p *Pacer) Do(f Call) (err error) {
	for i := 0; i < p.tries; i++ {
		var again bool
		if again, err = p.invoke(f); !again { // -> pacedby.wrap
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
