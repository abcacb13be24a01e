package endless

import (
	"errors"
	"sync/atomic"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// What ends the repetitions isn't always seen in their own function.

type bench struct {
	scale  Scale
	idle   int32
	zeroed bool
}

func (b *bench) isStopped() bool { return atomic.LoadInt32(&b.idle) != 0 }

// try works with the same bench that knows whether it has stopped.
func (b *bench) try() error {
	if !b.zeroed {
		return errMoving
	}
	_, err := b.scale.Weigh()
	return err
}

// untilStopped asks for a flag first, and then for the error of the operation.
func (b *bench) untilStopped() bool {
	for {
		if b.isStopped() {
			return true
		}
		if err := b.try(); err == nil {
			return false
		}
		time.Sleep(time.Second)
	}
}

// A Patience waits as long as it has any left.
type Patience struct{ left int }

// Backoff waits, or returns err.
func (p *Patience) Backoff(err error) error {
	if p.left == 0 {
		return err
	}
	p.left--
	time.Sleep(time.Second)
	return nil
}

type finding struct{ moved *int }

type mover interface {
	Move(item string) (finding, error)
	Place(item string) (string, error)
}

// settle loses its patience some day, and does something else as well.
func settle(p *Patience, m mover, item string, f finding) (again bool, err error) {
	if err := p.Backoff(errMoving); err != nil {
		return false, err
	}
	place, err := m.Place(item)
	return place == "", err
}

func moveWithRetries(p *Patience, m mover, item string) error {
	for {
		f, err := m.Move(item)
		if err != nil {
			return err
		}
		if f.moved == nil {
			return nil
		}
		again, err := settle(p, m, item, f)
		if err != nil {
			return err
		}
		if !again {
			return errors.New("it isn't there any more")
		}
	}
}

type stream interface{ Send(reading int) error }

type logger interface {
	Fatalf(format string, args ...any)
}

// send ends with the first failure: its code isn't that of a success, and the program is over.
func send(s stream, log logger) {
	for {
		time.Sleep(time.Second)
		err := s.Send(1)
		switch status.Code(err) {
		case codes.Unavailable:
			return
		case codes.OK:
		default:
			log.Fatalf("send: %v", err)
		}
	}
}

// drop goes on after a failure that it doesn't look at.
func drop(s stream) {
	for { // want `nothing ends the attempts`
		err := s.Send(1)
		if status.Code(err) == codes.OK {
			return
		}
		time.Sleep(time.Second)
	}
}
