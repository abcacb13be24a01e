// Package closure runs transactions again.
package closure

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/smtp"
	"strings"

	"cloud.google.com/go/firestore"
	"github.com/jackc/pgx/v5"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Events interface {
	Publish(ctx context.Context, event string) error
	PublishIn(ctx context.Context, tx *firestore.Transaction, event string) error
}

type Books struct {
	fs     *firestore.Client
	db     *sql.DB
	conn   *pgx.Conn
	events Events
	closed int
	seen   map[string]bool
	totals map[string]int
	done   chan string
}

// Append keeps what it has appended.
func (b *Books) Append(ctx context.Context, docs []*firestore.DocumentRef) ([]string, error) {
	var ids []string
	err := b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		for i, doc := range docs {
			if err := tx.Set(doc, i); err != nil {
				return err
			}
			ids = append(ids, fmt.Sprint(i)) // want `adds to ids again`
		}
		return nil
	})
	return ids, err
}

// Reset empties it first.
func (b *Books) Reset(ctx context.Context, docs []*firestore.DocumentRef) ([]string, error) {
	var ids []string
	err := b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		ids = ids[:0]
		for i, doc := range docs {
			if err := tx.Set(doc, i); err != nil {
				return err
			}
			ids = append(ids, fmt.Sprint(i))
		}
		return nil
	})
	return ids, err
}

// Fields adds to fields and maps.
func (b *Books) Fields(ctx context.Context, name string) error {
	return b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		if err := tx.Set(nil, name); err != nil {
			return err
		}
		b.closed++          // want `adds to b.closed again`
		b.totals[name] += 2 // want `adds to b.totals again`
		b.seen[name] = true
		return nil
	})
}

// Runs counts the runs, and collects what went wrong.
func (b *Books) Runs(ctx context.Context, name string) error {
	runs, errs := 0, []error(nil)
	err := b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		runs++
		err := tx.Set(nil, name)
		errs = append(errs, err)
		return err
	})
	return errors.Join(err, fmt.Errorf("%d runs: %w", runs, errors.Join(errs...)))
}

// Sends tells others.
func (b *Books) Sends(ctx context.Context, name string) error {
	return b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		if err := tx.Set(nil, name); err != nil {
			return err
		}
		if err := b.events.PublishIn(ctx, tx, name); err != nil {
			return err
		}
		b.done <- name                                      // want `sends on b.done again`
		if err := b.events.Publish(ctx, name); err != nil { // want `calls b.events.Publish again`
			return err
		}
		return smtp.SendMail("mx:25", nil, "books@example.com", nil, nil) // want `sends an e-mail again`
	})
}

// Local has variables of its own.
func (b *Books) Local(ctx context.Context, names []string) (result []string, err error) {
	err = b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		var list []string
		n := 0
		for _, name := range names {
			list = append(list, name)
			n++
		}
		result = list
		return tx.Set(nil, n)
	})
	return result, err
}

// Helper adds in a method that it calls.
func (b *Books) Helper(ctx context.Context) error {
	return b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		if err := tx.Set(nil, 1); err != nil {
			return err
		}
		b.count(1) // want `adds to b.closed again`
		return nil
	})
}

func (b *Books) count(n int) { b.closed += n }

// Text writes to a buffer.
func (b *Books) Text(ctx context.Context) (string, error) {
	var text strings.Builder
	err := b.fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		text.WriteString("closed") // want `adds to text again`
		return tx.Set(nil, 1)
	})
	return text.String(), err
}

// Session has no handle but its context.
func Session(ctx context.Context, s *mongo.Session, c *mongo.Collection) (n int, err error) {
	_, err = s.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		if _, err := c.InsertOne(ctx, 1); err != nil {
			return nil, err
		}
		n++ // want `adds to n again`
		return nil, nil
	})
	return n, err
}

// serializable is a helper with a loop of its own.
func (b *Books) serializable(ctx context.Context, fn func(*sql.Tx) error) error {
	for range 5 {
		tx, err := b.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err = fn(tx); err == nil {
			err = tx.Commit()
		}
		if err == nil {
			return nil
		}
		tx.Rollback()
		if !conflicts(err) {
			return err
		}
	}
	return errors.New("too many conflicts")
}

func conflicts(err error) bool { return strings.Contains(err.Error(), "40001") }

// Sum adds up in the helper.
func (b *Books) Sum(ctx context.Context) (sum int, err error) {
	err = b.serializable(ctx, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, "SELECT cents FROM entries")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var cents int
			if err := rows.Scan(&cents); err != nil {
				return err
			}
			sum += cents // want `adds to sum again`
		}
		return rows.Err()
	})
	return sum, err
}

// once runs a transaction once.
func (b *Books) once(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Once adds once.
func (b *Books) Once(ctx context.Context) (n int, err error) {
	err = b.once(ctx, func(tx *sql.Tx) error {
		n++
		return nil
	})
	return n, err
}

// Loop runs transactions in a loop of its own.
func (b *Books) Loop(ctx context.Context) (names []string, err error) {
	for range 3 {
		var seen []string
		err = pgx.BeginFunc(ctx, b.conn, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, "UPDATE entries SET closed = true"); err != nil {
				return err
			}
			names = append(names, "a") // want `adds to names again`
			seen = append(seen, "a")
			return nil
		})
		if err == nil {
			return names, nil
		}
	}
	return nil, err
}

// Rounds empties it in each round.
func (b *Books) Rounds(ctx context.Context) (names []string, err error) {
	for range 3 {
		names = names[:0]
		err = pgx.BeginFunc(ctx, b.conn, func(tx pgx.Tx) error {
			names = append(names, "a")
			return nil
		})
		if err == nil {
			return names, nil
		}
	}
	return nil, err
}
