// Package config reads .retrylint.yml, the file in which a project says what it wants to see, and tells retrylint about its own
// retry helpers, clients, writes and idempotency keys:
//
//	version: 1
//	rules:
//	  disable: [retrybackoff.nojitter]
//	  max-attempts: 4
//	exclude: ["gen/**", "third_party/**"]
//	paths:
//	- path: legacy/**
//	  only: [nestedretry]
//	platform: [istio]
//	retry: {owner: [example.com/shop/retry], policy: {max-attempts: 4}}
//	helpers:
//	- function: example.com/shop/retry.Do      # or (*example.com/shop/retry.Policy).Do
//	  operation: 1                             # which argument is executed again; the first one is 0
//	  attempts: 3                              # total attempts; or {argument: 2}; or {argument: 2, unit: retries}
//	clients:
//	- type: "*example.com/shop/api.Client"
//	  methods: [Get, Put]
//	  attempts: 4
//	writes:
//	- function: (*example.com/shop/ledger.Ledger).Book
//	  key: 2
//	keys: [X-Shop-Order]
//
// Helpers, clients, writes and keys change what is recognised, so they reach every unit that go vet analyses, and its cache
// must know them (see Recognition). All else filters what is reported, after the run (see Filter).
package config

import (
	"encoding/json"
)

// FileName is the name of the file, at the root of the workspace and of each of its modules.
const FileName = ".retrylint.yml"

// A Config is what one file says, or several files of a workspace together.
type Config struct {
	Helpers []Helper
	Clients []Client
	Writes  []Write
	// Keys are names of headers, metadata, fields, parameters and options that carry an idempotency key.
	Keys []string

	scopes []scope
	values []Value
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

// A Write is a function of the project that does something again each time it is called.
type Write struct {
	// Function is its full name, as that of a Helper; methods of interfaces are written like those of types.
	Function string
	// Key is the index of the argument that carries the idempotency key, nil if there is none; the receiver does not count.
	Key *int
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

// Recognition is the part that changes what is recognised in code, in a form that depends on nothing else: not on
// comments, order of keys, the file's path, or what is filtered. It belongs into the identity of the vet tool.
func (c *Config) Recognition() []byte {
	text, err := json.Marshal(struct {
		Helpers []Helper
		Clients []Client
		Writes  []Write
		Keys    []string
	}{c.Helpers, c.Clients, c.Writes, c.Keys})
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
		all.Writes = append(all.Writes, f.Writes...)
		all.Keys = append(all.Keys, f.Keys...)
		all.scopes = append(all.scopes, f.scopes...)
		all.values = append(all.values, f.values...)
	}
	return all
}
