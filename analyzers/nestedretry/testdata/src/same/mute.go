package same

import (
	"errors"
	"log"
	"time"
)

// save retries, and tells nobody whether it worked.
func save(n int) {
	for range 3 {
		if store(n) == nil {
			return
		}
		time.Sleep(time.Second)
	}
	log.Print("not saved")
}

func store(n int) error {
	if n < 0 {
		return errors.New("negative")
	}
	return nil
}

func load(n int) error { return store(n) }

// Saves repeats what fails, and that isn't what save does.
func Saves(n int) (err error) {
	for range 4 {
		save(n)
		if err = load(n); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// buffers waits until there is memory: what it gives can't tell of a failure.
func buffers(n int) [][]byte {
	for {
		if err := store(n); err == nil {
			return make([][]byte, n)
		}
		time.Sleep(time.Second)
	}
}

// Fills repeats what fails, and that isn't what buffers does.
func Fills(n int) (err error) {
	for range 4 {
		if err = fill(buffers(n)); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func fill(list [][]byte) error { return store(len(list)) }

// kept retries, and tells whether it worked.
func kept(n int) error {
	for range 3 {
		if store(n) == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("not saved")
}

// Keeps repeats what kept has given up.
func Keeps(n int) (err error) {
	for range 4 {
		if err = kept(n); err == nil { // want `up to 12 attempts`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
