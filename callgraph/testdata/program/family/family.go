// Package family calls methods that many types have. What most of them repeat is a layer; what a few do says little of the caller.
package family

import "errors"

type Press interface {
	Print(page string) error
	Clean(page string) error
}

var presses = map[string]Press{}

func ink(page string) error {
	if page == "" {
		return errors.New("no page")
	}
	return nil
}

func thrice(page string) (err error) {
	for range 3 {
		if err = ink(page); err == nil { // -> family.ink
			return nil
		}
	}
	return err
}

// Publish asks any press, twice.
func Publish(name, page string) (err error) { // chain: 6 of Publish thrice
	press := presses[name]
	for range 2 {
		if err = press.Print(page); err == nil { // -> (press0).Print, (press1).Print, (press2).Print, (press3).Print, (press4).Print, (press5).Print, (press6).Print, (press7).Print, (press8).Print
			return nil
		}
	}
	return err
}

// Tidy is no chain: few presses clean more than once.
func Tidy(name, page string) (err error) {
	press := presses[name]
	for range 2 {
		if err = press.Clean(page); err == nil { // -> (press0).Clean, (press1).Clean, (press2).Clean, (press3).Clean, (press4).Clean, (press5).Clean, (press6).Clean, (press7).Clean, (press8).Clean
			return nil
		}
	}
	return err
}

func init() {
	presses["0"] = press0{}
	presses["1"] = press1{}
	presses["2"] = press2{}
	presses["3"] = press3{}
	presses["4"] = press4{}
	presses["5"] = press5{}
	presses["6"] = press6{}
	presses["7"] = press7{}
	presses["8"] = press8{}
}

type press0 struct{}

func (press0) Print(page string) error { return thrice(page) } // -> family.thrice

func (press0) Clean(page string) error { return thrice(page) } // -> family.thrice

type press1 struct{}

func (press1) Print(page string) error { return thrice(page) } // -> family.thrice

func (press1) Clean(page string) error { return thrice(page) } // -> family.thrice

type press2 struct{}

func (press2) Print(page string) error { return thrice(page) } // -> family.thrice

func (press2) Clean(page string) error { return ink(page) } // -> family.ink

type press3 struct{}

func (press3) Print(page string) error { return thrice(page) } // -> family.thrice

func (press3) Clean(page string) error { return ink(page) } // -> family.ink

type press4 struct{}

func (press4) Print(page string) error { return thrice(page) } // -> family.thrice

func (press4) Clean(page string) error { return ink(page) } // -> family.ink

type press5 struct{}

func (press5) Print(page string) error { return thrice(page) } // -> family.thrice

func (press5) Clean(page string) error { return ink(page) } // -> family.ink

type press6 struct{}

func (press6) Print(page string) error { return ink(page) } // -> family.ink

func (press6) Clean(page string) error { return ink(page) } // -> family.ink

type press7 struct{}

func (press7) Print(page string) error { return ink(page) } // -> family.ink

func (press7) Clean(page string) error { return ink(page) } // -> family.ink

type press8 struct{}

func (press8) Print(page string) error { return ink(page) } // -> family.ink

func (press8) Clean(page string) error { return ink(page) } // -> family.ink
