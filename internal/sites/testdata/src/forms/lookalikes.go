package forms

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"os"
	"sync/atomic"
	"time"
)

func items(ctx context.Context, r remote, list []item) error {
	for _, it := range list { // no site
		if err := r.Put(ctx, it); err != nil {
			return err
		}
	}
	return nil
}

func itemsGoingOn(ctx context.Context, r remote, list []item) (failed int) {
	for i := 0; i < len(list); i++ { // no site
		if err := r.Put(ctx, list[i]); err != nil {
			failed++
			continue
		}
		pause()
	}
	return failed
}

// firstThatWorks tries items until one succeeds: failover.
func firstThatWorks(ctx context.Context, r remote, ids []string) (it item, err error) {
	for _, id := range ids { // no site
		if it, err = r.Fetch(ctx, id); err == nil {
			return it, nil
		}
		time.Sleep(time.Second)
	}
	return it, err
}

func mapItems(ctx context.Context, r remote, m map[string]item) (err error) {
	for id := range m { // no site
		if _, err = r.Fetch(ctx, id); err == nil {
			return nil
		}
		pause()
	}
	return err
}

func channelItems(ctx context.Context, r remote, ch <-chan item) {
	for it := range ch { // no site
		if err := r.Put(ctx, it); err != nil {
			fmt.Println(err)
			pause()
		}
	}
}

func seqItems(ctx context.Context, r remote, seq iter.Seq[item]) error {
	for it := range seq { // no site
		if err := r.Put(ctx, it); err != nil {
			pause()
			continue
		}
	}
	return nil
}

func numbered(ctx context.Context, r remote) (err error) {
	for i := range 3 { // no site
		if err = r.Put(ctx, item{id: fmt.Sprint("part", i)}); err != nil {
			return err
		}
	}
	return nil
}

// nodes are asked by number: failover, though it counts.
func nodes(ctx context.Context, rs []remote) (it item, err error) {
	for i := 0; i < len(rs); i++ { // no site
		if it, err = rs[i].Fetch(ctx, "a"); err == nil {
			return it, nil
		}
		pause()
	}
	return it, err
}

type pager interface {
	List(ctx context.Context, token string) (items []item, next string, err error)
}

func pages(ctx context.Context, p pager) (all []item, err error) {
	token := ""
	for { // no site
		items, next, err := p.List(ctx, token)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
		if next == "" {
			return all, nil
		}
		token = next
	}
}

func pagesPaced(ctx context.Context, p pager) (n int, err error) {
	for token := ""; ; { // no site
		var items []item
		if items, token, err = p.List(ctx, token); err != nil {
			return n, err
		}
		n += len(items)
		if token == "" {
			return n, nil
		}
		time.Sleep(time.Second)
	}
}

type stream interface {
	Recv() (item, error)
}

func receive(s stream) error {
	for { // no site
		it, err := s.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		fmt.Println(it)
	}
}

func receiveGoingOn(s stream) {
	for { // no site
		it, err := s.Recv()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		fmt.Println(it)
	}
}

func readAll(r io.Reader) (n int, err error) {
	buf := make([]byte, 512)
	for { // no site
		m, err := r.Read(buf)
		n += m
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

func accept(l net.Listener, serve func(net.Conn)) error {
	delay := time.Millisecond
	for { // no site
		conn, err := l.Accept()
		if err != nil {
			var ne net.Error
			if errors.As(err, &ne) && ne.Timeout() {
				time.Sleep(delay)
				delay *= 2
				continue
			}
			return err
		}
		go serve(conn)
	}
}

func worker(ctx context.Context, r remote, jobs <-chan item) {
	for { // no site
		select {
		case <-ctx.Done():
			return
		case job := <-jobs:
			if err := r.Put(ctx, job); err != nil {
				fmt.Println(err)
				time.Sleep(time.Second)
			}
		}
	}
}

func ticking(ctx context.Context, r remote) {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for { // no site
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if err := r.Ping(); err != nil {
				fmt.Println(err)
			}
		}
	}
}

func heartbeats(r remote) {
	for { // no site
		if err := r.Ping(); err != nil {
			fmt.Println("heartbeat", err)
		}
		time.Sleep(time.Minute)
	}
}

func cas(n *atomic.Int64, by int64) {
	for { // no site
		old := n.Load()
		if n.CompareAndSwap(old, old+by) {
			return
		}
	}
}

var errConflict = errors.New("conflict")

func isConflict(err error) bool { return errors.Is(err, errConflict) }

func casRemote(ctx context.Context, r remote) error {
	for range 5 { // no site
		it, err := r.Fetch(ctx, "a")
		if err != nil {
			return err
		}
		it.state = "next"
		err = r.Put(ctx, it)
		if !isConflict(err) {
			return err
		}
		pause()
	}
	return errConflict
}

func pollState(ctx context.Context, r remote) error {
	for range 60 { // no site
		it, err := r.Fetch(ctx, "a")
		if err != nil {
			return err
		}
		if it.state == "ready" {
			return nil
		}
		time.Sleep(time.Second)
	}
	return errBusy
}

func pollStateTolerant(ctx context.Context, r remote) error {
	for { // no site
		it, err := r.Fetch(ctx, "a")
		if err == nil && it.state == "ready" {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

func prompt(in *bufio.Reader) (n int, err error) {
	for { // no site
		fmt.Print("how many? ")
		line, err := in.ReadString('\n')
		if err != nil {
			return 0, err
		}
		if _, err := fmt.Sscan(line, &n); err == nil {
			return n, nil
		}
		fmt.Println("try again")
	}
}

type scanner struct {
	text string
	at   int
}

func (s *scanner) number() (n int, err error) {
	for s.at < len(s.text) { // no site
		c := s.text[s.at]
		if c < '0' || c > '9' {
			return n, errOther
		}
		n = 10*n + int(c-'0')
		s.at++
	}
	return n, nil
}

func (s *scanner) list() (list []int, err error) {
	for { // no site
		n, err := s.number()
		if err != nil && s.at >= len(s.text) {
			return list, err
		}
		if err == nil {
			list = append(list, n)
		}
		s.at++
	}
}

type session interface {
	Run() error
	Close() error
}

// reconnecting is a daemon: it doesn't end when a session does, well or not.
func reconnecting(ctx context.Context, dial func(context.Context) (session, error)) {
	for ctx.Err() == nil { // no site
		s, err := dial(ctx)
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		if err := s.Run(); err != nil {
			fmt.Println(err)
		}
		_ = s.Close()
	}
}

func drain(ctx context.Context, r remote, queue []item) error {
	for len(queue) > 0 { // no site
		if err := r.Put(ctx, queue[0]); err != nil {
			return err
		}
		queue = queue[1:]
	}
	return nil
}

func bisect(test func(int) (bool, error)) (int, error) {
	lo, hi := 0, 100
	for lo < hi { // no site
		mid := (lo + hi) / 2
		ok, err := test(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo, nil
}

// samples measures, and counts failures.
func samples(r remote) (failures int) {
	for range 100 { // no site
		if err := r.Ping(); err != nil {
			failures++
		}
		time.Sleep(time.Second)
	}
	return failures
}

// chunks moves an offset on.
func chunks(ctx context.Context, read func(ctx context.Context, offset int64) (int64, error), size int64) error {
	for offset := int64(0); offset < size; { // no site
		n, err := read(ctx, offset)
		if err != nil {
			return err
		}
		offset += n
	}
	return nil
}

func chain(ctx context.Context, r remote, id string) (it item, err error) {
	for id != "" { // no site
		it, err = r.Fetch(ctx, id)
		if err != nil {
			return it, err
		}
		id = it.state
	}
	return it, nil
}

// shutdown waits for somebody else.
func shutdown(busy func() bool) {
	for busy() { // no site
		time.Sleep(time.Second)
	}
}

// halves asks for less each time.
func halves(ask func(size int) error) error {
	for size := 1024; size > 1; size /= 2 { // no site
		if err := ask(size); err == nil {
			return nil
		}
	}
	return errBusy
}

// unique makes names: another operation each time.
func unique(ctx context.Context, r remote, base string) (string, error) {
	for i := 0; i < 10; i++ { // no site
		name := fmt.Sprintf("%s-%d", base, i)
		if err := r.Put(ctx, item{id: name}); err == nil {
			return name, nil
		}
	}
	return "", errBusy
}

// lockFile waits until nobody else holds the lock.
func lockFile(name string, deadline time.Time) (*os.File, error) {
	for { // no site
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			return f, nil
		}
		if !os.IsExist(err) || time.Now().After(deadline) {
			return nil, err
		}
		pause()
	}
}

// lockFileBySentinel is told by errors.Is.
func lockFileBySentinel(name string) (*os.File, error) {
	for attempt := 0; ; attempt++ { // no site
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case err == nil:
			return f, nil
		case errors.Is(err, fs.ErrExist) && attempt < 10:
			pause()
		default:
			return nil, err
		}
	}
}
