package forms

// Booleans that switch the repetitions off: the number is the one of those who don't.

func ifAllowed(r remote, again bool) (err error) {
	for range 4 { // site loop retry 4
		if err = r.Ping(); err == nil || !again {
			return err
		}
		pause()
	}
	return err
}

func unlessOnce(r remote, once bool, n int) (err error) {
	for i := 0; i <= n; i++ { // site loop retry n + 1
		if err = r.Ping(); err == nil || once {
			return err
		}
		pause()
	}
	return err
}

type switched struct {
	remote remote
	n      int
	again  bool
}

func (s *switched) put() (err error) {
	for range s.n { // site loop retry s.n
		if err = s.remote.Put(nil, item{}); err == nil {
			return nil
		}
		if !s.again {
			break
		}
		pause()
	}
	return err
}

// A recursion that switches itself on: only the first call is known to its caller.
func eager(r remote, left int, eagerly bool) error { // site recursion retry left
	err := r.Ping()
	if err == nil || left <= 1 {
		return err
	}
	if !eagerly && left < 2 {
		return err
	}
	return eager(r, left-1, r.Ping() == nil)
}
