// Package settings gets its numbers from flags and tables of options.
package settings

import (
	"context"
	"flag"
	"time"

	"again"
	"stock"
)

type config struct{ Max int }

// Flag has its default in the call that binds the flag.
func Flag(ctx context.Context, c *stock.Client) error {
	var cfg config
	flag.IntVar(&cfg.Max, "max", 3, "attempts")
	flag.Parse()
	return again.Do(ctx, cfg.Max, func(ctx context.Context) error { // want `up to 9 attempts \(.*Max × 3, default 3\)`
		_, err := c.Level(ctx, "a")
		return err
	})
}

type option struct {
	Name    string
	Help    string
	Default any
}

var options = []option{
	{Name: "delay", Help: "between attempts", Default: "1s"},
	{Name: "retries", Help: "attempts", Default: 10},
}

type opts struct {
	Delay   time.Duration `config:"delay"`
	Retries int           `config:"retries"`
}

type backend struct {
	opt opts
	c   *stock.Client
}

// Table has its default in the table that the tag names.
func (b *backend) Table(ctx context.Context) (err error) {
	for i := 0; i < b.opt.Retries; i++ {
		if _, err = b.c.Level(ctx, "a"); err == nil { // want `up to 30 attempts`
			return nil
		}
		time.Sleep(b.opt.Delay)
	}
	return err
}
