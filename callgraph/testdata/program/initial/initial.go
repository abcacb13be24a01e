// Package initial has a literal that a package variable holds: its parent is the initialiser of the package, which does
// nothing else.
package initial

import "errors"

var Serve = func() error { // chain: 12 of init init
	return thrice(func() error { // -> initial.thrice
		for range 4 {
			if dial() == nil { // -> initial.dial
				return nil
			}
		}
		return errors.New("no server")
	})
}

func thrice(op func() error) (err error) {
	for range 3 {
		if err = op(); err == nil { // -> -
			return nil
		}
	}
	return err
}

func dial() error { return errors.New("refused") }

// Call executes what the variable holds.
func Call() error { return Serve() } // -> initial.init$1
