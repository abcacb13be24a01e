// Package forms holds retry sites in all forms, and loops that look like one. The comment at the end of a line says what
// the recogniser finds there:
//
//	// site KIND ROLE ATTEMPTS	exactly this; ATTEMPTS is n, a symbol, symbol(default), unlimited or unknown
//	// no site	nothing that is a retry; a line without a comment is the same
package forms

import (
	"context"
	"errors"
	"time"
)

type item struct {
	id    string
	state string
}

// remote is what the functions of this package repeat, and what they don't.
type remote interface {
	Fetch(ctx context.Context, id string) (item, error)
	Put(ctx context.Context, it item) error
	Ping() error
}

type depot struct {
	remote remote
	max    int
}

var (
	errBusy  = errors.New("busy")
	errOther = errors.New("other")
)

func pause() { time.Sleep(20 * time.Millisecond) }
