package forms

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// locker is asked for what others may hold.
type locker interface {
	Lock(key string) (bool, error)
}

// waitReady polls: that the server isn't there yet is what it expects.
func waitReady(addr string) error {
	for i := 0; i < 30; i++ { // no site
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			conn.Close()
			return nil
		}
		time.Sleep(time.Second)
	}
	return errors.New("not ready")
}

func waitFile(name string) error {
	deadline := time.Now().Add(time.Minute)
	for time.Now().Before(deadline) { // no site
		if _, err := os.Stat(name); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}

func rows(db *sql.DB) (n int, err error) {
	rows, err := db.Query("select 1")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() { // no site
		var v int
		if err = rows.Scan(&v); err != nil {
			return n, err
		}
		n += v
	}
	return n, rows.Err()
}

func dialRetry(addr string) (conn net.Conn, err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		if conn, err = net.Dial("tcp", addr); err == nil {
			return conn, nil
		}
		time.Sleep(time.Second)
	}
	return nil, err
}

func execRetry(name string) (err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		if err = exec.Command(name, "-x").Run(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func txRetry(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	for attempt := 0; ; attempt++ { // site loop retry 4
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		err = f(tx)
		if err == nil {
			err = tx.Commit()
		} else {
			tx.Rollback()
		}
		if err == nil || attempt == 3 {
			return err
		}
		pause()
	}
}

func copyLines(r io.Reader, w io.Writer) error {
	s := bufio.NewScanner(r)
	for s.Scan() { // no site
		if _, err := io.WriteString(w, strings.ToUpper(s.Text())); err != nil {
			return err
		}
	}
	return s.Err()
}

func fanOut(ctx context.Context, rs []remote) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(rs))
	for _, r := range rs { // no site
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- r.Ping()
		}()
	}
	wg.Wait()
	close(errs)
	for err := range errs { // no site
		if err != nil {
			return err
		}
	}
	return nil
}

func lockRetry(ctx context.Context, r locker) error {
	for i := 0; i < 10; i++ { // no site
		ok, err := r.Lock("key")
		if err != nil {
			return err
		}
		if ok {
			return nil
		}
		pause()
	}
	return errBusy
}

func batches(ctx context.Context, r remote, list []item) error {
	for start := 0; start < len(list); start += 10 { // no site
		end := min(start+10, len(list))
		for _, it := range list[start:end] { // no site
			if err := r.Put(ctx, it); err != nil {
				return err
			}
		}
		pause()
	}
	return nil
}

func requeue(ctx context.Context, r remote, queue []item) {
	for len(queue) > 0 { // no site
		it := queue[0]
		queue = queue[1:]
		if err := r.Put(ctx, it); err != nil {
			queue = append(queue, it)
			pause()
		}
	}
}

func ask(in *bufio.Scanner) string {
	for tries := 0; tries < 3; tries++ { // no site
		fmt.Print("name? ")
		if in.Scan() && in.Text() != "" {
			return in.Text()
		}
	}
	return ""
}

func primes(n int) (list []int) {
	for i := 2; len(list) < n; i++ { // no site
		ok := true
		for _, p := range list { // no site
			if i%p == 0 {
				ok = false
				break
			}
		}
		if ok {
			list = append(list, i)
		}
	}
	return list
}

func freePort() (l net.Listener, err error) {
	for port := 8000; port < 8100; port++ { // no site
		if l, err = net.Listen("tcp", fmt.Sprintf(":%d", port)); err == nil {
			return l, nil
		}
	}
	return nil, err
}

func tempName(dir string) (f *os.File, err error) {
	for i := 0; i < 10000; i++ { // no site
		f, err = os.OpenFile(fmt.Sprintf("%s/%d", dir, i), os.O_CREATE|os.O_EXCL, 0o600)
		if os.IsExist(err) {
			continue
		}
		return f, err
	}
	return nil, err
}

func candidatesByIndex(ctx context.Context, r remote, ids []string) (it item, err error) {
	for i := 0; i < 3 && i < len(ids); i++ { // no site
		id := ids[i]
		if it, err = r.Fetch(ctx, id); err == nil {
			return it, nil
		}
		pause()
	}
	return it, err
}

func deleteAll(ctx context.Context, r remote, ids []string) (errs []error) {
	for _, id := range ids { // no site
		if err := r.Put(ctx, item{id: id}); err != nil {
			errs = append(errs, err)
			time.Sleep(time.Second)
		}
	}
	return errs
}

func drainBody(r io.Reader) error {
	buf := make([]byte, 10)
	for tries := 0; tries < 5; tries++ { // no site
		_, err := r.Read(buf)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return errBusy
}

func cacheThenFetch(ctx context.Context, get func(string) (item, bool), r remote) (item, error) {
	for i := 0; i < 2; i++ { // no site
		if it, ok := get("a"); ok {
			return it, nil
		}
		if err := r.Put(ctx, item{}); err != nil {
			return item{}, err
		}
	}
	return item{}, errBusy
}

// statusError is what a service answers.
type statusError struct{ Status int }

func (e *statusError) Error() string { return "refused" }

func whileConflict(ctx context.Context, r remote, it item) error {
	for { // site loop retry unlimited
		err := r.Put(ctx, it)
		if e, ok := err.(*statusError); ok && e.Status == 409 {
			time.Sleep(time.Second)
			continue
		}
		return err
	}
}

// invariantBesideCounter gives up for a reason that no attempt changes.
func invariantBesideCounter(r remote, next func() (off, size int)) (err error) {
	off, size := next()
	for i := 0; i < 4; i++ { // site loop retry 4
		if err = r.Ping(); err == nil {
			return nil
		}
		if off >= size {
			return err
		}
		pause()
	}
	return err
}

// invariantParameters gives up before an attempt, for a reason that stands from the start.
func invariantParameters(r remote, off, size, tries int) (err error) {
	for i := 0; i < tries; i++ { // site loop retry tries
		if off >= size {
			return err
		}
		if err = r.Ping(); err == nil {
			return nil
		}
		pause()
	}
	return err
}

type span struct{ off, size int }

func (s *span) invariantFields(r remote) (err error) {
	for i := 0; i < 4; i++ { // site loop retry 4
		if err = r.Ping(); err == nil || s.off >= s.size {
			return err
		}
		pause()
	}
	return err
}

// unusedName looks for a name that is free.
func unusedName(dir string) string {
	for range 100 { // no site
		name := fmt.Sprintf("%s/%d", dir, rand.Int())
		if _, err := os.Stat(name); os.IsNotExist(err) {
			return name
		}
	}
	return ""
}

type telling interface {
	Send(letter string) (string, error)
	SendError() error
}

// tells asks twice which error it was: nothing is executed again.
func tells(t telling, note func(error)) error {
	_, err := t.Send("a")
	if t.SendError() != nil {
		time.Sleep(time.Second)
		note(t.SendError())
	}
	return err
}
