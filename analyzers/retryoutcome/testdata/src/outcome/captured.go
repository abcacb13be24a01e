package outcome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

type lane interface {
	Commit(ctx context.Context) (code int, body []byte, err error)
}

type laneError struct{ code string }

func (e *laneError) Error() string { return e.code }

func twice(op func() error) error {
	err := op()
	for range 2 {
		if err == nil {
			break
		}
		time.Sleep(time.Second)
		err = op()
	}
	return err
}

// commit has a test behind its loop that is never true, and an error that its closure has captured.
func commit(ctx context.Context, l lane, most int) (result *ticket, err error) {
	var body []byte
	var code, tries int
outer:
	for tries = range most {
		err = twice(func() error {
			code, body, err = l.Commit(ctx)
			return err
		})
		why := ""
		if err != nil {
			if e, ok := err.(*laneError); ok && e.code == "mismatch" {
				why = err.Error()
			} else {
				return nil, err
			}
		} else {
			switch code {
			case 200:
				break outer
			case 202:
				why = "not ready"
			default:
				return nil, fmt.Errorf("code %d", code)
			}
		}
		debugf("try %d: %s", tries, why)
		time.Sleep(time.Second)
	}
	if tries >= most {
		return nil, errors.New("too many tries") // want `this is never returned`
	}
	err = json.Unmarshal(body, &result)
	if err != nil {
		return nil, fmt.Errorf("decode %q: %w", body, err)
	}
	return result, nil // want `nil is returned as the error`
}

func debugf(format string, args ...any) {}
