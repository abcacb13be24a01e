package ratio

import (
	"net"
	"time"
)

// Pause is the wait between attempts.
var Pause = time.Second

type failing struct{ attempts int }

func (f *failing) fire(string) error {
	f.attempts++
	return errBusy
}

// Drive makes requests that all fail, in one of the ways of this package, and returns how many retries there were.
func Drive(way string, requests int) (retries int) {
	f, s, o := &failing{}, &share{}, &own{}
	for range requests {
		switch way {
		case "Share":
			_ = Share(s, f, "")
		case "Own":
			_ = Own(o, f, "")
		case "Attempts":
			_ = Attempts(s, f, "")
		case "Serve":
			_ = Serve(conn{}, f)
		}
	}
	return f.attempts - requests
}

// A conn is a connection of a client.
type conn struct{ net.Conn }

func (conn) RemoteAddr() net.Addr { return &net.TCPAddr{} }
