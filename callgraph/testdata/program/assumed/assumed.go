// Package assumed has interfaces that nothing in the program sets.
package assumed

import "errors"

type Sender interface{ Send() error }

type SMTP struct{}

func (*SMTP) Send() error {
	for range 4 {
		if dial() == nil { // -> assumed.dial
			return nil
		}
	}
	return errors.New("no server")
}

func dial() error { return errors.New("refused") }

type Patient struct{ next Sender }

func WithPatience(next Sender) *Patient { return &Patient{next} }

func (p *Patient) Send() error { // chain: 12 of Patient SMTP assumed
	for range 3 {
		if p.next.Send() == nil { // -> -
			return nil
		}
	}
	return errors.New("used up")
}

// Several types could be meant here.
type Reader interface{ Load() error }

type Fast struct{}

func (Fast) Load() error { return dial() } // -> assumed.dial

type Slow struct{}

func (Slow) Load() error { return dial() } // -> assumed.dial

type Loader struct{ Reader Reader }

func (l *Loader) Load() error {
	for range 3 {
		if l.Reader.Load() == nil { // -> -
			return nil
		}
	}
	return errors.New("used up")
}
