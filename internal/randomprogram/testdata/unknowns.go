package unknowns

// Several variables in memory bound one loop, in a way that is no sum: whichever names the number must do so each time.

func quotient(n, most, least int, op func() error) (err error) {
	change := func() { n++; most--; least *= 2 }
	for i := 0; i < n/most; i++ {
		if err = op(); err == nil || i > least/n {
			return err
		}
		change()
	}
	return err
}

func again(n, most, least int, op func() error) (err error) {
	watch := func() int { return n + most + least }
	if err = op(); err != nil && n%most < least {
		n, most, least = n+1, most-1, least*2
		return again(watch(), most%n, least/most, op)
	}
	return err
}

func jumps(a, b, c, d int, op func() error) (err error) {
	change := func() { a, b, c, d = b, c, d, a }
repeat:
	if err = op(); err != nil && a/b < c%d {
		change()
		goto repeat
	}
	return err
}
