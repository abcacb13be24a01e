// Package compare fetches tide tables and asks for one error.
package compare

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

var (
	ErrTide  = errors.New("gauge is drying out")
	ErrSilty = errors.New("gauge is silted")
)

type gauge interface{ level() (int, error) }

func read(g gauge) (int, error) {
	n, err := g.level()
	if err != nil {
		return 0, fmt.Errorf("read gauge: %w", ErrTide)
	}
	return n, nil
}

func bare(g gauge) (int, error) {
	n, err := g.level()
	if err != nil {
		return 0, ErrTide
	}
	return n, nil
}

func either(g gauge) (int, error) {
	n, err := g.level()
	switch {
	case n < 0:
		return 0, ErrTide
	case err != nil:
		return 0, fmt.Errorf("gauge: %w", ErrTide)
	}
	return n, nil
}

func Wrapped(g gauge) (n int, err error) {
	for range 4 {
		n, err = read(g)
		if err == nil {
			return n, nil
		}
		if err != ErrTide { // want `comparison with compare.ErrTide never matches: the error arrives wrapped in a \*fmt.wrapError`
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func Switched(g gauge) (n int, err error) {
	for range 4 {
		n, err = read(g)
		switch err {
		case nil:
			return n, nil
		case ErrTide: // want `never matches`
			time.Sleep(time.Second)
		default:
			return 0, err
		}
	}
	return 0, err
}

// through a classifier of its own
func Asked(g gauge) (n int, err error) {
	for range 4 {
		n, err = read(g)
		if err == nil {
			return n, nil
		}
		if !drying(err) {
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func drying(err error) bool { return err == ErrTide } // want `never matches`

func Bare(g gauge) (n int, err error) {
	for range 4 {
		n, err = bare(g)
		if err == nil {
			return n, nil
		}
		if err != ErrTide {
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

// Some ways return it bare: the comparison matches those.
func Either(g gauge) (n int, err error) {
	for range 4 {
		n, err = either(g)
		if err == nil {
			return n, nil
		}
		if err != ErrTide {
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func Other(g gauge) (n int, err error) {
	for range 4 {
		n, err = read(g)
		if err == nil {
			return n, nil
		}
		if err == ErrSilty || !errors.Is(err, ErrTide) {
			return 0, err
		}
		time.Sleep(time.Second)
	}
	return 0, err
}

func table(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("tide table: %w", err)
	}
	return b, nil
}

func Table(path string) (b []byte, err error) {
	for range 3 {
		b, err = table(path)
		if err == nil || !os.IsNotExist(err) { // want `os.IsNotExist doesn't look into wrapped errors`
			return b, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func Plain(path string) (b []byte, err error) {
	for range 3 {
		b, err = os.ReadFile(path)
		if err == nil || !os.IsNotExist(err) {
			return b, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func Get(url string) (resp *http.Response, err error) {
	for range 3 {
		resp, err = http.Get(url)
		if err == nil {
			return resp, nil
		}
		if !errors.Is(err, http.ErrHandlerTimeout) {
			return nil, err
		}
		time.Sleep(time.Second)
	}
	return nil, err
}
