// Package fixes shows what is moved and what is emptied.
package fixes

import (
	"context"
	"net/http"

	"cloud.google.com/go/firestore"
	"github.com/avast/retry-go/v4"
	"github.com/google/uuid"
)

type Bank interface {
	Transfer(ctx context.Context, idempotencyKey string, cents int64) error
}

// Loop has a statement to move.
func Loop(ctx context.Context, b Bank, cents int64) (err error) {
	for range 3 {
		key := uuid.NewString() // want `idempotencyKey is made anew`
		if err = b.Transfer(ctx, key, cents); err == nil {
			return nil
		}
	}
	return err
}

// Call has none.
func Call(ctx context.Context, b Bank, cents int64) error {
	return retry.Do(func() error {
		return b.Transfer(ctx, uuid.NewString(), cents) // want `idempotencyKey is made anew`
	})
}

// Header sets it on each request.
func Header(hc *http.Client, req *http.Request) (err error) {
	for range 3 {
		attempt := req.Clone(req.Context())
		attempt.Header.Set("Idempotency-Key", uuid.New().String()) // want `Idempotency-Key is made anew`
		if _, err = hc.Do(attempt); err == nil {
			return nil
		}
	}
	return err
}

func keyOf(n int) string { return uuid.NewString() }

// Dependent is made of what belongs to the attempt.
func Dependent(ctx context.Context, b Bank, list func() int) error {
	return retry.Do(func() error {
		n := list()
		return b.Transfer(ctx, keyOf(n), 1) // want `idempotencyKey is made anew`
	})
}

// Slice is nil before.
func Slice(ctx context.Context, fs *firestore.Client, docs []*firestore.DocumentRef) (ids []int, err error) {
	err = fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		for i, doc := range docs {
			if err := tx.Set(doc, i); err != nil {
				return err
			}
			ids = append(ids, i) // want `adds to ids again`
		}
		return nil
	})
	return ids, err
}

// Map is made before.
func Map(ctx context.Context, fs *firestore.Client, docs []*firestore.DocumentRef) (map[int]int, error) {
	counts := make(map[int]int)
	err := fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		for i, doc := range docs {
			if err := tx.Set(doc, i); err != nil {
				return err
			}
			counts[i%2]++ // want `adds to counts again`
		}
		return nil
	})
	return counts, err
}

// Sum goes on from what it is given.
func Sum(ctx context.Context, fs *firestore.Client, sum int, doc *firestore.DocumentRef) (int, error) {
	err := fs.RunTransaction(ctx, func(ctx context.Context, tx *firestore.Transaction) error {
		if err := tx.Set(doc, 1); err != nil {
			return err
		}
		sum += 2 // want `adds to sum again`
		return nil
	})
	return sum, err
}
