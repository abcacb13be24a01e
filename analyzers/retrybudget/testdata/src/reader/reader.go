// Package reader reads on where it has got to, after a failure: a position is no budget.
package reader

import (
	"errors"
	"io"
)

var errTooMany = errors.New("too many tries")

type handle struct {
	rc          io.ReadCloser
	open        func(offset int64) (io.ReadCloser, error)
	offset, end int64
	tries, most int
}

func (h *handle) reopen() (err error) {
	if h.tries++; h.tries > h.most {
		return errTooMany
	}
	if h.offset >= h.end {
		return io.ErrUnexpectedEOF
	}
	h.rc, err = h.open(h.offset)
	return err
}

func (h *handle) Read(p []byte) (n int, err error) {
	var more int
	for n < len(p) && err == nil {
		more, err = h.rc.Read(p[n:])
		n += more
		h.offset += int64(more)
		if err != nil && err != io.EOF {
			if h.reopen() == nil {
				err = nil
			}
		}
	}
	return n, err
}
