// Package cross nests retries across packages.
package cross

import (
	"context"
	"errors"
	"log"
	"time"

	"again"
	"stock"
)

// Shop sells.
type Shop struct {
	stock *stock.Client
	run   func(op func() error) error
	once  func(op func() error) error
	p     again.Policy
}

// NewShop returns a shop.
func NewShop(c *stock.Client) *Shop {
	return &Shop{stock: c, run: again.New(3), once: again.New(1), p: again.Policy{Attempts: 5}}
}

// Loop is a loop around another package's loop.
func (s *Shop) Loop(ctx context.Context) (level string, err error) {
	for i := 0; i < 2; i++ {
		if level, err = s.stock.Level(ctx, "a"); err == nil { // want `up to 6 attempts: 2 by the loop in \(\*Shop\)\.Loop \(cross/cross\.go:\d+\) × 3 by the loop in \(\*Client\)\.Level \(stock/stock\.go:\d+\)`
			return level, nil
		}
		time.Sleep(time.Second)
	}
	return level, err
}

// Helper takes the count as a parameter.
func (s *Shop) Helper(ctx context.Context) error {
	return again.Do(ctx, 5, func(ctx context.Context) error { // want `up to 15 attempts: 5 by again\.Do in \(\*Shop\)\.Helper .* × 3 by`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// HelperOnce makes one attempt.
func (s *Shop) HelperOnce(ctx context.Context) error {
	return again.Do(ctx, 1, func(ctx context.Context) error {
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// Generic counts retries.
func (s *Shop) Generic(ctx context.Context) (string, error) {
	return again.Value(ctx, 2, func(ctx context.Context) (string, error) { // want `up to 9 attempts: 3 by again\.Value in`
		return s.stock.Level(ctx, "a")
	})
}

// Method is configured by a literal.
func (s *Shop) Method(ctx context.Context) error {
	return again.Policy{Attempts: 4}.Run(func() error { // want `up to 12 attempts: 4 by \(Policy\)\.Run in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// MethodDefault isn't configured.
func (s *Shop) MethodDefault(ctx context.Context) error {
	return again.Policy{}.Run(func() error { // want `up to 9 attempts: 3 by \(Policy\)\.Run in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// MethodOfField is configured by the constructor.
func (s *Shop) MethodOfField(ctx context.Context) error {
	return s.p.Run(func() error { // want `up to 15 attempts: 5 by \(Policy\)\.Run in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// Struct gives options as a struct.
func (s *Shop) Struct(ctx context.Context) error {
	return again.With(func() error { // want `up to 9 attempts: 3 by again\.With in`
		_, err := s.stock.Level(ctx, "a")
		return err
	}, again.Options{Retries: 2})
}

// StructZero doesn't repeat.
func (s *Shop) StructZero(ctx context.Context) error {
	return again.With(func() error {
		_, err := s.stock.Level(ctx, "a")
		return err
	}, again.Options{Stop: func(err error) bool { return errors.Is(err, stock.ErrGone) }})
}

// Variadic gives options as functions.
func (s *Shop) Variadic(ctx context.Context) error {
	return again.Call(func() error { // want `up to 21 attempts: 7 by again\.Call in`
		_, err := s.stock.Level(ctx, "a")
		return err
	}, again.Wait(time.Minute), again.Attempts(7))
}

// VariadicDefault gives none that matter.
func (s *Shop) VariadicDefault(ctx context.Context) error {
	return again.Call(func() error { // want `up to 9 attempts: 3 by again\.Call in`
		_, err := s.stock.Level(ctx, "a")
		return err
	}, again.Wait(time.Minute))
}

// VariadicLast gives one twice.
func (s *Shop) VariadicLast(ctx context.Context) error {
	return again.Call(func() error { // want `up to 6 attempts: 2 by again\.Call in`
		_, err := s.stock.Level(ctx, "a")
		return err
	}, again.Attempts(7), again.Attempts(2))
}

// VariadicOne switches it off.
func (s *Shop) VariadicOne(ctx context.Context) error {
	return again.Call(func() error {
		_, err := s.stock.Level(ctx, "a")
		return err
	}, again.Attempts(1))
}

// VariadicList appends.
func (s *Shop) VariadicList(ctx context.Context) error {
	opts := []again.Option{again.Wait(time.Second)}
	opts = append(opts, again.Attempts(4))
	return again.Call(func() error { // want `up to 12 attempts: 4 by again\.Call in`
		_, err := s.stock.Level(ctx, "a")
		return err
	}, opts...)
}

// Returned calls a function that New made.
func (s *Shop) Returned(ctx context.Context) error {
	retry := again.New(6)
	return retry(func() error { // want `up to 18 attempts: 6 by .* in \(\*Shop\)\.Returned`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// ReturnedOnce keeps one of a single attempt.
func (s *Shop) ReturnedOnce(ctx context.Context) error {
	return s.once(func() error {
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// Wrapper hides the count.
func (s *Shop) Wrapper(ctx context.Context) error {
	return again.Thrice(ctx, func(ctx context.Context) error { // want `up to 9 attempts: 3 by again\.Thrice in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// Builder sets the number step by step.
func (s *Shop) Builder(ctx context.Context) error {
	return again.NewRetrier().Max(5).Do(func() error { // want `up to 15 attempts: 5 by \(\*Retrier\)\.Do in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// BuilderDefault doesn't.
func (s *Shop) BuilderDefault(ctx context.Context) error {
	return again.NewRetrier().Do(func() error { // want `up to 6 attempts: 2 by \(\*Retrier\)\.Do in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// InnerHelper reaches a helper call in the other package.
func (s *Shop) InnerHelper(ctx context.Context) (err error) {
	for range 3 {
		if err = s.stock.Reserve(ctx, "a"); err == nil { // want `up to 12 attempts: 3 by .* × 4 by \(\*Retrier\)\.Do in \(\*Client\)\.Reserve \(stock/stock\.go`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// ByArgument gives the inner count.
func (s *Shop) ByArgument(ctx context.Context) (err error) {
	for range 3 {
		if err = s.stock.Limited(ctx, "a", 2); err == nil { // want `up to 6 attempts: 3 by .* × 2 by again\.Do in \(\*Client\)\.Limited`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// ByArgumentOnce switches the inner one off.
func (s *Shop) ByArgumentOnce(ctx context.Context) (err error) {
	for range 3 {
		if err = s.stock.Limited(ctx, "a", 1); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Once reaches no other site.
func (s *Shop) Once(ctx context.Context) (err error) {
	for range 3 {
		if _, err = s.stock.Once(ctx, "a"); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Decorated puts decorators around a client.
func Decorated(ctx context.Context, c *stock.Client) (string, error) {
	src := stock.NewRepeated(c, 2)
	return src.Level(ctx, "a")
}

// HelperInHelper nests two helpers in one body.
func (s *Shop) HelperInHelper(ctx context.Context) error {
	return again.Do(ctx, 2, func(ctx context.Context) error { // want `up to 18 attempts: 2 by again\.Do .* × 3 by again\.Thrice .* × 3 by`
		return again.Thrice(ctx, func(ctx context.Context) error {
			_, err := s.stock.Level(ctx, "a")
			return err
		})
	})
}

// MethodValueOfOther passes another package's method on.
func (s *Shop) MethodValueOfOther(ctx context.Context) error {
	return again.Call(func() error { return s.stock.Reserve(ctx, "a") }) // want `up to 12 attempts: 3 by again\.Call in .* × 4 by`
}

// ReturnedField keeps it in a field.
func (s *Shop) ReturnedField(ctx context.Context) error {
	return s.run(func() error { // want `up to 9 attempts: 3 by .* in \(\*Shop\)\.ReturnedField`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// WrapperOfWrapper hides the wrapper.
func (s *Shop) WrapperOfWrapper(ctx context.Context) error {
	return again.ThriceLogged(ctx, func(err error) { log.Print(err) }, func(ctx context.Context) error { // want `up to 9 attempts: 3 by again\.ThriceLogged in`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// Twice decorates twice and repeats once more.
func Twice(ctx context.Context, c *stock.Client) (level string, err error) {
	src := stock.NewRepeated(stock.NewRepeated(c, 2), 3)
	for range 2 {
		if level, err = src.Level(ctx, "a"); err == nil { // want `up to 36 attempts: 2 by .* × 3 by .* × 2 by .* × 3 by`
			return level, nil
		}
		time.Sleep(time.Second)
	}
	return level, err
}
