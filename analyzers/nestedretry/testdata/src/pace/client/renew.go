package client

import "errors"

var errExpired = errors.New("expired")

// again says whether to repeat a call, and signs in anew when the session has expired. If it can't, there is no other attempt.
func (s *Session) again(status int, err error, renew bool) (bool, error) {
	if status == 401 && errors.Is(err, errExpired) {
		if renew {
			if err = s.signIn(); err != nil {
				return false, err
			}
		}
		return true, err
	}
	return status >= 500, err
}

func (s *Session) signIn() error {
	return s.plain.Call(func() (bool, error) {
		status, err := s.send()
		return s.again(status, err, false)
	})
}

// Read leaves when the session can't be renewed: signing in has been repeated, and its failure isn't.
func (s *Session) Read() error {
	return s.plain.Call(func() (bool, error) {
		status, err := s.send()
		return s.again(status, err, true)
	})
}

// ReadNamed hands the answer on under a name.
func (s *Session) ReadNamed() error {
	return s.plain.Call(func() (bool, error) {
		again, err := s.again(s.send2())
		return again, err
	})
}

func (s *Session) send2() (int, error, bool) {
	status, err := s.send()
	return status, err, true
}

// ReadLoop asks in a loop of its own.
func (s *Session) ReadLoop() (err error) {
	for range 3 {
		again := false
		if again, err = s.again(401, errExpired, true); !again {
			return err
		}
	}
	return err
}

// stubborn asks for another attempt though signing in has failed.
func (s *Session) stubborn(status int, err error) (bool, error) {
	if status == 401 {
		if err = s.signIn(); err != nil {
			return true, err
		}
	}
	return status >= 500, err
}

// Stubborn signs in again and again.
func (s *Session) Stubborn() error {
	return s.plain.Call(func() (bool, error) { // want `up to 16 attempts`
		return s.stubborn(s.send())
	})
}

// Whatever doesn't hand on what again says.
func (s *Session) Whatever() error {
	return s.plain.Call(func() (bool, error) { // want `up to 16 attempts`
		status, err := s.send()
		_, err = s.again(status, err, true)
		return err != nil, err
	})
}
