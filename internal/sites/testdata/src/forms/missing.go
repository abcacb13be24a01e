package forms

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

type entry struct{ at time.Time }

type archive struct {
	entries chan entry
	until   time.Time
	choose  func(ctx context.Context, query string, args map[string]any) ([]entry, int64, error)
	oldest  func(ctx context.Context, out **int64, args map[string]any) error
}

// pagesAgain hands each page on, one entry at a time, and asks for the same page again after a failure. Its counter begins
// anew with each page, and serves for the delay only.
func (a *archive) pagesAgain(ctx context.Context, first int64) error {
	from := first
	var retries int
	for { // site loop retry unlimited
		page, last, err := a.choose(ctx, "where id > :id", map[string]any{"id": from, "until": a.until})
		if err != nil {
			retries++
			time.Sleep(time.Duration(retries) * time.Second)
			continue
		}
		retries = 0
		for _, e := range page {
			a.entries <- e
		}
		if len(page) == 0 {
			break
		}
		if page[len(page)-1].at.After(a.until) {
			break
		}
		from = last
	}
	close(a.entries)
	return nil
}

// window looks for the first entry an hour at a time. The end of its windows is a time, but not one that passes.
func (a *archive) window(ctx context.Context, begin, end time.Time) (int64, error) {
	for begin.Compare(end) < 0 { // site loop retry unlimited
		var id *int64
		if err := a.oldest(ctx, &id, map[string]any{"begin": begin}); err != nil {
			time.Sleep(time.Second)
			continue
		}
		if id == nil {
			begin = begin.Add(time.Hour)
			continue
		}
		return *id, nil
	}
	return 0, errors.New("none")
}

type resolver struct {
	tries   int
	servers []string
	ask     func(ctx context.Context, question, server string) (*string, error)
}

// inTurn goes round the servers until the count is used up; the deferred function has captured what it works with.
func (r *resolver) inTurn(ctx context.Context, question string) (*string, error) {
	var (
		answer *string
		asked  int
	)
	defer func() { fmt.Println(answer, asked) }()
	for i := range r.tries { // site loop retry r.tries
		asked = i + 1
		server := r.servers[i%len(r.servers)]
		host, _, err := net.SplitHostPort(server)
		if err != nil {
			return nil, err
		}
		answer, err = r.ask(ctx, question, server)
		fmt.Println(host)
		if err != nil {
			var netErr net.Error
			late := ctx.Err() == nil && errors.As(err, &netErr) && netErr.Timeout()
			if late && asked < r.tries {
				continue
			}
			return nil, err
		}
		return answer, nil
	}
	return nil, errors.New("unreachable")
}

func isVersionConflict(err error) bool { return err != nil && err.Error() == "conflict" }

func isPassing(err error) bool { return err != nil && err.Error() == "busy" }

// forgotten has a count, a wait, and tells failures apart, but succeeds three times.
func forgotten(write func() error) (err error) {
	for i := 0; i < 3; i++ { // site loop retry 3
		err = write()
		if err != nil && !isPassing(err) {
			break
		}
		time.Sleep(time.Second)
	}
	return err
}

// forgottenConflict is the same for conflicts.
func forgottenConflict(update func() (int, error)) (n int, err error) {
	for i := 0; i <= 3; i++ { // no site: compare and swap
		n, err = update()
		if err != nil && !isVersionConflict(err) {
			err = fmt.Errorf("update: %w", err)
			break
		}
		if err != nil {
			fmt.Println("conflict", i)
		}
	}
	return n, err
}

// thrice is meant to do it three times.
func thrice(ping func() error) error {
	for i := 0; i < 3; i++ { // no site
		if err := ping(); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

type object struct {
	name    string
	deleted *time.Time
}

type objects interface {
	Get(ctx context.Context, name string, out any) error
	Delete(ctx context.Context, o any) error
}

func isGone(err error) bool { return err != nil && err.Error() == "gone" }

// oneAtATime deletes the first object that is still there: what it deletes is what it has fetched for another name each time.
func oneAtATime(ctx context.Context, c objects, names []string) (retryAfter time.Duration, err error) {
	for _, name := range names { // no site
		found := object{}
		if err := c.Get(ctx, name, &found); err != nil {
			if isGone(err) {
				continue
			}
			return 0, err
		}
		if err := c.Delete(ctx, &found); err != nil {
			if isGone(err) {
				continue
			}
			return 0, err
		}
		return time.Second, nil
	}
	return 0, nil
}

var errNotYet = errors.New("not yet")

type watcher struct{ long bool }

func (w *watcher) tryWatch(ctx context.Context) (*string, error) { return nil, errNotYet }

// longPoll asks again when the long poll has ended without news.
func (w *watcher) longPoll(ctx context.Context) (*string, error) {
	for ctx.Err() == nil { // no site
		news, err := w.tryWatch(ctx)
		if w.long && err == errNotYet {
			continue
		}
		return news, err
	}
	return nil, ctx.Err()
}

type exitLog struct{}

func (exitLog) Fatalf(format string, args ...any) {}

type lines interface{ Recv() (*string, error) }

// tail opens a stream again when it breaks off. What can't be opened ends the program.
func tail(log exitLog, open func() (lines, error)) {
	retry := true
	for retry { // no site
		retry = false
		stream, err := open()
		if err != nil {
			log.Fatalf("open: %v", err)
		}
		for {
			line, err := stream.Recv()
			if err != nil {
				if isPassing(err) {
					retry = true
					break
				}
				log.Fatalf("read: %v", err)
			}
			if *line == "" {
				return
			}
		}
	}
}
