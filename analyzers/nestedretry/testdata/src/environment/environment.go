// Package environment takes its numbers from the environment.
package environment

import (
	"os"
	"strconv"
	"time"
)

// number reads a number between two others, or takes the one that it is given for it.
func number(name string, otherwise, least, most int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 0)
	if err != nil || int(n) < least {
		return otherwise
	}
	if int(n) > most {
		return otherwise
	}
	return int(n)
}

var retries = number("RETRIES", 2, 0, 10)

func send(put func() error) (err error) {
	for n := 0; n <= retries; n++ {
		if err = put(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func attempts() int {
	n := 4
	if v, err := strconv.Atoi(os.Getenv("ATTEMPTS")); err == nil {
		n = v
	}
	return n
}

// Send names the variable, and gives the default.
func Send(put func() error) (err error) {
	for range attempts() {
		if err = send(put); err == nil { // want `up to 12 attempts \(attempts\(\) × \(environment.retries \+ 1\), default 4 and 3\)`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
