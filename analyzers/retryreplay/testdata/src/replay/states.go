package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

type parcel struct {
	id     string
	weight int
}

type register interface {
	Each(ctx context.Context, do func(parcel) error) error
	Page(ctx context.Context, after string) ([]parcel, error)
	Weigh(ctx context.Context, id string) (int, error)
}

func collected(ctx context.Context, r register) ([]parcel, error) {
	var all []parcel
	err := again(ctx, func() error {
		return r.Each(ctx, func(p parcel) error {
			all = append(all, p) // want `what a failed attempt has added to all stays there`
			return nil
		})
	})
	return all, err
}

func collectedAnew(ctx context.Context, r register) ([]parcel, error) {
	var all []parcel
	err := again(ctx, func() error {
		all = all[:0]
		return r.Each(ctx, func(p parcel) error {
			all = append(all, p)
			return nil
		})
	})
	return all, err
}

func summed(ctx context.Context, r register, ids []string) (total int, err error) {
	err = again(ctx, func() error {
		for _, id := range ids {
			n, err := r.Weigh(ctx, id)
			if err != nil {
				return err
			}
			total += n // want `what a failed attempt has added to total stays there`
		}
		return nil
	})
	return total, err
}

func inLoop(ctx context.Context, r register, ids []string) ([]int, error) {
	var weights []int
	var err error
	for range 3 {
		weights, err = weighAll(ctx, r, ids, weights)
		if err == nil {
			return weights, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func weighAll(ctx context.Context, r register, ids []string, into []int) ([]int, error) {
	for _, id := range ids {
		n, err := r.Weigh(ctx, id)
		if err != nil {
			return nil, err
		}
		into = append(into, n)
	}
	return into, nil
}

func inOneLoop(ctx context.Context, r register, ids []string) ([]int, error) {
	var weights []int
	var err error
	for try := 0; try < 3; try++ {
		err = nil
		for _, id := range ids {
			var n int
			if n, err = r.Weigh(ctx, id); err != nil {
				break
			}
			weights = append(weights, n) // want `what a failed attempt has added to weights stays there`
		}
		if err == nil {
			return weights, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

// atTheEnd adds when nothing can fail any more.
func atTheEnd(ctx context.Context, r register, id string) ([]int, error) {
	var weights []int
	err := again(ctx, func() error {
		n, err := r.Weigh(ctx, id)
		if err != nil {
			return err
		}
		weights = append(weights, n)
		return nil
	})
	return weights, err
}

// failures are collected on purpose.
func failures(ctx context.Context, r register, id string) error {
	var all []error
	err := again(ctx, func() error {
		_, err := r.Weigh(ctx, id)
		all = append(all, err)
		return err
	})
	if err != nil {
		return errors.Join(all...)
	}
	return nil
}

// cleanups are called in the end, whatever happened.
func cleanups(ctx context.Context, open func() (func(), error), r register) error {
	var all []func()
	defer func() {
		for _, f := range all {
			f()
		}
	}()
	return again(ctx, func() error {
		f, err := open()
		if err != nil {
			return err
		}
		all = append(all, f)
		_, err = r.Weigh(ctx, "")
		return err
	})
}

// resumed goes on behind what it has got.
func resumed(ctx context.Context, r register) ([]parcel, error) {
	var all []parcel
	after := ""
	err := again(ctx, func() error {
		for {
			page, err := r.Page(ctx, after)
			if err != nil || len(page) == 0 {
				return err
			}
			all = append(all, page...)
			after = page[len(page)-1].id
		}
	})
	return all, err
}

func encoded(ctx context.Context, d depot, p any) error {
	var buf bytes.Buffer
	return again(ctx, func() error {
		if err := json.NewEncoder(&buf).Encode(p); err != nil { // want `what a failed attempt has written to buf stays there`
			return err
		}
		return d.Store(ctx, "parcel", bytes.NewReader(buf.Bytes()))
	})
}

func encodedAnew(ctx context.Context, d depot, p any) error {
	var buf bytes.Buffer
	return again(ctx, func() error {
		buf.Reset()
		if err := json.NewEncoder(&buf).Encode(p); err != nil {
			return err
		}
		return d.Store(ctx, "parcel", bytes.NewReader(buf.Bytes()))
	})
}

func (s *shipper) download(ctx context.Context, path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return again(ctx, func() error {
		resp, err := s.client.Get(s.base + path)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(f, resp.Body) // want `what a failed attempt has written to it stays there`
		return err
	})
}

func (s *shipper) downloadAnew(ctx context.Context, path string) error {
	return again(ctx, func() error {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		resp, err := s.client.Get(s.base + path)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(f, resp.Body)
		return err
	})
}

func (s *shipper) hashed(ctx context.Context, path string) ([]byte, error) {
	h := sha256.New()
	err := again(ctx, func() error {
		resp, err := s.client.Get(s.base + path)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(h, resp.Body) // want `what a failed attempt has written to it stays there`
		return err
	})
	return h.Sum(nil), err
}

// continued asks for the rest.
func (s *shipper) continued(ctx context.Context, path string, w io.Writer) error {
	var at int64
	return again(ctx, func() error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
		if err != nil {
			return err
		}
		req.Header.Set("Range", rangeFrom(at))
		resp, err := s.client.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		n, err := io.Copy(w, resp.Body)
		at += n
		return err
	})
}

func rangeFrom(at int64) string { return "bytes=" + string(rune(at)) + "-" }

func repeated(ctx context.Context, db *sql.DB, id string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for try := 1; ; try++ {
		_, err := tx.ExecContext(ctx, "UPDATE parcels SET seen = true WHERE id = ?", id) // want `the statement is repeated in a transaction`
		if err == nil {
			return tx.Commit()
		}
		if try == 3 {
			return err
		}
		time.Sleep(time.Second)
	}
}

func repeatedWhole(ctx context.Context, db *sql.DB, id string) error {
	return again(ctx, func() error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if _, err := tx.ExecContext(ctx, "UPDATE parcels SET seen = true WHERE id = ?", id); err != nil {
			return err
		}
		return tx.Commit()
	})
}

func toSavepoint(ctx context.Context, tx *sql.Tx, id string) error {
	return again(ctx, func() error {
		if _, err := tx.ExecContext(ctx, "SAVEPOINT seen"); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE parcels SET seen = true WHERE id = ?", id)
		if err != nil {
			_, _ = tx.ExecContext(ctx, "ROLLBACK TO SAVEPOINT seen")
		}
		return err
	})
}

func counted(ctx context.Context, r register) (map[int]int, error) {
	byWeight := map[int]int{}
	err := again(ctx, func() error {
		return r.Each(ctx, func(p parcel) error {
			byWeight[p.weight]++ // want `what a failed attempt has added to byWeight stays there`
			return nil
		})
	})
	return byWeight, err
}

// indexed sets the same entry again.
func indexed(ctx context.Context, r register) (map[string]parcel, error) {
	byID := map[string]parcel{}
	err := again(ctx, func() error {
		return r.Each(ctx, func(p parcel) error {
			byID[p.id] = p
			return nil
		})
	})
	return byID, err
}

type tally struct{ parcels []parcel }

func filled(ctx context.Context, r register, into *tally) error {
	return again(ctx, func() error {
		return r.Each(ctx, func(p parcel) error {
			into.parcels = append(into.parcels, p) // want `what a failed attempt has added to into.parcels stays there`
			return nil
		})
	})
}

func (t *tally) own(ctx context.Context, r register) error {
	return again(ctx, func() error {
		return r.Each(ctx, func(p parcel) error {
			t.parcels = append(t.parcels, p)
			return nil
		})
	})
}

// reset empties a whole struct.
func resetWhole(ctx context.Context, r register) (tally, error) {
	var t tally
	err := again(ctx, func() error {
		t = tally{}
		return r.Each(ctx, func(p parcel) error {
			t.parcels = append(t.parcels, p)
			return nil
		})
	})
	return t, err
}

type queries interface {
	SeeParcel(ctx context.Context, id string) error
}

func withTx(tx *sql.Tx) queries

func generated(ctx context.Context, tx *sql.Tx, id string) error {
	q := withTx(tx)
	return again(ctx, func() error {
		return q.SeeParcel(ctx, id) // want `the statement is repeated in a transaction`
	})
}

// logged collects what is only told.
func logged(ctx context.Context, r register, id string) (notes []string, err error) {
	err = again(ctx, func() error {
		_, err := r.Weigh(ctx, id)
		if err != nil {
			notes = append(notes, err.Error())
		}
		return err
	})
	return notes, err
}
