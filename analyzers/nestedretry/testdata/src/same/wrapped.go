package same

// telling repeats op, or a literal around it that tells of success.
func telling(n int, op func() error, success func(failures int)) error {
	told := op
	if success != nil {
		failures := 0
		told = func() error {
			err := op()
			if err != nil {
				failures++
			} else {
				success(failures)
			}
			return err
		}
	}
	return repeatUnlessNegative(n, told)
}

type wrapper struct{ inner pinger }

func (w *wrapper) retry(op func() error) error {
	return telling(4, func() error { return op() }, nil)
}

// Save is what supplies the operation: the chain is its own.
func (w *wrapper) Save() error {
	return w.retry(func() error { // want `up to 12 attempts: 4 by \(\*wrapper\).retry in \(\*wrapper\).Save \(same/wrapped.go:\d+\) × 3 by same.repeatUnlessNegative in \(\*wrapper\).Save`
		return repeatUnlessNegative(3, w.inner.Ping)
	})
}
