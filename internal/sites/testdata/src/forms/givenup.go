package forms

import "time"

// Where looking for the number of attempts is given up, it is unknown, and not unlimited.

// long ends, beyond what is looked at.
func long(op func() error) (err error) {
	for i := 0; i < 100000; i++ { // site loop retry unknown
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return err
}

// endlessCounter counts, but never ends by its count.
func endlessCounter(op func() error) (err error) {
	delay := time.Second
	for i := 0; ; i++ { // site loop retry unlimited
		if err = op(); err == nil {
			return nil
		}
		if i > 3 {
			delay = time.Minute
		}
		time.Sleep(delay)
	}
}

// tangled ends after sixty attempts at most, but has more states than are looked at.
func tangled(op func() error, kind func(error) int) (err error) {
	var a, b, c, d, e int
	for i := 0; i < 60; i++ { // site loop retry unknown
		if err = op(); err == nil {
			return nil
		}
		switch kind(err) {
		case 1:
			a++
		case 2:
			b++
		case 3:
			c++
		case 4:
			d++
		case 5:
			e++
		}
		if a+2*b+3*c+5*d+7*e > 1000 {
			return err
		}
		time.Sleep(time.Second)
	}
	return err
}
