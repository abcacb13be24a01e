// Package client repeats calls that a pacer repeats.
package client

import (
	"errors"
	"log"
	"time"

	"pace"
)

// A Session is open.
type Session struct {
	marked, plain *pace.Pacer
	send          func() (int, error)
}

// New opens a session.
func New() *Session { return &Session{marked: pace.Marked(3), plain: pace.Plain()} }

func worth(status int, err error) (bool, error) {
	if early, ok := err.(*pace.Status); ok && early.Code == "blocked" {
		return true, err
	}
	return status >= 500, err
}

// Commit repeats on one status, which what the pacer gives up with never is: it is marked.
func (s *Session) Commit(attempts int) (n int, err error) {
	var status int
	var try int
outer:
	for try = range attempts {
		err = s.marked.Call(func() (bool, error) {
			status, err = s.send()
			return worth(status, err)
		})
		if err != nil {
			if early, ok := err.(*pace.Status); ok && early.Code == "early" {
				log.Print(err)
			} else {
				return 0, err
			}
		} else {
			switch status {
			case 200:
				break outer
			case 202:
				log.Print("not yet")
			default:
				return 0, errors.New("what is this?")
			}
		}
		log.Print(try)
		time.Sleep(time.Second)
	}
	return status, nil
}

// Inside looks inside of the mark.
func (s *Session) Inside() (err error) {
	for range 3 {
		err = s.marked.Call(func() (bool, error) { return worth(s.send()) }) // want `up to 12 attempts`
		var status *pace.Status
		if err == nil || !errors.As(err, &status) || status.Code != "early" {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// CommitPlain asks a pacer that returns what it gets.
func (s *Session) CommitPlain() (err error) {
	for range 3 {
		err = s.plain.Call(func() (bool, error) { return worth(s.send()) }) // want `up to 12 attempts`
		if status, ok := err.(*pace.Status); !ok || status.Code != "early" {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
