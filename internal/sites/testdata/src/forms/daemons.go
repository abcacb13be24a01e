package forms

import (
	"context"
	"log"
	"os"
	"time"
)

func workers(ctx context.Context, r remote, n int) {
	for i := 0; i < n; i++ { // no site
		go func() {
			for ctx.Err() == nil { // no site
				if err := r.Ping(); err != nil {
					log.Print(err)
				}
				pause()
			}
		}()
	}
}

func leaderLoop(ctx context.Context, l locker, r remote) {
	for { // no site
		ok, err := l.Lock("leader")
		if err != nil || !ok {
			select {
			case <-ctx.Done():
				return
			case <-time.After(time.Second):
			}
			continue
		}
		if err := r.Put(ctx, item{}); err != nil {
			log.Print(err)
		}
	}
}

func watch(ctx context.Context, open func(context.Context) (<-chan item, error), use func(item)) {
	for { // no site
		ch, err := open(ctx)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		for it := range ch { // no site
			use(it)
		}
	}
}

func daemonWithBackoff(ctx context.Context, run func(context.Context) error) {
	wait := time.Second
	for { // no site
		err := run(ctx)
		if ctx.Err() != nil {
			return
		}
		log.Print(err)
		time.Sleep(wait)
		wait = min(2*wait, time.Minute)
	}
}

func timerReset(ctx context.Context, r remote) {
	t := time.NewTimer(time.Minute)
	for { // no site
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if err := r.Ping(); err != nil {
				t.Reset(time.Second)
				continue
			}
			t.Reset(time.Minute)
		}
	}
}

func stopSignal(stop <-chan struct{}, r remote) error {
	for { // site loop retry unlimited
		err := r.Ping()
		if err == nil {
			return nil
		}
		select {
		case <-stop:
			return err
		case <-time.After(time.Second):
		}
	}
}

// untilStopped pings until it is told to stop; then the last one has to work.
func untilStopped(stop <-chan os.Signal, r remote) {
	stopping := false
	for { // no site
		select {
		case <-stop:
			stopping = true
		case <-time.After(time.Second):
		}
		err := r.Ping()
		if err != nil {
			log.Print(err)
			continue
		}
		if stopping {
			return
		}
	}
}

func tickAndLog(ctx context.Context, r remote) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for range tick.C { // no site
		if ctx.Err() != nil {
			return
		}
		if err := r.Ping(); err != nil {
			log.Printf("ping: %v", err)
		}
	}
}

// produce sends what it has fetched.
func produce(ctx context.Context, r remote, out chan<- item) {
	for { // no site
		it, err := r.Fetch(ctx, "a")
		if err != nil {
			pause()
			continue
		}
		select {
		case out <- it:
		case <-ctx.Done():
			return
		}
	}
}
