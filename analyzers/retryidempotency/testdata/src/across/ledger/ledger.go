// Package ledger writes, for packages that repeat.
package ledger

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"time"

	"across/ids"
)

type Ledger struct {
	db   *sql.DB
	hc   *http.Client
	base string
}

// Append inserts a row.
func (l *Ledger) Append(ctx context.Context, line string) error { // want Append:`inserts a row`
	_, err := l.db.ExecContext(ctx, "INSERT INTO lines (text) VALUES (?)", line)
	if err != nil {
		return fmt.Errorf("append: %w", err)
	}
	return nil
}

// AppendOnce finds what is there already.
func (l *Ledger) AppendOnce(ctx context.Context, line string) error {
	_, err := l.db.ExecContext(ctx, "INSERT INTO lines (text) VALUES (?) ON CONFLICT DO NOTHING", line)
	return err
}

// Checked looks first.
func (l *Ledger) Checked(ctx context.Context, line string) error {
	var n int
	if err := l.db.QueryRowContext(ctx, "SELECT count(*) FROM lines WHERE text = ?", line).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return nil
	}
	_, err := l.db.ExecContext(ctx, "INSERT INTO lines (text) VALUES (?)", line)
	return err
}

// Noted doesn't tell whether its note was written.
func (l *Ledger) Noted(ctx context.Context, line string) error {
	_, _ = l.db.ExecContext(ctx, "INSERT INTO notes (text) VALUES (?)", line)
	return l.db.PingContext(ctx)
}

// Run executes what callers say.
func (l *Ledger) Run(ctx context.Context, statement string, args ...any) error { // want Run:`executes 2`
	_, err := l.db.ExecContext(ctx, statement, args...)
	return err
}

// Do sends what callers say.
func (l *Ledger) Do(ctx context.Context, method, path string, body []byte) error { // want Do:`sends \[2 3\]`
	req, err := http.NewRequestWithContext(ctx, method, l.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := l.hc.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return errors.New(resp.Status)
	}
	return nil
}

// Book sends a booking with a key that each call makes.
func (l *Ledger) Book(ctx context.Context, body []byte) error { // want Book:`makes Idempotency-Key`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/bookings", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", ids.Next())
	resp, err := l.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// BookAs sends a booking with the caller's key.
func (l *Ledger) BookAs(ctx context.Context, key string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/bookings", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	resp, err := l.hc.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

type Order struct{ IdempotencyKey string }

// Fill makes a key if the caller has none.
func (l *Ledger) Fill(ctx context.Context, o *Order) error {
	if o.IdempotencyKey == "" {
		o.IdempotencyKey = ids.Next()
	}
	return l.db.PingContext(ctx)
}

// Lend goes through two packages.
func (l *Ledger) Lend(ctx context.Context, book string) error { // want Lend:`sends a POST`
	return l.Do(ctx, "POST", "/loans", []byte(book))
}

// Post is what callers call by path only.
func (l *Ledger) Post(ctx context.Context, path string, body []byte) error { // want Post:`sends a POST, sends \[0 2\]`
	return l.Do(ctx, http.MethodPost, path, body)
}

// Request builds a booking.
func (l *Ledger) Request(ctx context.Context, body []byte) (*http.Request, error) { // want Request:`makes Idempotency-Key`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/bookings", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Idempotency-Key", ids.Next())
	return req, nil
}

func (l *Ledger) post(ctx context.Context, to string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.base+"/v1", bytes.NewReader([]byte(to)))
	if err != nil {
		return nil, err
	}
	return l.hc.Do(req)
}

// RemoveLoan can be repeated, though it is a POST.
func (l *Ledger) RemoveLoan(ctx context.Context, book string) error {
	_, err := l.post(ctx, "remove "+book)
	return err
}

// Loans reads by a POST.
func (l *Ledger) Loans(ctx context.Context) (*http.Response, error) { return l.post(ctx, "loans") }

// CreateLoan answers with what it has made.
func (l *Ledger) CreateLoan(ctx context.Context) (*http.Response, error) { // want CreateLoan:`sends a POST`
	return l.post(ctx, "create")
}

// Sealed makes a key to encrypt with.
func Sealed() (cipher.Block, error) {
	secret := make([]byte, 32)
	if _, err := rand.Read(secret); err != nil {
		return nil, err
	}
	return aes.NewCipher(secret)
}

// BookFor sends a booking with the key that the request came with, or a new one.
func (l *Ledger) BookFor(ctx context.Context, body []byte) error {
	key, ok := ids.Given(ctx)
	if !ok {
		key = ids.Next()
	}
	return l.BookAs(ctx, key, body)
}

func (l *Ledger) at(path string) string { return l.base + "/api/" + path }

// Patch finds its address by a method.
func (l *Ledger) Patch(ctx context.Context, path string, body []byte) error { // want Patch:`sends a PATCH, sends \[0 2\]`
	return l.Do(ctx, http.MethodPatch, l.at(path), body)
}

type endpoint struct{ address string }

// PATCH finds it somewhere else.
func (e endpoint) PATCH(ctx context.Context, l *Ledger, body []byte) error {
	return l.Do(ctx, http.MethodPatch, e.address, body)
}

// Took tells how long it took.
func Took(since time.Time) time.Duration { return time.Since(since) }
