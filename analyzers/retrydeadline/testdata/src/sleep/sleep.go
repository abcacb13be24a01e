// Package sleep waits between attempts, with and without regard to the context in scope.
package sleep

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"time"
)

type beacon interface {
	Light(ctx context.Context, lamp int) error
	Dim(lamp int) error
}

var errFog = errors.New("fog")

func plain(ctx context.Context, b beacon) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `time.Sleep between attempts doesn't watch ctx`
	}
	return err
}

func watched(ctx context.Context, b beacon) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	return err
}

func noContext(b beacon) (err error) {
	for range 4 {
		if err = b.Dim(1); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func tiny(ctx context.Context, b beacon) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return err
}

func tinyAndCapped(ctx context.Context, b beacon) (err error) {
	wait := time.Millisecond
	for range 10 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		time.Sleep(wait)
		wait = min(2*wait, 30*time.Millisecond)
	}
	return err
}

func growsFromTiny(ctx context.Context, b beacon) (err error) {
	for n := 0; n < 12; n++ {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		time.Sleep(time.Millisecond << n) // want `time.Sleep between attempts doesn't watch ctx`
	}
	return err
}

func postStatement(ctx context.Context, b beacon) (err error) {
	for tries := 0; tries < 5; time.Sleep(2 * time.Second) { // want `time.Sleep between attempts`
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		tries++
	}
	return err
}

func receiveAlone(ctx context.Context, b beacon) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		<-time.After(time.Second) // want `<-time.After between attempts doesn't watch ctx`
	}
	return err
}

func timerAlone(ctx context.Context, b beacon) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		timer := time.NewTimer(time.Second)
		<-timer.C // want `the receive from a timer between attempts doesn't watch ctx`
	}
	return err
}

func tickerAlone(ctx context.Context, b beacon) (err error) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for tries := 0; tries < 9; tries++ {
		if err = b.Light(ctx, 1); err == nil || !errors.Is(err, errFog) {
			return err
		}
		<-tick.C // want `the receive from a timer between attempts`
	}
	return err
}

func drained(ctx context.Context, b beacon) (err error) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		if !timer.Stop() {
			<-timer.C
		}
		timer.Reset(time.Second)
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return err
}

func stopChannel(ctx context.Context, b beacon, stop <-chan struct{}) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		select {
		case <-stop:
			return errFog
		case <-time.After(time.Second):
		}
	}
	return err
}

type clock interface {
	Now() time.Time
	Sleep(d time.Duration)
}

type keeper struct {
	beacon beacon
	clock  clock
}

func (k *keeper) injected(ctx context.Context) (err error) {
	for n := 1; n <= 3; n++ {
		if err = k.beacon.Light(ctx, n); err == nil {
			return nil
		}
		k.clock.Sleep(time.Duration(n) * time.Minute) // want `Sleep between attempts doesn't watch ctx`
	}
	return err
}

func pause(n int) {
	log.Printf("attempt %d", n)
	time.Sleep(time.Duration(n) * time.Second)
}

func byHelper(ctx context.Context, b beacon) (err error) {
	for n := 1; n <= 3; n++ {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		pause(n) // want `sleep.pause between attempts doesn't watch ctx`
	}
	return err
}

// rest is given a context and forgets about it: it is at fault itself, once.
func rest(ctx context.Context, d time.Duration) {
	log.Print("rest", ctx.Value("id"))
	time.Sleep(d) // want `time.Sleep between attempts doesn't watch ctx`
}

func byCarelessHelper(ctx context.Context, b beacon) (err error) {
	for range 3 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		rest(ctx, time.Minute)
	}
	return err
}

func alsoByCarelessHelper(ctx context.Context, b beacon) (err error) {
	for range 5 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		rest(ctx, time.Second)
	}
	return err
}

func nap(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func byCarefulHelper(ctx context.Context, b beacon) (err error) {
	for range 3 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		if err := nap(ctx, time.Minute); err != nil {
			return err
		}
	}
	return err
}

// again says whether another attempt is worth while, and waits for it.
func again(err error, n int) bool {
	if !errors.Is(err, errFog) {
		return false
	}
	time.Sleep(time.Duration(n) * time.Second)
	return true
}

func inClassifier(ctx context.Context, b beacon) error {
	for n := 1; ; n++ {
		err := b.Light(ctx, 1)
		if err == nil || n == 6 || !again(err, n) { // want `sleep.again between attempts doesn't watch ctx`
			return err
		}
	}
}

func inLiteral(ctx context.Context, b beacon) func() error {
	return func() (err error) {
		for range 4 {
			if err = b.Light(ctx, 1); err == nil {
				return nil
			}
			time.Sleep(time.Second) // want `doesn't watch ctx`
		}
		return err
	}
}

// inGoroutine starts work that doesn't end with the caller.
func inGoroutine(ctx context.Context, b beacon) error {
	go func() {
		for range 4 {
			if b.Dim(1) == nil {
				return
			}
			time.Sleep(time.Second)
		}
	}()
	return b.Light(ctx, 2)
}

type transport struct{ next http.RoundTripper }

func (t *transport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	for n := range 4 {
		if resp, err = t.next.RoundTrip(req); err == nil {
			return resp, nil
		}
		time.Sleep(time.Second<<n + rand.N(time.Second)) // want `doesn't watch req.Context\(\)`
	}
	return nil, err
}

type stream interface {
	Context() context.Context
	SendMsg(m any) error
	RecvMsg(m any) error
}

func relay(b beacon, s stream) (err error) {
	for range 4 {
		if err = b.Light(s.Context(), 1); err == nil {
			return s.SendMsg("lit")
		}
		time.Sleep(time.Second) // want `doesn't watch s.Context\(\)`
	}
	return err
}

// A tower lives until ctx is done.
type tower struct {
	ctx    context.Context
	beacon beacon
}

func (t *tower) lightUp() (err error) {
	for range 4 {
		if err = t.beacon.Light(t.ctx, 1); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch t.ctx`
	}
	return err
}

func localDeadline(b beacon) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		if err = b.Light(ctx, 1); err == nil || !errors.Is(err, errFog) {
			return err
		}
		time.Sleep(5 * time.Second) // want `doesn't watch ctx`
	}
}

func paged(ctx context.Context, b beacon, lamps []int) error {
	for _, lamp := range lamps {
		if err := b.Light(ctx, lamp); err != nil {
			return err
		}
		time.Sleep(time.Second)
	}
	return nil
}

type state struct{ Ready bool }

func pollState(ctx context.Context, get func(context.Context) (state, error)) error {
	for {
		s, err := get(ctx)
		if err != nil {
			return err
		}
		if s.Ready {
			return nil
		}
		time.Sleep(time.Second)
	}
}

func secondAttempt(ctx context.Context, b beacon) error {
	err := b.Light(ctx, 1)
	if errors.Is(err, errFog) {
		time.Sleep(time.Second) // want `doesn't watch ctx`
		err = b.Light(ctx, 1)
	}
	return err
}

func recursive(ctx context.Context, b beacon, left int) error {
	err := b.Light(ctx, 1)
	if err == nil || left == 0 {
		return err
	}
	time.Sleep(time.Second) // want `doesn't watch ctx`
	return recursive(ctx, b, left-1)
}

func jumping(ctx context.Context, b beacon) error {
	tries := 0
retry:
	err := b.Light(ctx, 1)
	if err != nil && tries < 3 {
		tries++
		time.Sleep(time.Second) // want `doesn't watch ctx`
		goto retry
	}
	return err
}

func inSlices(ctx context.Context, b beacon) (err error) {
	for range 4 {
		if err = b.Light(ctx, 1); err == nil {
			return nil
		}
		for range 100 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	return err
}

func repeat(n int, op func() error) (err error) {
	for range n {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// repeatWith is given a context for its waits and sleeps.
func repeatWith(ctx context.Context, n int, op func(context.Context) error) (err error) {
	for range n {
		if err = op(ctx); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch ctx`
	}
	return err
}

func withHelper(ctx context.Context, b beacon) error {
	return repeatWith(ctx, 3, func(ctx context.Context) error { return b.Light(ctx, 1) })
}

func afterServer(ctx context.Context, b beacon) error {
	return repeat(3, func() error { // want `sleep.repeat isn't given ctx`
		err := b.Light(ctx, 1)
		var after *retryAfter
		if errors.As(err, &after) {
			time.Sleep(after.wait) // want `doesn't watch ctx`
		}
		return err
	})
}

type retryAfter struct{ wait time.Duration }

func (r *retryAfter) Error() string { return fmt.Sprint("after ", r.wait) }

// settle takes its time as a part of the attempt.
func settle(ctx context.Context, b beacon) error {
	return repeatWith(ctx, 3, func(ctx context.Context) error {
		err := b.Light(ctx, 1)
		time.Sleep(time.Second)
		return err
	})
}

func aftermath(ctx context.Context, err error) (bool, error) {
	var after *retryAfter
	if errors.As(err, &after) {
		log.Print("slow down ", ctx.Value("id"))
		time.Sleep(after.wait) // want `doesn't watch ctx`
	}
	return err != nil, err
}

func asked(op func() (bool, error)) (err error) {
	for range 10 {
		var again bool
		if again, err = op(); !again {
			break
		}
	}
	return err
}

func inAnswer(ctx context.Context, b beacon) error {
	return asked(func() (bool, error) {
		return aftermath(ctx, b.Light(ctx, 1))
	})
}

// buoy has a context for something else.
type buoy struct {
	ctx    context.Context
	beacon beacon
}

func (b *buoy) dim() (err error) {
	for range 4 {
		if err = b.beacon.Dim(1); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (t *tower) dim() (err error) {
	for range 4 {
		if err = t.beacon.Dim(1); err == nil {
			return nil
		}
		time.Sleep(time.Second) // want `doesn't watch t.ctx`
	}
	return err
}

func (b *buoy) light() error {
	return repeat(3, func() error { return b.beacon.Light(b.ctx, 1) }) // want `sleep.repeat isn't given b.ctx`
}

// command has a context, which is nobody's.
type command struct{ name string }

func (*command) Context() context.Context { return nil }

func execute(c *command, b beacon) (err error) {
	for range 4 {
		if err = b.Dim(1); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
