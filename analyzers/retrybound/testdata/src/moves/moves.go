// Package moves has counters that a fix can move above the loop, and one that it leaves alone.
package moves

import (
	"log"
	"time"
)

type Valve interface {
	Turn() error
}

const most = 5

func turn(v Valve) error {
	for {
		tries := 0
		err := v.Turn()
		if err == nil {
			return nil
		}
		tries++
		if tries > most { // want `tries never reaches its limit`
			return err
		}
		time.Sleep(time.Second)
	}
}

func taken(v Valve) error {
	tries := 7
	for {
		tries := 0
		err := v.Turn()
		if err == nil {
			break
		}
		tries++
		if tries > most { // want `tries never reaches its limit`
			return err
		}
		time.Sleep(time.Second)
	}
	log.Print(tries)
	return nil
}
