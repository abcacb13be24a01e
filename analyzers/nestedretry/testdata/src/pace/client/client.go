// Package client repeats calls that a pacer repeats.
package client

import (
	"errors"
	"time"

	"pace"
)

// A Session is open.
type Session struct {
	marked, plain *pace.Pacer
	send          func() (bool, error)
}

// New opens a session.
func New() *Session { return &Session{marked: pace.Marked(), plain: pace.Plain()} }

// Commit repeats on one status, which what the pacer gives up with never is: it is marked.
func (s *Session) Commit() (err error) {
	for range 3 {
		err = s.marked.Call(func() (bool, error) { return s.send() })
		if status, ok := err.(*pace.Status); !ok || status.Code != "early" {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}

// Inside looks inside of the mark.
func (s *Session) Inside() (err error) {
	for range 3 {
		err = s.marked.Call(func() (bool, error) { return s.send() }) // want `up to 12 attempts`
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
		err = s.plain.Call(func() (bool, error) { return s.send() }) // want `up to 12 attempts`
		if status, ok := err.(*pace.Status); !ok || status.Code != "early" {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
