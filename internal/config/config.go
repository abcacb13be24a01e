// Package config reads .retrylint.yml, the file in which a project tells retrylint about its own retry helpers and
// clients, and about paths whose findings it does not want to see:
//
//	version: 1
//	helpers:
//	- function: example.com/shop/retry.Do      # or (*example.com/shop/retry.Policy).Do
//	  operation: 1                             # which argument is executed again; the first one is 0
//	  attempts: 3                              # total attempts; or {argument: 2}; or {argument: 2, unit: retries}
//	clients:
//	- type: "*example.com/shop/api.Client"
//	  methods: [Get, Put]
//	  attempts: 4
//	exclude: ["gen/**", "third_party/**"]
//
// Helpers and clients change what is recognised, so they reach every unit that go vet analyses, and its cache must know
// them (see Recognition). Exclude only filters what is reported, after the run.
package config

import (
	"encoding/json"
	"path/filepath"
	"slices"
)

// FileName is the name of the file, at the root of the workspace and of each of its modules.
const FileName = ".retrylint.yml"

// A Config is what one file says, or several files of a workspace together.
type Config struct {
	Helpers []Helper
	Clients []Client

	excludes []exclude
}

// A Helper is a function of the project that executes one of its arguments again when it fails.
type Helper struct {
	// Function is its full name as go/types writes it: example.com/x/retry.Do or (*example.com/x/retry.Policy).Do.
	Function string
	// Operation is the index of the argument that is executed; the receiver does not count.
	Operation int
	Attempts  Attempts
}

// A Client is a type of the project whose methods try again by themselves.
type Client struct {
	// Type is its full name, with the star if the methods have a pointer receiver: *example.com/x/api.Client.
	Type     string
	Methods  []string
	Attempts Attempts
}

// Attempts is where the number of a helper or client comes from.
type Attempts struct {
	// Number is the count of total attempts, or 0 if an argument decides.
	Number int
	// Argument is the index of the argument that decides, if Number is 0.
	Argument int
	// Retries says that the argument counts retries: n of them make n+1 attempts.
	Retries bool
}

// An exclude is a pattern and the directory of the file that states it.
type exclude struct{ dir, pattern string }

// Excluded reports whether findings in the file, an absolute path, are not wanted.
func (c *Config) Excluded(file string) bool {
	return slices.ContainsFunc(c.excludes, func(e exclude) bool {
		rel, err := filepath.Rel(e.dir, file)
		return err == nil && matches(e.pattern, filepath.ToSlash(rel))
	})
}

// Recognition is the part that changes what is recognised in code, in a form that depends on nothing else: not on
// comments, order of keys, the file's path, or what is excluded. It belongs into the identity of the vet tool.
func (c *Config) Recognition() []byte {
	text, err := json.Marshal(struct {
		Helpers []Helper
		Clients []Client
	}{c.Helpers, c.Clients})
	if err != nil {
		panic(err) // strings and numbers only
	}
	return text
}

// Join puts the files of a workspace together, in their order.
func Join(files ...*Config) *Config {
	all := new(Config)
	for _, f := range files {
		all.Helpers = append(all.Helpers, f.Helpers...)
		all.Clients = append(all.Clients, f.Clients...)
		all.excludes = append(all.excludes, f.excludes...)
	}
	return all
}
