package counters

import "time"

// An unsigned number is never below zero.
func unsigned(d Door) (err error) {
	for left := uint(3); left >= 0; left-- { // want `left never reaches its limit`
		if err = d.Open(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func belowZero(d Door) (err error) {
	for left := 3; left >= 0; left-- {
		if err = d.Open(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func downToOne(d Door) (err error) {
	for left := uint(3); left > 0; left-- {
		if err = d.Open(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

type tries struct{ made, most int }

func (t tries) copied() bool {
	t.made++
	return t.made < t.most
}

func (t *tries) counted() bool {
	t.made++
	return t.made < t.most
}

func inCopy(d Door) (err error) {
	t := tries{most: 5}
	for {
		if err = d.Open(); err == nil || !t.copied() { // want `copied has a copy of its receiver`
			return err
		}
		time.Sleep(time.Second)
	}
}

func inPlace(d Door) (err error) {
	t := tries{most: 5}
	for {
		if err = d.Open(); err == nil || !t.counted() {
			return err
		}
		time.Sleep(time.Second)
	}
}
