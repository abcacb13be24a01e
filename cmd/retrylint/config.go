package main

import (
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/retrylint/retrylint/internal/config"
)

// config shows what a run with the same flags would go by.
func (c command) config(args []string) int {
	if len(args) == 0 || args[0] != "print" {
		return c.misuse("config has one command, print: it shows the settings that hold here, and where each comes from")
	}
	var o options
	code, ok := c.parse(args[1:], &o, o.selecting)
	if !ok {
		return code
	}
	if len(o.request.Patterns) > 0 {
		return c.misuse("config print takes no packages: the settings are those of the module or workspace; -C DIR shows another")
	}
	values, err := effective(&o)
	if err != nil {
		fmt.Fprintf(c.stderr, "retrylint: %v\n", err)
		return misused
	}
	if err := c.printValues(values, o.json); err != nil {
		return c.fail(err)
	}
	return clean
}

func effective(o *options) ([]config.Value, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	files, err := config.Files(dir)
	if err != nil {
		return nil, err
	}
	read, err := config.LoadAll(files)
	if err != nil {
		return nil, err
	}
	return read.Values(o.selection.Filter, o.request.Tests), nil
}

func (c command) printValues(values []config.Value, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(c.stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "\t")
		return e.Encode(values)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, v := range values {
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Key, v.Text, v.From)
	}
	return w.Flush()
}
