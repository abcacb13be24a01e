// Package desk repeats what other packages write.
package desk

import (
	"context"
	"crypto/aes"
	"crypto/rand"
	"database/sql"
	"errors"
	"net/http"
	"time"

	"across/ids"
	"across/ledger"

	"github.com/avast/retry-go/v4"
)

type Desk struct {
	ledger *ledger.Ledger
	hc     *http.Client
}

// Line inserts again.
func (d *Desk) Line(ctx context.Context, line string) error {
	var err error
	for range 3 {
		if err = d.ledger.Append(ctx, line); err == nil { // want `calls \(\*Ledger\).Append, which inserts a row, and again`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Lines is the same, by a library and through a function of this package.
func (d *Desk) Lines(ctx context.Context, line string) error {
	return retry.Do(func() error {
		return d.line(ctx, line) // want `calls \(\*Ledger\).Append, which inserts a row`
	})
}

func (d *Desk) line(ctx context.Context, line string) error { return d.ledger.Append(ctx, line) }

// Once can be repeated.
func (d *Desk) Once(ctx context.Context, line string) error {
	return retry.Do(func() error { return d.ledger.AppendOnce(ctx, line) })
}

// Checked can, too.
func (d *Desk) Checked(ctx context.Context, line string) error {
	return retry.Do(func() error { return d.ledger.Checked(ctx, line) })
}

// Noted is repeated for something else.
func (d *Desk) Noted(ctx context.Context, line string) error {
	return retry.Do(func() error { return d.ledger.Noted(ctx, line) })
}

// NoRows only repeats what was answered.
func (d *Desk) NoRows(ctx context.Context, line string) error {
	var err error
	for range 3 {
		if err = d.ledger.Append(ctx, line); !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return err
}

// Statement says what is executed.
func (d *Desk) Statement(ctx context.Context, line string) error {
	return retry.Do(func() error {
		return d.ledger.Run(ctx, "UPDATE totals SET lines = lines + 1 WHERE book = ?", line) // want `calls \(\*Ledger\).Run, which changes a row relative to its old value`
	})
}

// Deletes says what can be repeated.
func (d *Desk) Deletes(ctx context.Context, line string) error {
	return retry.Do(func() error { return d.ledger.Run(ctx, "DELETE FROM lines WHERE text = ?", line) })
}

// Keyed inserts a key that it makes anew.
func (d *Desk) Keyed(ctx context.Context, line string) error {
	return retry.Do(func() error {
		return d.ledger.Run(ctx, "INSERT INTO lines (id, text) VALUES (?, ?)", ids.Next(), line) // want `id is made anew for each attempt`
	})
}

// Sends says what is sent.
func (d *Desk) Sends(ctx context.Context, body []byte) error {
	return retry.Do(func() error {
		return d.ledger.Do(ctx, http.MethodPost, "/bookings", body) // want `calls \(\*Ledger\).Do, which sends a POST`
	})
}

// Puts, and asks by POST, can be repeated.
func (d *Desk) Puts(ctx context.Context, body []byte) error {
	return retry.Do(func() error {
		if err := d.ledger.Do(ctx, http.MethodPost, "/books/search", body); err != nil {
			return err
		}
		return d.ledger.Do(ctx, http.MethodPut, "/bookings", body)
	})
}

// Loans knows nothing of what Lend does.
func (d *Desk) Loans(ctx context.Context, book string) error {
	return retry.Do(func() error {
		return d.ledger.Lend(ctx, book) // want `calls \(\*Ledger\).Lend, which sends a POST`
	})
}

// Paths says where it goes.
func (d *Desk) Paths(ctx context.Context, body []byte) error {
	return retry.Do(func() error {
		if err := d.ledger.Post(ctx, "/search", body); err != nil {
			return err
		}
		return d.ledger.Post(ctx, "/loans", body) // want `calls \(\*Ledger\).Post, which sends a POST`
	})
}

// Books makes a key with each call.
func (d *Desk) Books(ctx context.Context, body []byte) error {
	var err error
	for range 3 {
		if err = d.ledger.Book(ctx, body); err == nil { // want `Idempotency-Key is made anew by each call of \(\*Ledger\).Book`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// BooksOnce makes one key.
func (d *Desk) BooksOnce(ctx context.Context, body []byte) error {
	key := ids.Next()
	return retry.Do(func() error { return d.ledger.BookAs(ctx, key, body) })
}

// BooksAnew makes one for each attempt, in another package.
func (d *Desk) BooksAnew(ctx context.Context, body []byte) error {
	return retry.Do(func() error {
		return d.ledger.BookAs(ctx, ids.Next(), body) // want `key is made anew for each attempt`
	})
}

// Numbers are made beside what is stable.
func (d *Desk) Numbers(ctx context.Context, day string, body []byte) error {
	for range 3 {
		batch, number := ids.Pair(day) // want `Idempotency-Key is made anew for each attempt`
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://books.example", http.NoBody)
		if err != nil {
			return err
		}
		req.Header.Set("X-Batch", batch)
		req.Header.Set("Idempotency-Key", number)
		if _, err = d.hc.Do(req); err == nil {
			return nil
		}
	}
	return errors.New("not booked")
}

// Batch is stable.
func (d *Desk) Batch(ctx context.Context, day string, body []byte) error {
	return retry.Do(func() error {
		batch, _ := ids.Pair(day)
		return d.ledger.BookAs(ctx, batch, body)
	})
}

// Derived and kept keys are the same for each attempt.
func (d *Desk) Derived(ctx context.Context, id int64, pass *ids.Pass, body []byte) error {
	return retry.Do(func() error {
		if err := d.ledger.BookAs(ctx, ids.Of(id), body); err != nil {
			return err
		}
		return d.ledger.BookAs(ctx, pass.Number(), body)
	})
}

// Filled has a key after the first attempt.
func (d *Desk) Filled(ctx context.Context) error {
	var o ledger.Order
	return retry.Do(func() error { return d.ledger.Fill(ctx, &o) })
}

// Noticed sends a notice of each failure, which has a key of its own.
func (d *Desk) Noticed(ctx context.Context, line string, notice []byte) error {
	var err error
	for range 3 {
		if err = d.ledger.AppendOnce(ctx, line); err == nil {
			return nil
		}
		_ = d.ledger.Book(ctx, notice)
		time.Sleep(time.Second)
	}
	return err
}

// Built sends what another package builds for each attempt.
func (d *Desk) Built(ctx context.Context, body []byte) error {
	var err error
	for range 3 {
		req, buildErr := d.ledger.Request(ctx, body) // want `Idempotency-Key is made anew by each call of \(\*Ledger\).Request`
		if buildErr != nil {
			return buildErr
		}
		if _, err = d.hc.Do(req); err == nil {
			return nil
		}
	}
	return err
}

// Ends ends a loan, and reads the loans.
func (d *Desk) Ends(ctx context.Context, book string) error {
	return retry.Do(func() error {
		if err := d.ledger.RemoveLoan(ctx, book); err != nil {
			return err
		}
		_, err := d.ledger.Loans(ctx)
		return err
	})
}

// Sealed needs a secret for each attempt.
func (d *Desk) Sealed(ctx context.Context, line string) error {
	return retry.Do(func() error {
		if _, err := ledger.Sealed(); err != nil {
			return err
		}
		secret := make([]byte, 32)
		if _, err := rand.Read(secret); err != nil {
			return err
		}
		if _, err := aes.NewCipher(secret); err != nil {
			return err
		}
		return d.ledger.AppendOnce(ctx, line)
	})
}

// Opens creates a loan.
func (d *Desk) Opens(ctx context.Context) error {
	return retry.Do(func() error {
		_, err := d.ledger.CreateLoan(ctx) // want `calls \(\*Ledger\).CreateLoan, which sends a POST`
		return err
	})
}

// Came has the key that the request came with.
func (d *Desk) Came(ctx context.Context, body []byte) error {
	return retry.Do(func() error {
		if err := d.ledger.BookFor(ctx, body); err != nil {
			return err
		}
		key, ok := ids.Given(ctx)
		if !ok {
			key = ids.Next()
		}
		if err := d.ledger.BookAs(ctx, key, body); err != nil {
			return err
		}
		return d.ledger.BookAs(ctx, ids.From(ctx), body)
	})
}

// Checks makes a key for each attempt, which may fail.
func (d *Desk) Checks(ctx context.Context, body []byte) error {
	return retry.Do(func() error {
		key, err := ids.Checked() // want `key is made anew for each attempt`
		if err != nil {
			return err
		}
		return d.ledger.BookAs(ctx, key, body)
	})
}
