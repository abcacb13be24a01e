// Package policies repeats calls that repeat themselves, as policies say.
package policies

import (
	"context"
	"time"

	"delays"
	"stock"
)

var patient = delays.NewGrowing(time.Second).UpTo(4)

func counted(ctx context.Context, c *stock.Client) error {
	return delays.Keep(ctx, delays.NewGrowing(time.Second).UpTo(5), func(ctx context.Context) error { // want `up to 15 attempts: 5 by delays.Keep`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func variable(ctx context.Context, c *stock.Client) error {
	return delays.KeepOn(patient, func() error { // want `up to 12 attempts: 4 by delays.KeepOn`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func timed(ctx context.Context, c *stock.Client) error {
	return delays.Keep(ctx, delays.NewGrowing(time.Second), func(ctx context.Context) error { // want `up to n × 3 attempts: n by delays.Keep in timed \(n: as many as fit into its time limit`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func endless(ctx context.Context, c *stock.Client) error {
	return delays.Keep(ctx, delays.NewGrowing(time.Second).Within(0), func(ctx context.Context) error { // want `unlimited attempts: unlimited by delays.Keep`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func steady(ctx context.Context, c *stock.Client) error {
	return delays.Keep(ctx, delays.NewSteady(time.Second).UpTo(2), func(ctx context.Context) error { // want `up to 6 attempts: 2 by delays.Keep`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func steadyEndless(ctx context.Context, c *stock.Client) error {
	return delays.Keep(ctx, delays.NewSteady(time.Second), func(ctx context.Context) error { // want `unlimited attempts: unlimited by delays.Keep`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func never(ctx context.Context, c *stock.Client) error {
	return delays.Keep(ctx, delays.Never, func(ctx context.Context) error {
		_, err := c.Level(ctx, "a")
		return err
	})
}

// service has its policy from its constructor.
type service struct {
	policy delays.Policy
	stock  *stock.Client
}

// newService is where the policy is decided.
func newService(c *stock.Client) *service {
	return &service{policy: delays.NewGrowing(time.Second).UpTo(7), stock: c}
}

func (s *service) field(ctx context.Context) error {
	return delays.Keep(ctx, s.policy, func(ctx context.Context) error { // want `up to 21 attempts: 7 by delays.Keep`
		_, err := s.stock.Level(ctx, "a")
		return err
	})
}

// Given has its policy from elsewhere.
func Given(ctx context.Context, p delays.Policy, c *stock.Client) error {
	return delays.Keep(ctx, p, func(ctx context.Context) error { // want `up to p × 3 attempts: p by delays.Keep in Given \(its policy decides`
		_, err := c.Level(ctx, "a")
		return err
	})
}

// Chosen has one of two policies.
func Chosen(ctx context.Context, long bool, c *stock.Client) error {
	p := delays.NewGrowing(time.Second).UpTo(2)
	if long {
		p = delays.NewGrowing(time.Second).UpTo(9)
	}
	return delays.Keep(ctx, p, func(ctx context.Context) error { // want `up to 27 attempts: 9 by delays.Keep`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func decorated(ctx context.Context, c *stock.Client) error {
	w := delays.Capped(&delays.Doubling{Longest: time.Second}, 3)
	return delays.Through(w, func() error { // want `up to 12 attempts: 4 by delays.Through`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func undecorated(ctx context.Context, c *stock.Client) error {
	return delays.Through(&delays.Doubling{Longest: time.Second}, func() error { // want `unlimited attempts: unlimited by delays.Through`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func inTime(ctx context.Context, c *stock.Client) error {
	return delays.Through(&delays.Doubling{Longest: time.Second, Total: time.Hour}, func() error { // want `up to n × 3 attempts: n by delays.Through`
		_, err := c.Level(ctx, "a")
		return err
	})
}

func series(ctx context.Context, c *stock.Client) (err error) {
	for s := delays.NewSeries(6); s.More(); {
		if _, err = c.Level(ctx, "a"); err == nil { // want `up to 18 attempts: 6 by the loop in series`
			return nil
		}
	}
	return err
}

// turn is a delay that depends on the attempt's number alone.
func turn(tried int) time.Duration {
	if tried > 4 {
		return -1
	}
	return time.Duration(tried) * time.Second
}

func function(ctx context.Context, c *stock.Client) (err error) {
	for i := 0; ; i++ {
		if _, err = c.Level(ctx, "a"); err == nil { // want `up to 18 attempts: 6 by the loop in function`
			return nil
		}
		d := turn(i)
		if d < 0 {
			return err
		}
		time.Sleep(d)
	}
}

type limits struct{ tries int }

type limitsKey struct{}

var configured = new(limits)

func init() { fill(configured) }

func fill(settings any) {}

// limitsOf returns those of the context, or else what is configured.
func limitsOf(ctx context.Context) *limits {
	own := ctx.Value(limitsKey{})
	if own == nil {
		return configured
	}
	return own.(*limits)
}

// inBackground has no limits in its context, so what is configured decides, and that isn't known.
func inBackground(c *stock.Client) (err error) {
	ctx := context.Background()
	most := limitsOf(ctx).tries
	for used := 0; used <= most; used++ {
		if _, err = c.Level(ctx, "a"); err == nil { // want `up to \(limits.tries \+ 1\) × 3 attempts: `
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// Handed has a policy whose limit isn't known. That it is none where the policy is made is no number of attempts.
func Handed(ctx context.Context, g *delays.Growing, c *stock.Client) error {
	return delays.Keep(ctx, g, func(ctx context.Context) error { // want `up to [^0-9]* × 3 attempts: `
		_, err := c.Level(ctx, "a")
		return err
	})
}

// often is given three attempts, and one by a test.
func often(ctx context.Context, c *stock.Client, attempts int) (err error) {
	for i := 0; i < attempts; i++ {
		if _, err = c.Level(ctx, "a"); err == nil { // want `up to 9 attempts: 3 by the loop in often`
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

func usesOften(ctx context.Context, c *stock.Client) error { return often(ctx, c, 3) }

// handed executes what it is given, which only a test repeats.
func handed(op func() error) (err error) {
	for range 3 {
		if err = op(); err == nil {
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}
