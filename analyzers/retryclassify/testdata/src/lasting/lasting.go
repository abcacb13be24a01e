// Package lasting repeats what stays as it is.
package lasting

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

type pilot struct{ Name string }

func fetch(c *http.Client, url string) ([]byte, error) {
	resp, err := c.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return nil, fmt.Errorf("pilots: %s", resp.Status)
	}
	return io.ReadAll(resp.Body)
}

func Answer(c *http.Client, url string) (b []byte, err error) {
	for range 8 {
		if b, err = fetch(c, url); err == nil { // want `every failure is repeated, up to 7 times: also an answer such as 400 or 404`
			return b, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func Few(c *http.Client, url string) (b []byte, err error) {
	for range 3 {
		if b, err = fetch(c, url); err == nil {
			return b, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func apart(c *http.Client, url string) ([]byte, error) {
	resp, err := c.Get(url)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return nil, fmt.Errorf("pilots: %s", resp.Status)
	}
	return io.ReadAll(resp.Body)
}

func Apart(c *http.Client, url string) (b []byte, err error) {
	for range 8 {
		if b, err = apart(c, url); err == nil {
			return b, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

type source interface{ raw() ([]byte, error) }

func parse(s source) (p pilot, err error) {
	b, err := s.raw()
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(b, &p)
}

func Parse(s source) (p pilot, err error) {
	for {
		if p, err = parse(s); err == nil { // want `every failure is repeated, without a limit of their number: also what json.Unmarshal can't read`
			return p, nil
		}
		time.Sleep(time.Second)
	}
}

var errMalformed = errors.New("malformed")

func Classified(s source) (p pilot, err error) {
	for {
		p, err = parse(s)
		if err == nil || errors.Is(err, errMalformed) {
			return p, err
		}
		time.Sleep(time.Second)
	}
}

func row(db *sql.DB, id int) (name string, err error) {
	err = db.QueryRow("SELECT name FROM pilots WHERE id = ?", id).Scan(&name)
	return name, err
}

func Row(db *sql.DB, id int) (name string, err error) {
	for range 6 {
		if name, err = row(db, id); err == nil { // want `also sql.ErrNoRows, which the next attempt meets again`
			return name, nil
		}
		time.Sleep(time.Second)
	}
	return "", err
}

var ErrForbidden = errors.New("no licence")

func enter(s source) error {
	b, err := s.raw()
	if err != nil {
		return err
	}
	if len(b) == 0 {
		return fmt.Errorf("enter: %w", ErrForbidden)
	}
	return nil
}

func Enter(s source) (err error) {
	for range 6 {
		if err = enter(s); err == nil { // want `also lasting.ErrForbidden`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

var errTide = errors.New("low tide")

func ebbing(err error) bool { return errors.Is(err, errTide) }

// The classification decides about the wait, and nothing else.
func Impatient(s source) (b []byte, err error) {
	for range 4 {
		b, err = s.raw()
		if err == nil {
			return b, nil
		} else if ebbing(err) { // want `which failure it is only decides about the wait`
			time.Sleep(time.Second)
		}
	}
	return nil, err
}

// Longer waits for some failures are no fault.
func Patient(s source) (b []byte, err error) {
	for range 4 {
		if b, err = s.raw(); err == nil {
			return b, nil
		}
		if ebbing(err) {
			time.Sleep(time.Minute)
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

var longest = 10 * time.Second

// Clamped waits for what passes, however long that is, and asks two questions.
func Clamped(s source) (b []byte, err error) {
	for n := range 4 {
		if b, err = s.raw(); err == nil {
			return b, nil
		} else if ebbing(err) || flowing(err) { // want `which failure it is only decides about the wait`
			wait := time.Second << n
			if longest > 0 {
				wait = min(wait, longest)
			}
			time.Sleep(wait)
		}
	}
	return nil, err
}

func flowing(err error) bool { return errors.Is(err, errFlow) }

var errFlow = errors.New("flow")
