package cycles

import (
	"errors"
	"time"
)

var (
	max   = limit()
	extra = func() int { return max + 1 }()
	op    func() error
	self  = &node{}
	table [2]func(int) error
)

func limit() int { return fallback }

var fallback = 3

type node struct {
	next *node
	run  func() error
	max  int
}

func init() {
	self.next = self
	self.run = self.again
	op = func() error { return op() }
	table[0], table[1] = a, table[0]
}

func init() { max = max + extra }

func (n *node) again() (err error) {
	for i := 0; i < n.next.next.next.max; i++ {
		if err = n.next.run(); err == nil {
			return nil
		}
		n.max = n.next.max
		n = n.next
		time.Sleep(time.Second)
	}
	return err
}

func a(n int) error {
	for i := 0; i < max; i++ {
		if err := b(n - 1); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("a")
}

func b(n int) error {
	for i := 0; i < extra; i++ {
		if err := table[n](n); err == nil {
			return a(n)
		}
		time.Sleep(time.Second)
	}
	return op()
}

func dead() error {
	return nil
	for {
		if err := op(); err == nil {
			break
		}
	}
	return nil
}

func irreducible(n int, op func() error) error {
	var err error
	if n > 3 {
		goto inside
	}
outside:
	n++
	err = op()
inside:
	if err = op(); err != nil && n < 9 {
		time.Sleep(time.Second)
		goto outside
	}
	if err != nil {
		goto inside
	}
	return err
}

func forever() {
	for {
	}
}

func selects() {
	select {}
}

func blank(_ int, _ func() error) (_ error) {
	for range 3 {
		if _ = op(); true {
			break
		}
	}
	return
}

func variadic(ops ...func() error) (err error) {
	for i := 0; i < 3; i++ {
		if err = ops[len(ops)-1](); err == nil {
			return variadic(ops[1:]...)
		}
		time.Sleep(time.Second)
	}
	return variadic()
}

func structs(n struct{ max int }, p *struct{ struct1 struct{ max [3]int } }) (err error) {
	for i := 0; i < n.max+p.struct1.max[1]; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func overflow(op func() error) (err error) {
	for i := 9223372036854775800; i < 9223372036854775807; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	for i := uint64(18446744073709551615); i > 0; i-- {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	for i := int8(0); i >= 0; i++ {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	for i := -9223372036854775808; i < 0; i *= 2 {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func complexes(op func() error) (err error) {
	for c := 1i; c != 5; c *= 1i {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	for f := 0.5; f < 8; f *= 2 {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	for s := ""; len(s) < 3; s += "x" {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
