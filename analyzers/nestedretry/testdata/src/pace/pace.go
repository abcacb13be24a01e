// Package pace marks what a pacer gives up with.
package pace

import (
	"errors"
	"fmt"
	"log"
	"time"

	"pace/core"
)

// A Pacer is a pacer of this program.
type Pacer struct{ *core.Pacer }

// Marked returns a pacer whose last error is marked.
func Marked(attempts int) *Pacer {
	p := &Pacer{
		Pacer: core.New(
			core.By(marking),
			core.Attempts(max(attempts, 4)),
		),
	}
	p.SetSleep(0)
	return p
}

// SetSleep sets the pause between attempts.
func (p *Pacer) SetSleep(d time.Duration) { p.Pacer.SetSleep(d) }

// Plain returns a pacer that returns what it gets.
func Plain() *Pacer { return &Pacer{core.New(core.Attempts(4))} }

type again struct{ error }

// Unwrap returns what was marked.
func (a again) Unwrap() error { return a.error }

// Again marks an error as worth another attempt.
func Again(err error) error {
	if err == nil {
		err = errors.New("again")
	}
	return again{err}
}

func marking(attempt int, f core.Paced) (more bool, err error) {
	more, err = f()
	if more {
		log.Print(attempt, err)
		err = Again(err)
	}
	return
}

// A Status is an error of the server.
type Status struct{ Code string }

func (s *Status) Error() string { return fmt.Sprint("status ", s.Code) }
