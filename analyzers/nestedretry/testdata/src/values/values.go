// Package values calls helpers with values from everywhere.
package values

import (
	"context"
	"time"

	retry "github.com/avast/retry-go/v4"
	"github.com/cenkalti/backoff/v4"
	retryablehttp "github.com/hashicorp/go-retryablehttp"

	"again"
	"clamp"
	"stock"
)

// Service has an operation that makes three attempts by itself.
type Service struct {
	c *stock.Client
	*stock.Repeated
}

func (s *Service) op() error { _, err := s.c.Level(context.Background(), "a"); return err }

// Clamped numbers.

func (s *Service) AtLeast0() error { return clamp.AtLeastOne(0, s.op) }

func (s *Service) AtLeast4() error { return clamp.AtLeastOne(4, s.op) } // want `up to 12 attempts: 4 by clamp\.AtLeastOne`

func (s *Service) MaxOne0() error { return clamp.MaxOne(0, s.op) }

func (s *Service) AtMost1() error { return clamp.AtMostThree(1, s.op) }

func (s *Service) AtMost2() error { return clamp.AtMostThree(2, s.op) } // want `up to 6`

func (s *Service) AtMost9() error { return clamp.AtMostThree(9, s.op) } // want `up to 9`

func (s *Service) MaxOne4() error { return clamp.MaxOne(4, s.op) } // want `up to 12 attempts`

// Lists of delays.

func (s *Service) Delays2() error { return clamp.Delays(s.op, 1, 2) } // want `up to 6 attempts`

func (s *Service) DelaysPlus2() error { return clamp.DelaysPlus(s.op, 1, 2) } // want `up to 9 attempts`

func (s *Service) DelaysPlus0() error { return clamp.DelaysPlus(s.op) }

// Settings behind a pointer.

func (s *Service) PtrNil() error { return clamp.Ptr(nil, s.op) } // want `up to 12 attempts`

func (s *Service) Ptr2() error { return clamp.Ptr(&clamp.Cfg{Max: 2}, s.op) } // want `up to 6 attempts`

func (s *Service) Ptr1() error { return clamp.Ptr(&clamp.Cfg{Max: 1}, s.op) }

// Classifiers that say yes to all.

func (s *Service) StopNever() error {
	never := func(error) bool { return false }
	return again.With(s.op, again.Options{Retries: 3, Stop: never}) // want `up to 12 attempts`
}

func (s *Service) RetryableAll() error {
	all := func(error) bool { return true }
	return clamp.Retryable(4, all, s.op) // want `up to 12 attempts`
}

// A classifier that says no to all: the operation is executed once.
func (s *Service) RetryableNever() error {
	return clamp.Retryable(4, func(error) bool { return false }, s.op)
}

func (s *Service) OptionNever() error {
	never := func(error) bool { return false }
	return clamp.Ruled(s.op, clamp.Rules{Attempts: 4, Retryable: never})
}

func (s *Service) OptionAll() error {
	all := func(error) bool { return true }
	return clamp.Ruled(s.op, clamp.Rules{Attempts: 4, Retryable: all}) // want `up to 12 attempts`
}

// Functions that make functions.

func (s *Service) Handler(ctx context.Context) error {
	h := clamp.WithRetry(2)(func(ctx context.Context) error { return s.op() })
	return h(ctx) // want `up to 6 attempts: 2 by .* in \(\*Service\)\.Handler`
}

func (s *Service) Inner() (v string, err error) {
	b := clamp.NewBox(func() (string, error) { return s.c.Once(context.Background(), "a") })
	for range 2 {
		if v, err = b.Get(); err == nil { // want `up to 6 attempts: 2 by .* × 3 by`
			return v, nil
		}
		time.Sleep(time.Second)
	}
	return v, err
}

// Of the value of the success only.

func (s *Service) AfterSuccess(ctx context.Context) (err error) {
	for range 3 {
		if _, err = s.c.Once(ctx, "a"); err == nil {
			return s.c.Reserve(ctx, "a")
		}
		time.Sleep(time.Second)
	}
	return err
}

// A method of an embedded type.

func (s *Service) Embedded(ctx context.Context) (err error) {
	for range 2 {
		if _, err = s.Level(ctx, "a"); err == nil { // want `up to 2 × `
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

var thrice = again.New(3)

func (s *Service) PackageVar() error { return thrice(s.op) } // want `up to 9`

var web = func() *retryablehttp.Client { c := retryablehttp.NewClient(); c.RetryMax = 1; return c }()

// PackageClient uses a variable.
func PackageClient() (err error) {
	for range 3 {
		if _, err = web.Get("a"); err == nil { // want `up to 6`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *Service) MethodExpr(ctx context.Context) (err error) {
	f := (*stock.Client).Reserve
	for range 3 {
		if err = f(s.c, ctx, "a"); err == nil { // want `up to 12`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *Service) MethodVal(ctx context.Context) (err error) {
	f := s.c.Reserve
	for range 3 {
		if err = f(ctx, "a"); err == nil { // want `up to 12`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *Service) opts() []retry.Option { return []retry.Option{retry.Attempts(2)} }

func (s *Service) OptsFunc() error { return retry.Do(s.op, s.opts()...) } // want `up to 6`

func (s *Service) OptsAppend(more ...retry.Option) error {
	return retry.Do(s.op, append([]retry.Option{retry.Attempts(2)}, more...)...) // want `up to`
}

func (s *Service) OptsOne() error { return retry.Do(s.op, append(s.opts(), retry.Attempts(1))...) }

type level interface {
	Level(ctx context.Context, sku string) (string, error)
}

func loopOver(ctx context.Context, l level) (err error) {
	for range 2 {
		if _, err = l.Level(ctx, "a"); err == nil { // want `up to 6 attempts: 2 by the loop in loopOver`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Passes hands a client on: the site is the loop that the client is handed to.
func Passes(ctx context.Context, c *stock.Client) error { return loopOver(ctx, c) }

// PassesField hands on what a field holds.
func PassesField(ctx context.Context, s *Service) error { return loopOver(ctx, s.c) }

// PassesNew makes the value itself.
func PassesNew(ctx context.Context) error { return loopOver(ctx, stock.New(nil)) }

func (s *Service) Conditional(ctx context.Context, fast bool) (err error) {
	n := 3
	if fast {
		n = 1
	}
	return again.Do(ctx, n, func(ctx context.Context) error { return s.op() }) // want `up to 9`
}

func (s *Service) viaBool(ctx context.Context, retries bool) error {
	n := 1
	if retries {
		n = 4
	}
	return again.Do(ctx, n, func(ctx context.Context) error { _, err := s.c.Once(ctx, "a"); return err })
}

func (s *Service) BoolOff(ctx context.Context) (err error) {
	for range 3 {
		if err = s.viaBool(ctx, false); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *Service) BoolOn(ctx context.Context) (err error) {
	for range 3 {
		if err = s.viaBool(ctx, true); err == nil { // want `up to 12`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func (s *Service) Val() (string, error) {
	return clamp.Val(2, func() (string, error) { return s.c.Level(context.Background(), "a") }) // want `up to 6 attempts: 2 by clamp.Val`
}

func (s *Service) Box() (string, error) {
	b := clamp.NewBox(func() (string, error) { return s.c.Level(context.Background(), "a") })
	return b.Get() // want `up to 9`
}

// Endless is around a library.
func Endless(op func() error) error {
	for {
		if err := backoff.Retry(op, backoff.WithMaxRetries(backoff.NewExponentialBackOff(), 2)); err == nil { // want `unlimited attempts`
			return nil
		}
	}
}

// Booleans that switch repetition off.

func (s *Service) IfNot() error { return clamp.If(false, 3, s.op) }

func (s *Service) IfSo() error { return clamp.If(true, 3, s.op) } // want `up to 9 attempts: 3 by clamp\.If`

func (s *Service) IfAsked(again bool) error { return clamp.If(again, 3, s.op) } // want `up to 9 attempts: 3 by clamp\.If`

func (s *Service) IfAny(again bool, n int) error { return clamp.If(again, n, s.op) } // want `up to n × 3 attempts`

func (s *Service) IfNone(n int) error { return clamp.If(false, n, s.op) }

func (s *Service) OnlyOnce() error { return clamp.Once{Max: 3, Only: true}.Do(s.op) }

func (s *Service) OnlyLeftOut() error { return clamp.Once{Max: 3}.Do(s.op) } // want `up to 9 attempts`

func (s *Service) OnlyGiven(o clamp.Once) error { return o.Do(s.op) } // want `up to o\.Max × 3 attempts`

func (s *Service) Untoggled(t *clamp.Toggled) error { return t.Do(s.op) } // want `up to 12 attempts`

func (s *Service) Toggled() error { return (&clamp.Toggled{Idempotent: true}).Do(s.op) } // want `up to 12 attempts`

func (s *Service) ToggledNot() error { return (&clamp.Toggled{Idempotent: false}).Do(s.op) }

func (s *Service) Quiet() error { return clamp.Loud(true, 3, s.op) } // want `up to 9 attempts`

func (s *Service) Loud() error { return clamp.Loud(false, 3, s.op) } // want `up to 9 attempts`

func (s *Service) NotHarder() error { return clamp.Harder(false, 3, s.op) } // want `up to \d+ attempts`

func (s *Service) UntilTold() error { return clamp.UntilTold(true, s.op) } // want `up to \d+ attempts`

func (s *Service) Untold() error { return clamp.UntilTold(false, s.op) }

// Branches that an argument rules out.

type shelf interface{ Put() error }

func keep(s shelf) (err error) {
	for range 4 {
		if err = s.Put(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func move(to, backup shelf) error {
	if backup != nil {
		if err := keep(backup); err != nil {
			return err
		}
	}
	return to.Put()
}

func moveVia(to, backup shelf) error { return move(to, backup) }

func (s *Service) Moves(to shelf) error {
	return clamp.If(true, 3, func() error { return move(to, nil) })
}

func (s *Service) MovesVia(to shelf) error {
	return clamp.If(true, 3, func() error { return moveVia(to, nil) })
}

func (s *Service) MovesBackedUp(to, backup shelf) error {
	return clamp.If(true, 3, func() error { return moveVia(to, backup) }) // want `up to 12 attempts`
}

func (s *Service) MovesMaybe(to, backup shelf, safe bool) error {
	var b shelf
	if safe {
		b = backup
	}
	return clamp.If(true, 3, func() error { return move(to, b) }) // want `up to 12 attempts`
}

func (s *Service) Careless() error { return clamp.Careful(false, s.op) }

func (s *Service) Careful() error { return clamp.Careful(true, s.op) } // want `up to 12 attempts`

func (s *Service) CarefulIf(again bool) error { return clamp.Careful(again, s.op) } // want `up to 12 attempts`

func (s *Service) NoSpare() error { return clamp.Backed(func() error { return nil }, nil) }

func (s *Service) Spare() error { return clamp.Backed(func() error { return nil }, s.op) } // want `up to 6 attempts`

func (s *Service) EitherWay() error { return clamp.Either(nil, s.op) } // want `up to 12 attempts`

func (s *Service) Stubborn() error { return clamp.Stubborn(false, s.op) } // want `up to 9 attempts`
