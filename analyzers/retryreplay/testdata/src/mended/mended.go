// Package mended sends parcels to a depot. A test executes it, as it stands and as the fixes leave it.
package mended

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Pause is the time between attempts.
var Pause = time.Second

func again(operation func() error) (err error) {
	for range 3 {
		if err = operation(); err == nil {
			return nil
		}
		time.Sleep(Pause)
	}
	return err
}

func accepted(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 500 {
		return fmt.Errorf("not accepted: %s", resp.Status)
	}
	return nil
}

// Loop gives each attempt what the first one has left of a reader.
func Loop(depot *http.Client, url, parcel string) (err error) {
	for range 3 {
		r := strings.NewReader(parcel)
		if err = accepted(depot.Post(url, "text/plain", r)); err == nil { // want `the first attempt reads to its end`
			return nil
		}
		time.Sleep(Pause)
	}
	return err
}

// Literal does the same in a function that is executed again.
func Literal(depot *http.Client, url, parcel string) error {
	return again(func() error {
		r := bytes.NewReader([]byte(parcel))
		return accepted(depot.Post(url, "text/plain", r)) // want `the first attempt reads to its end`
	})
}

// Open leaves the response of a failed attempt open, and with it the connection.
func Open(depot *http.Client, url string, into any) error {
	return again(func() error {
		resp, err := depot.Get(url) // want `the response of a failed attempt isn't closed`
		if err != nil {
			return err
		}
		if resp.StatusCode >= 500 {
			resp.Body.Close()
			return fmt.Errorf("not answered: %s", resp.Status)
		}
		defer resp.Body.Close()
		return json.NewDecoder(resp.Body).Decode(into)
	})
}

// Sum adds up what several attempts read.
func Sum(read func(each func(weight int)) error) (total int, err error) {
	err = again(func() error {
		return read(func(weight int) { total += weight }) // want `total`
	})
	return total, err
}

// SumOfLast begins anew each time.
func SumOfLast(read func(each func(weight int)) error) (total int, err error) {
	err = again(func() error {
		total = 0
		return read(func(weight int) { total += weight })
	})
	return total, err
}
