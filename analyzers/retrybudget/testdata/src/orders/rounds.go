package orders

import "time"

// A scanner counts its own attempts, and begins anew each time: its loop has no end, but there is no budget to be fed.
type scanner struct {
	scan  func() error
	tries int
}

func (s *scanner) run() error {
	for {
		s.tries = 0
		err := s.scan()
		if err == nil {
			return nil
		}
		if s.tries++; s.tries >= 3 {
			return err
		}
		time.Sleep(time.Second)
	}
}
